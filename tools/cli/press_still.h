// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/sim/press_recording.h>

#include "press_output.h"

#include <string>

namespace ductile::cli {

/// A painted map as the command line has it: a channel of vertex colours, = and a formula, or the
/// name of a file of numbers.
PaintedMap painted_map_argument(const std::string& text);

/// The task that presses body 0 of a recording by body 1, its maps read.
/// Error: a setup that `check` refuses, a map that does not fit.
Result<PressTask> press_task(PressSetup setup, const SurfaceAsset& soft, const SurfaceAsset& rigid);

/// Presses the first frame of a recording of two bodies: what `press_recording` makes of it, with
/// all that drawings show. Error: as that.
Result<PressedStill> press_still(Recording recording, const PressTask& task);

}  // namespace ductile::cli
