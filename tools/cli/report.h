// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene.h>

#include "world.h"

#include <filesystem>
#include <span>
#include <string>

namespace ductile::cli {

/// The text of report.json: what happened, to whom, where the energy went, how long each stage
/// took and which files there are.
std::string report_text(const Scene& scene, const World& world, const Stopwatch& watch,
                        std::span<const std::filesystem::path> files);

}  // namespace ductile::cli
