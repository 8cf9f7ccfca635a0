// SPDX-License-Identifier: MIT
#include "press_plot.h"

#include <ductile/geom/query/surface_query.h>

#include "cut_plot.h"
#include <fmt/format.h>

namespace ductile::cli {

namespace {

// What a plain rival makes of an overlap: every point inside goes to the nearest rigid place.
std::vector<Vec3> nearest_outside(const PressedStill& still) {
    const SurfaceQuery rigid(still.rigid_points, still.rigid->surface.triangles);
    std::vector<Vec3> points = still.before;
    for (Vec3& p : points) {
        if (!(rigid.box().distance_sq(p) > 0) && rigid.is_inside(p)) {
            p = rigid.closest_point(p).position;
        }
    }
    return points;
}

}  // namespace

Result<std::string> press_plot(const PressedStill& still, const PressPlotOptions& options) {
    const Result<std::vector<Vec2>> points = read_cut_points(options.reference);
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
    std::string rival_caption;
    if (options.has_rival) {
        const std::vector<CutLine> rival = cut_at(nearest_outside(still), triangles, plane);
        plot.add(rival, "#26a269", "stroke-width=\"2\" stroke-dasharray=\"2 3\"");
        rival_caption =
            points.value().empty()
                ? "dotted: points inside moved to the nearest rigid place"
                : "dotted: nearest rigid places; " + cut_points_caption(rival, points.value());
    }
    plot.add(after, "#c01c28", "stroke-width=\"2.5\"");
    plot.add(points.value());
    const PressReport& r = still.pressed.report;
    return std::move(plot).finish(
        fmt::format("stiffness {:.3g} m, extent {:.3g} m; volume changed by {:.3g} % of what was "
                    "displaced",
                    r.stiffness, r.extent,
                    r.displaced_volume > 0 ? 100 * r.volume_change / r.displaced_volume : 0.0),
        cut_points_caption(after, points.value()), rival_caption);
}

}  // namespace ductile::cli
