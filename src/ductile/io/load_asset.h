// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/prepare_asset.h>
#include <ductile/core/result.h>
#include <ductile/io/read_model.h>

#include <filesystem>

namespace ductile {

/// A mesh file as a body's shape, in one call: `read_model`, then `prepare_asset`. The report tells
/// what was found and mended. Error (`where`: the file): what cannot be read, or made a body of.
Result<PreparedAsset> load_asset(const std::filesystem::path& path,
                                 const AssetOptions& options = {}, const ReadLimits& limits = {});

/// The same with a coarser file to simulate: `path` is drawn and follows it.
Result<PreparedAsset> load_asset(const std::filesystem::path& path,
                                 const std::filesystem::path& surface_path,
                                 const AssetOptions& options, const ReadLimits& limits = {});

}  // namespace ductile
