// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace ductile::cli {

/// Makes the folder and looks at what would only show after minutes of work: whether it can be
/// written to, and whether ffmpeg is there if a film is wanted. Removes what a killed run left
/// unfinished there.
Status open_out_folder(const Scene& scene, const std::filesystem::path& folder);

/// Whether a file can be called so: no folder, no "..", nothing invisible.
bool is_file_name(std::string_view name);

/// A file name for anything called `name`: what no file can be called by is replaced by '_', and a
/// name that is among `taken` gets a number. Adds itself to `taken`.
std::string free_file_name(std::string_view name, std::set<std::string>& taken);

}  // namespace ductile::cli
