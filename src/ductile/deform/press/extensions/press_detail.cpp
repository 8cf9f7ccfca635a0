// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <utility>

namespace ductile {
namespace {

// Taubin's pair: one step in, one step out a little further, so that waves longer than some
// fifteen edges neither grow nor shrink.
constexpr double kStepIn = 0.5, kStepOut = -0.53;

void move_to_neighbours(const VertexGraph& graph, std::span<const std::uint8_t> is_kept,
                        double share, std::vector<Vec3>& points) {
    const std::vector<Vec3> before = points;
    parallel_for(points.size(), 256, [&](std::size_t v) {
        const auto around = graph[v];
        if (is_kept[v] || around.empty()) return;
        Vec3 mean = Vec3::Zero();
        for (const std::int32_t w : around) mean += before[w];
        points[v] += share * (mean / static_cast<double>(around.size()) - before[v]);
    });
}

}  // namespace

PressDetail split_detail(const TriMesh& surface, std::int32_t rounds) {
    const std::size_t n = surface.points.size();
    PressDetail detail{surface, {}, surface.points};
    std::vector<std::uint8_t> is_border(n, 0);
    EdgeUses(n, surface.triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            if (uses.size() == 1) is_border[low] = is_border[uses[0].high] = 1;
        });
    const VertexGraph graph = vertex_graph(n, surface.triangles);
    for (std::int32_t i = 0; i < rounds; ++i) {
        move_to_neighbours(graph, is_border, kStepIn, detail.base.points);
        move_to_neighbours(graph, is_border, kStepOut, detail.base.points);
    }
    for (std::size_t v = 0; v < n; ++v) {
        detail.offsets.push_back(surface.points[v] - detail.base.points[v]);
    }
    return detail;
}

PressDetail detail_over(const TriMesh& base, std::span<const double> heights) {
    DUCTILE_ASSERT(heights.size() == base.points.size(), "a height per point");
    PressDetail detail{base, {}, base.points};
    const std::vector<Vec3> normals = vertex_normals(base.points, base.triangles);
    for (std::size_t v = 0; v < heights.size(); ++v) {
        detail.offsets.push_back(heights[v] * normals[v]);
        detail.points[v] += detail.offsets[v];
    }
    return detail;
}

std::vector<Vec3> restore_detail(const PressDetail& detail, const Pressed& pressed, double fade) {
    const TriMesh& base = detail.base;
    DUCTILE_ASSERT(pressed.points.size() == base.points.size(), "the press of this base");
    DUCTILE_ASSERT(fade > 0 && fade <= 1, "a share of the extent");
    const std::vector<Vec3> before = vertex_normals(base.points, base.triangles);
    const std::vector<Vec3> after = vertex_normals(pressed.points, base.triangles);
    std::vector<Vec3> points = detail.points;
    parallel_for(points.size(), 256, [&](std::size_t v) {
        const bool is_moved = pressed.points[v] != base.points[v];
        if (!is_moved && before[v] == after[v]) return;
        const double share = pressed.zone[v] >= 0 ? 0.0 : smooth_step(pressed.radial[v] / fade);
        const Quat turn = turn_between(before[v], after[v]);
        points[v] = pressed.points[v] + share * (turn * detail.offsets[v]);
    });
    return points;
}

}  // namespace ductile
