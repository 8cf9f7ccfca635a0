// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <filesystem>

namespace ductile::cli {

/// Makes the folder and looks at what would only show after minutes of work: whether it can be
/// written to, and whether ffmpeg is there if a film is wanted. Removes what a killed run left
/// unfinished there.
Status open_out_folder(const Scene& scene, const std::filesystem::path& folder);

}  // namespace ductile::cli
