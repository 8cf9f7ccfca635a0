// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include "folder_lock.h"

#include <filesystem>

namespace ductile::cli {

/// Makes the folder, takes it for this run alone and looks at what would only show after minutes of
/// work: whether it can be written to, and whether ffmpeg is there if a film is wanted. Removes
/// what a killed run left unfinished there.
Result<FolderLock> open_out_folder(const Scene& scene, const std::filesystem::path& folder);

/// Removes what this process has not finished in a folder (core/file.h, unfinished_name), and its
/// lock.
void remove_unfinished(const std::filesystem::path& folder);

/// Error: there is no ffmpeg on PATH; `hint` is what to do without it.
Status find_ffmpeg(const std::string& hint);

}  // namespace ductile::cli
