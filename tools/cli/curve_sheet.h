// SPDX-License-Identifier: MIT
#pragma once

#include "cut_plot.h"

#include <string>
#include <string_view>
#include <vector>

namespace ductile::cli {

/// Lines of one colour in a panel.
struct PanelCurve {
    std::string_view colour;
    std::string name;  ///< For the legend; empty: not in it.
    std::vector<CutLine> lines;
    bool is_dotted = false;
    double width = 1.8;  ///< Of the stroke [pixels].
};

/// One plot of a sheet, as long in either direction.
struct CurvePanel {
    std::string title;
    std::vector<PanelCurve> curves;
};

/// The lines from point to point.
std::vector<CutLine> lines_through(const std::vector<Vec2>& points);

/// An SVG of panels, two in a row, each with a title and a legend.
/// Requires: at least one panel, each with a line.
std::string curve_sheet(const std::vector<CurvePanel>& panels);

}  // namespace ductile::cli
