// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ductile::cli {

struct RunOptions {
    std::filesystem::path out;    ///< Folder for the outputs; made if missing.
    std::int32_t max_frames = 0;  ///< Stop after this many; 0: run to the end.
};

struct RunResult {
    std::vector<std::filesystem::path> files;  ///< What was written, in order.
    std::int64_t hits = 0;
    std::int64_t incidents = 0;
};

/// Simulates a scene and writes the outputs it asks for: film, GLB, poster, journal, report.
/// Error: a body that cannot be made, an output that cannot be written.
Result<RunResult> run_scene(const Scene& scene, const RunOptions& options,
                            const Progress& progress);

}  // namespace ductile::cli
