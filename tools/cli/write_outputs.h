// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include "folder_lock.h"
#include "run_scene.h"
#include "world.h"

namespace ductile::cli {

/// Writes what the scene asks for into the run's folder, one file after another; result.files are
/// those that are there. Stops between files and between frames when asked to (interrupt.h).
Status write_outputs(const Scene& scene, const FolderLock& lock, const World& world,
                     const Progress& progress, Stopwatch& watch, RunResult& result);

}  // namespace ductile::cli
