// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/extensions/press_apart.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <algorithm>
#include <iterator>
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

/// Triangles of which a corner moved.
std::vector<Triangle> moved_triangles(std::span<const Vec3> before, std::span<const Vec3> pressed,
                                      std::span<const Triangle> triangles) {
    std::vector<Triangle> moved;
    for (const Triangle& t : triangles) {
        if (std::any_of(t.begin(), t.end(),
                        [&](std::int32_t v) { return before[v] != pressed[v]; })) {
            moved.push_back(t);
        }
    }
    return moved;
}

/// The vertices of edges and triangles that go through each other and did not before, ascending.
std::vector<std::int32_t> crossing_vertices(std::span<const SelfCrossing> then,
                                            std::span<const SelfCrossing> now) {
    std::vector<SelfCrossing> came;
    std::set_difference(now.begin(), now.end(), then.begin(), then.end(), std::back_inserter(came));
    std::vector<std::int32_t> vertices;
    for (const SelfCrossing& c : came) {
        vertices.insert(vertices.end(), {c.low, c.high});
        vertices.insert(vertices.end(), c.triangle.begin(), c.triangle.end());
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
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
    const std::vector<Triangle> moved = moved_triangles(before, pressed, triangles);
    const std::vector<SelfCrossing> then = self_crossings_of(before, moved, triangles);
    for (int i = 0; i < kMostBacks; ++i) {
        const std::vector<std::int32_t> crossing =
            crossing_vertices(then, self_crossings_of(pressed, moved, triangles));
        if (crossing.empty()) break;
        for (const std::int32_t v : crossing) {
            if (zone[v] >= 0) continue;
            shares[v] *= 1.0 - kBackShare;
            place(static_cast<std::size_t>(v));
        }
    }
    std::int32_t stopped = 0;
    for (std::size_t v = 0; v < before.size(); ++v) stopped += pressed[v] != free[v];
    return stopped;
}

}  // namespace ductile
