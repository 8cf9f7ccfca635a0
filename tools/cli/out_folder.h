// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <filesystem>
#include <string_view>

namespace ductile::cli {

/// Makes the folder and looks at what would only show after minutes of work: whether it can be
/// written to, and whether ffmpeg is there if a film is wanted. Removes what a killed run left
/// unfinished there.
Status open_out_folder(const Scene& scene, const std::filesystem::path& folder);

/// Whether a file can be called so: no folder, no "..", nothing invisible.
bool is_file_name(std::string_view name);

}  // namespace ductile::cli
