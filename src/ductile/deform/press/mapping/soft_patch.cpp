// SPDX-License-Identifier: MIT
#include <ductile/core/index_set.h>
#include <ductile/deform/press/mapping/soft_patch.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace ductile {
namespace {

// A triangle that the curve all but cuts off still holds on to the others by this share.
constexpr double kLeastShare = 0.02;

/// Where the curve crosses soft edges, sorted by edge.
std::vector<EdgeCrossing> edge_cuts(const PressOverlap& overlap) {
    std::vector<EdgeCrossing> cuts;
    for (const CurvePoint& p : overlap.curve) {
        if (p.soft.points[2] != p.soft.points[0]) continue;
        EdgeCrossing& cut = cuts.emplace_back();
        cut.low = p.soft.points[0];
        cut.high = p.soft.points[1];
        cut.along = p.soft.weights[1];
    }
    std::sort(cuts.begin(), cuts.end(), [](const EdgeCrossing& a, const EdgeCrossing& b) {
        return std::tie(a.low, a.high, a.along) < std::tie(b.low, b.high, b.along);
    });
    return cuts;
}

/// What part of a triangle the curve encloses, its corners inside or not.
double enclosed_share(const Triangle& t, const std::array<bool, 3>& is_in,
                      std::span<const EdgeCrossing> cuts) {
    const int count = is_in[0] + is_in[1] + is_in[2];
    if (count == 3) return 1.0;
    int odd = 0;  // The corner that is alone on its side.
    while (is_in[odd] != (count == 1)) ++odd;
    double cut_off = 1.0;
    for (const int k : {(odd + 1) % 3, (odd + 2) % 3}) {
        cut_off *= count == 1 ? first_crossing(cuts, t[odd], t[k])
                              : 1.0 - first_crossing(cuts, t[k], t[odd]);
    }
    return count == 1 ? cut_off : 1.0 - cut_off;
}

}  // namespace

SoftPatch make_soft_patch(const PressSurface& soft, const PressOverlap& overlap) {
    IndexSet faces(soft.triangles.size()), vertices(soft.points.size());
    for (const std::int32_t v : overlap.inside) {
        for (const std::int32_t f : soft.faces[v]) faces.insert(f);
    }
    SoftPatch patch;
    faces.take(patch.faces);
    for (const std::int32_t f : patch.faces) {
        for (const std::int32_t v : soft.triangles[f]) vertices.insert(v);
    }
    vertices.take(patch.vertices);
    std::vector<std::int32_t> local(soft.points.size(), -1);
    for (std::size_t i = 0; i < patch.vertices.size(); ++i) {
        local[patch.vertices[i]] = static_cast<std::int32_t>(i);
        patch.points.push_back(soft.points[patch.vertices[i]]);
    }
    patch.is_inside.assign(patch.vertices.size(), 0);
    for (const std::int32_t v : overlap.inside) patch.is_inside[local[v]] = 1;
    const std::vector<EdgeCrossing> cuts = edge_cuts(overlap);
    patch.triangles.reserve(patch.faces.size());
    patch.shares.reserve(patch.faces.size());
    for (const std::int32_t f : patch.faces) {
        const Triangle& t = soft.triangles[f];
        const Triangle own = {local[t[0]], local[t[1]], local[t[2]]};
        const double share =
            enclosed_share(t,
                           {patch.is_inside[own[0]] != 0, patch.is_inside[own[1]] != 0,
                            patch.is_inside[own[2]] != 0},
                           cuts);
        patch.triangles.push_back(own);
        patch.shares.push_back(std::max(share, kLeastShare));
        patch.area += share * 0.5 * area_vector(soft.points, t).norm();
    }
    return patch;
}

}  // namespace ductile
