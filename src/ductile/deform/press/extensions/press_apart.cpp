// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/extensions/press_apart.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <algorithm>
#include <vector>

namespace ductile {
namespace {

// Of what lies between two parts: what stays between them, so that rounding does not join them.
constexpr double kGapLeft = 0.01;
// How far from its own place a point begins to look, as a share of the mean edge.
constexpr double kApartFrom = 1e-4;
// What still crosses then, because ways are not straight at each other, goes back by so much at a
// time, so often at most.
constexpr double kBackShare = 0.1;
constexpr int kMostBacks = 10;
// Those that face a point may come so many times as far towards it as it goes.
constexpr double kMostMeeting = 4.0;

/// Which share of its way a point may go.
double free_share(const SurfaceQuery& body, const Vec3& from, const Vec3& way, double skip,
                  std::span<const Vec3> pressed) {
    const double length = way.norm();
    const Vec3 ahead = way / length;
    const SurfacePoint hit =
        body.first_hit(from + skip * ahead, ahead, (1.0 + kMostMeeting) * length);
    if (hit.triangle < 0) return 1.0;
    const Triangle& t = body.triangles()[hit.triangle];
    if (!(area_vector(body.points(), t).dot(ahead) < 0)) return 1.0;
    double towards = 0.0;
    for (int k = 0; k < 3; ++k) {
        towards -= hit.barycentric[k] * (pressed[t[k]] - body.points()[t[k]]).dot(ahead);
    }
    const double both = length + std::max(towards, 0.0);
    const double gap = (1.0 - kGapLeft) * (hit.distance + skip);
    return both > gap ? gap / both : 1.0;
}

/// Marks the vertices of edges and triangles that go through each other; false for none.
bool mark_crossing(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   std::vector<std::uint8_t>& is_marked) {
    is_marked.assign(points.size(), 0);
    bool has_some = false;
    for (const EdgeCrossing& c :
         find_crossings(points, triangles, SurfaceQuery(points, triangles)).of_first) {
        const Triangle& t = triangles[c.triangle];
        const auto is_end = [&](std::int32_t v) { return v == c.low || v == c.high; };
        if (std::any_of(t.begin(), t.end(), is_end)) continue;
        has_some = true;
        is_marked[c.low] = is_marked[c.high] = 1;
        for (const std::int32_t v : t) is_marked[v] = 1;
    }
    return has_some;
}

}  // namespace

std::int32_t keep_parts_apart(std::span<const Vec3> before, std::span<const Triangle> triangles,
                              std::span<const std::int32_t> zone, std::span<Vec3> pressed) {
    const SurfaceQuery body(before, triangles);
    const double skip = kApartFrom * mean_edge_length(before, triangles);
    std::vector<double> shares(before.size(), 1.0);
    parallel_for(before.size(), 64, [&](std::size_t v) {
        const Vec3 way = pressed[v] - before[v];
        if (zone[v] >= 0 || !(way.norm() > skip)) return;
        shares[v] = free_share(body, before[v], way, skip, pressed);
    });
    const std::vector<Vec3> free(pressed.begin(), pressed.end());
    const auto place = [&](std::size_t v) {
        if (shares[v] < 1.0) pressed[v] = before[v] + shares[v] * (free[v] - before[v]);
    };
    for (std::size_t v = 0; v < before.size(); ++v) place(v);
    std::vector<std::uint8_t> is_crossing;
    for (int i = 0; i < kMostBacks && mark_crossing(pressed, triangles, is_crossing); ++i) {
        for (std::size_t v = 0; v < before.size(); ++v) {
            if (!is_crossing[v] || zone[v] >= 0) continue;
            shares[v] *= 1.0 - kBackShare;
            place(v);
        }
    }
    std::int32_t stopped = 0;
    for (std::size_t v = 0; v < before.size(); ++v) stopped += pressed[v] != free[v];
    return stopped;
}

}  // namespace ductile
