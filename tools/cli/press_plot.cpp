// SPDX-License-Identifier: MIT
#include "press_plot.h"

#include "cut_plot.h"
#include <fmt/format.h>

namespace ductile::cli {

Result<std::string> press_plot(const PressedStill& still, const std::string& reference) {
    const Result<std::vector<Vec2>> points = read_cut_points(reference);
    if (!points) return points.error();
    const std::vector<Triangle>& triangles = still.soft->surface.triangles;
    // Off the middle by a hair, so that no edge of a symmetric mesh lies in the plane.
    const Box box = bounds(still.before);
    const CutPlane plane{2, box.centre().z() + 1e-6 * box.diagonal()};
    const std::vector<CutLine> before = cut_at(still.before, triangles, plane);
    const std::vector<CutLine> after = cut_at(still.pressed.points, triangles, plane);
    if (after.empty())
        return Error{"the plane through its middle does not cut the soft body", "--profile", ""};
    Box shown = bounds(still.pressed.points);
    shown.add(box);
    const Vec2 slack = Vec2::Constant(0.08 * box.diagonal());
    CutPlot plot(plane.flat(shown.lower) - slack, plane.flat(shown.upper) + slack);
    plot.add(cut_at(still.rigid_points, still.rigid->surface.triangles, plane), "#5e5c64",
             "stroke-width=\"2\"");
    plot.add(before, "#c0bfbc", "stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
    plot.add(after, "#c01c28", "stroke-width=\"2.5\"");
    plot.add(points.value());
    const PressReport& r = still.pressed.report;
    return std::move(plot).finish(
        fmt::format("stiffness {:.3g} m, extent {:.3g} m; volume changed by {:.3g} % of what was "
                    "displaced",
                    r.stiffness, r.extent,
                    r.displaced_volume > 0 ? 100 * r.volume_change / r.displaced_volume : 0.0),
        cut_points_caption(after, points.value()));
}

}  // namespace ductile::cli
