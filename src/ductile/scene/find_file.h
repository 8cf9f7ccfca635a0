// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace ductile {

/// Where a file is that a scene or a rig in `folder` names: beside it, else in the current folder.
/// Error: in neither; it calls what names the file `owner` ("scene") and suggests a file that is
/// there under nearly that name.
Result<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                        const std::string& name, std::string_view owner);

}  // namespace ductile
