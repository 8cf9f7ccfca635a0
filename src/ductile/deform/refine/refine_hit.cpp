// SPDX-License-Identifier: MIT
#include <ductile/deform/refine/refine_hit.h>
#include <ductile/geom/triangle.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// By how much edges may be longer per distance beyond the radius: at 0.5 most of the new points lie
// where nothing happens, without it fans of needles lie around what is fine.
constexpr double kEdgeGrowth = 1.0;

/// An edge to be split, and the square of its length [m^2].
struct LongEdge {
    MeshEdge ends;
    double length_sq;
};

// Of all that are too long, as many as there may still be points.
std::vector<MeshEdge> longest_of(std::vector<LongEdge> edges, const RefineHit& hit,
                                 std::size_t points) {
    const auto limit = static_cast<std::size_t>(hit.point_limit);
    const std::size_t room = limit > points ? limit - points : 0;
    if (limit > 0 && edges.size() > room) {
        std::sort(edges.begin(), edges.end(), [](const LongEdge& a, const LongEdge& b) {
            return a.length_sq > b.length_sq || (a.length_sq == b.length_sq && a.ends < b.ends);
        });
        edges.resize(room);
    }
    std::vector<MeshEdge> marked;
    for (const LongEdge& edge : edges) marked.push_back(edge.ends);
    std::sort(marked.begin(), marked.end());
    return marked;
}

}  // namespace

std::vector<MeshEdge> RecordKind<RefineHit>::marked_edges(const RefineHit& hit,
                                                          const SurfaceAsset& asset) {
    const std::vector<Vec3>& points = asset.surface.points;
    const auto is_rigid = [&](std::int32_t v) {
        return !asset.is_rigid.empty() && asset.is_rigid[static_cast<std::size_t>(v)] != 0;
    };
    std::vector<LongEdge> edges;
    for (const Triangle& t : asset.surface.triangles) {
        const Corners corners = {points[t[0]], points[t[1]], points[t[2]]};
        double longest_sq = 0.0;
        for (int k = 0; k < 3; ++k) {
            longest_sq = std::max(longest_sq, (corners[k] - corners[(k + 1) % 3]).squaredNorm());
        }
        if (!(longest_sq > hit.longest_edge * hit.longest_edge)) continue;
        const double off =
            std::sqrt(closest_on_triangle(hit.position_b, corners).distance_sq) - hit.radius;
        const double allowed = hit.longest_edge + kEdgeGrowth * std::max(0.0, off);
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            const double length_sq = (points[a] - points[b]).squaredNorm();
            if (!(length_sq > allowed * allowed) || (is_rigid(a) && is_rigid(b))) continue;
            edges.push_back({{std::min(a, b), std::max(a, b)}, length_sq});
        }
    }
    std::sort(edges.begin(), edges.end(),
              [](const LongEdge& a, const LongEdge& b) { return a.ends < b.ends; });
    edges.erase(std::unique(edges.begin(), edges.end(),
                            [](const LongEdge& a, const LongEdge& b) { return a.ends == b.ends; }),
                edges.end());
    return longest_of(std::move(edges), hit, points.size());
}

}  // namespace ductile
