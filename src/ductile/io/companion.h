// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ductile {

/// Where a file that an asset names lies, if that is the asset's folder or below it.
///
/// `name` is as the asset has it, '/' or '\' between folders. Error: an empty folder or name, an
/// absolute path or drive, a ".." in it, a link that leads out, nothing there, no plain file.
Result<std::filesystem::path> find_companion(const std::filesystem::path& folder,
                                             std::string_view name);

/// The content of such a file, of at most `limit` bytes.
Result<std::string> read_companion(const std::filesystem::path& folder, std::string_view name,
                                   std::uintmax_t limit);

}  // namespace ductile
