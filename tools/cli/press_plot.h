// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include "press_output.h"

#include <string>

namespace ductile::cli {

/// What is plotted beside a press.
struct PressPlotOptions {
    std::string
        reference{};         ///< A CSV: x and y [m] a line; what is not two numbers is passed over.
    bool has_rival = false;  ///< What moving points inside to the nearest rigid places gives.
};

/// The profile of a press as an SVG: the cut through the middle of the soft body across z, before
/// and after, and that of the rigid one. Error: a reference without a point, an empty cut.
Result<std::string> press_plot(const PressedStill& still, const PressPlotOptions& options);

}  // namespace ductile::cli
