// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/sheet_supports.h>
#include <ductile/geom/tri_mesh.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A fold: faces that meet at more than this [rad], or a bend of a radius below this share of the
// body's size (the beads and rims of a drum, not its side).
constexpr double kFold = 0.6;
constexpr double kFoldRadius = 0.05;

}  // namespace

SheetSupports sheet_supports(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             double size) {
    SheetSupports out;
    out.curvature.assign(points.size(), 0.0);
    std::vector<char> is_held(points.size(), 0);
    const std::vector<Triangle> across = face_neighbours(triangles);
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Vec3 area = area_vector(points, triangles[f]);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t ends[2] = {triangles[f][k], triangles[f][(k + 1) % 3]};
            const std::int32_t g = across[f][k];
            double angle = kInfinity, bend = 0.0;
            if (g >= 0) {
                const Vec3 other = area_vector(points, triangles[static_cast<std::size_t>(g)]);
                const double side = (points[ends[1]] - points[ends[0]]).norm();
                angle = std::atan2(area.cross(other).norm(), area.dot(other));
                // From the middle of one face to that of the other.
                const double apart = (area.norm() + other.norm()) / (3.0 * side);
                bend = apart > 0 && std::isfinite(apart) ? angle / apart : 0.0;
            }
            for (const std::int32_t v : ends) {
                out.curvature[v] = std::max(out.curvature[v], bend);
                if (angle > kFold || bend * kFoldRadius * size > 1.0) is_held[v] = 1;
            }
        }
    }
    std::vector<std::int32_t> seeds;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (is_held[v]) seeds.push_back(static_cast<std::int32_t>(v));
    }
    out.distance.assign(points.size(), kInfinity);
    if (seeds.empty()) return out;
    out.distance = edge_distances(points, vertex_graph(points.size(), triangles), seeds, kInfinity);
    return out;
}

}  // namespace ductile
