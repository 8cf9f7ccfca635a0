// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene.h>

#include "run_scene.h"
#include "world.h"

#include <string>

namespace ductile::cli {

/// The text of report.json: what happened, to whom, where the energy went, how long each stage
/// took, this one included, which files there are, and what the user was told. Error: what
/// `checkpoint` answers between bodies, whose colliders are measured.
Result<std::string> report_text(const Scene& scene, const World& world, Stopwatch& watch,
                                const RunResult& result, const Checkpoint& checkpoint);

}  // namespace ductile::cli
