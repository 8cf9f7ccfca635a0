// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/sim/press_recording.h>

#include "press_output.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ductile::cli {

/// What a press may do besides its options, as the command line has it.
struct PressWays {
    /// A file of numbers, a channel of vertex colours, or = and a formula; empty: none.
    std::string stiffness_map, bulge_map;
    std::int32_t detail = 0;        ///< Rounds of smoothing that take the detail off; 0: none.
    std::optional<double> share;    ///< Both are soft: how much of the overlap the first gives.
    bool refines = false;           ///< The soft mesh is made finer where it is stretched.
    bool uses_proxy = false;        ///< A swallowed rigid body is drawn out first.
    std::vector<double> proxy_way;  ///< Where it came from; none: the nearest way out.

    /// The files of its maps.
    std::vector<std::filesystem::path> files() const;
};

/// The task that presses body 0 of a recording by body 1. Error: a map that does not fit.
Result<PressTask> press_task(const PressWays& ways, const SurfaceAsset& soft,
                             const PressOptions& options);

/// Presses the first frame of a recording of two bodies: what `press_recording` makes of it, with
/// all that drawings show. Error: as that.
Result<PressedStill> press_still(Recording recording, const PressTask& task);

}  // namespace ductile::cli
