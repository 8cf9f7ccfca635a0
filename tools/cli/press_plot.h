// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include "press_output.h"

#include <string>

namespace ductile::cli {

/// The profile of a press as an SVG: the cut through the middle of the soft body across z, before
/// and after, and that of the rigid one, with the points of a reference where a file is given (CSV:
/// x and y [m] a line; what is not two numbers is passed over).
/// Error: a reference without a point, an empty cut.
Result<std::string> press_plot(const PressedStill& still, const std::string& reference);

}  // namespace ductile::cli
