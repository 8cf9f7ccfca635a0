// SPDX-License-Identifier: MIT
#include <ductile/deform/refine/refine_hit.h>
#include <ductile/geom/triangle.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

// By how much edges may be longer per distance beyond the radius: at 0.5 most of the new points lie
// where nothing happens, without it fans of needles lie around what is fine.
constexpr double kEdgeGrowth = 1.0;

// A triangle whose shortest side is below this share of its longest one is slender. Halving all of
// its long sides would leave its parts as slender: only its longest one is split (Rivara 1984,
// longest-edge bisection), which makes them stouter. Others keep their shape, in fewer rounds; so
// do the halves of squares, whose share is 0.71.
constexpr double kSlender = 0.7;

/// An edge to be split, and the square of its length [m^2].
struct LongEdge {
    MeshEdge ends;
    double length_sq;
};

bool is_longer(const LongEdge& a, const LongEdge& b) {
    return a.length_sq > b.length_sq || (a.length_sq == b.length_sq && a.ends < b.ends);
}

// Of all that are too long, as many as there may still be points.
std::vector<MeshEdge> longest_of(std::vector<LongEdge> edges, const RefineHit& hit,
                                 std::size_t points) {
    const auto limit = static_cast<std::size_t>(hit.point_limit);
    const std::size_t room = limit > points ? limit - points : 0;
    if (limit > 0 && edges.size() > room) {
        std::sort(edges.begin(), edges.end(), is_longer);
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
        std::array<LongEdge, 3> sides;
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            sides[k] = {{std::min(a, b), std::max(a, b)}, (points[a] - points[b]).squaredNorm()};
        }
        std::sort(sides.begin(), sides.end(), is_longer);
        if (!(sides[0].length_sq > hit.longest_edge * hit.longest_edge)) continue;
        const double off =
            std::sqrt(closest_on_triangle(hit.position_b, corners).distance_sq) - hit.radius;
        const double allowed = hit.longest_edge + kEdgeGrowth * std::max(0.0, off);
        const bool is_slender = sides[2].length_sq < kSlender * kSlender * sides[0].length_sq;
        for (const LongEdge& side : sides) {
            if (!(side.length_sq > allowed * allowed)) break;
            if (is_rigid(side.ends[0]) && is_rigid(side.ends[1])) continue;
            edges.push_back(side);
            if (is_slender) break;
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
