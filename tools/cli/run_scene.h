// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/scene/scene.h>

#include <cstdint>
#include <filesystem>
#include <optional>
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
    Recording recording;             ///< What happened, as far as it was simulated.
    std::vector<std::string> notes;  ///< What the user should know of the outputs.
    int exit_code = 0;               ///< What the command should exit with.
    std::optional<Error> error;      ///< What went wrong, if exit_code is not 0.
};

/// Simulates a scene and writes the outputs it asks for: player, film, GLB, USD, caches, poster,
/// journal, report and the rest. Bad input: a body that cannot be made. Failed: an output that
/// cannot be written, a folder that another run has (folder_lock.h) or that was taken away
/// meanwhile. Stops between frames when asked to (interrupt.h). Whatever happens, a file with a
/// final name is whole; if it ends well, every file that it lists is there.
RunResult run_scene(const Scene& scene, const RunOptions& options, const Progress& progress);

}  // namespace ductile::cli
