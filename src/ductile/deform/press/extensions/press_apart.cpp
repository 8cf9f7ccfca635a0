// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/extensions/press_apart.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace ductile {
namespace {

// Of what lies between two parts: what stays between them, so that rounding does not join them.
constexpr double kGapLeft = 0.01;
// How far from its own place a point begins to look, as a share of the mean edge.
constexpr double kApartFrom = 1e-4;
// What still crosses then, because ways are not straight at each other, goes back so often at most.
constexpr int kMostBacks = 12;
// By which shares of its way at a time.
constexpr double kBackStep = 0.1;
// By how much deeper edges may then cut through the rigid body, as a share of the soft body's box.
constexpr double kMayCutDeeper = 0.002;
// How far a point looks for what faces it, in lengths of its own way.
constexpr double kMostMeeting = 5.0;
// Both ways are straight, so where two meet follows from the way of one seen from the other; who
// the other one is and how it goes is found in so many rounds at most, until the place is known to
// half of the gap.
constexpr int kMostLooks = 12;
constexpr double kMostMiss = 0.5 * kGapLeft;

// Ways that differ by less are the same.
constexpr double kSameWay = 1e-6;

/// What faces a point at rest, and how far that goes.
struct Facing {
    double distance = 0.0;
    Vec3 way = Vec3::Zero();
};
std::optional<Facing> facing(const SurfaceQuery& body, const Vec3& from, const Vec3& ahead,
                             double skip, double reach, std::span<const Vec3> pressed) {
    const SurfacePoint hit = body.first_hit(from + skip * ahead, ahead, reach);
    if (hit.triangle < 0) return {};
    const Triangle& t = body.triangles()[hit.triangle];
    if (!(area_vector(body.points(), t).dot(ahead) < 0)) return {};
    Facing found{hit.distance + skip};
    for (int k = 0; k < 3; ++k) {
        found.way += hit.barycentric[k] * (pressed[t[k]] - body.points()[t[k]]);
    }
    return found;
}

/// Which share of its way a point may go before it meets what it sees first along `look`, a unit
/// vector, or what is found from there.
double free_share(const SurfaceQuery& body, const Vec3& from, const Vec3& way, const Vec3& look,
                  double skip, std::span<const Vec3> pressed) {
    const double far = kMostMeeting * way.norm();
    double least = 1.0;
    std::optional<Facing> other = facing(body, from, look, skip, far, pressed);
    for (int i = 0; i < kMostLooks && other; ++i) {
        const Vec3 relative = way - other->way;
        const double length = relative.norm();
        if (!(length > skip)) break;
        const auto met = facing(body, from, relative / length, skip, far, pressed);
        if (!met) break;
        const double share = (1.0 - kGapLeft) * met->distance / length;
        least = std::min(least, share);
        if (share * (met->way - other->way).norm() < kMostMiss * met->distance)
            return std::min(share, 1.0);
        other = met;
    }
    return least;
}

/// Lets what lies beside a stopped point go on only by an edge's length further than that, or as
/// much further as it went before: nothing is torn between them.
void hold_beside_stops(std::span<const Vec3> before, std::span<const Triangle> triangles,
                       std::span<const std::int32_t> zone, std::span<const double> ways,
                       std::span<double> shares) {
    const auto hold = [&](std::int32_t stopped, std::int32_t beside) {
        if (!(shares[stopped] < 1.0) || zone[beside] >= 0) return false;
        const double further =
            std::max((before[beside] - before[stopped]).norm(), ways[beside] - ways[stopped]);
        const double most = shares[stopped] * ways[stopped] + further;
        if (!(shares[beside] * ways[beside] > (1.0 + kSameWay) * most)) return false;
        shares[beside] = most / ways[beside];
        return true;
    };
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const Triangle& t : triangles) {
            for (int k = 0; k < 3; ++k) {
                const std::int32_t a = t[k], b = t[(k + 1) % 3];
                has_changed |= hold(a, b) || hold(b, a);
            }
        }
    }
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
                              std::span<const std::int32_t> zone, std::span<Vec3> pressed,
                              const NearestOutside& outside) {
    const SurfaceQuery body(before, triangles);
    const double skip = kApartFrom * mean_edge_length(before, triangles);
    std::vector<double> shares(before.size(), 1.0), ways(before.size());
    const std::vector<Vec3> normals = vertex_normals(before, triangles);
    parallel_for(before.size(), 64, [&](std::size_t v) {
        const Vec3 way = pressed[v] - before[v];
        ways[v] = way.norm();
        if (zone[v] >= 0 || !(ways[v] > skip)) return;
        for (const Vec3& look : {Vec3(way.normalized()), normals[v]}) {
            shares[v] = std::min(shares[v], free_share(body, before[v], way, look, skip, pressed));
        }
    });
    hold_beside_stops(before, triangles, zone, ways, shares);
    const std::vector<Vec3> free(pressed.begin(), pressed.end());
    const auto place = [&](std::size_t v) {
        if (!(shares[v] < 1.0)) return;
        pressed[v] = before[v] + shares[v] * (free[v] - before[v]);
        if (!outside) return;
        const Vec3 out = outside(pressed[v]), in = pressed[v] - out;
        const double depth = in.norm(), most = (outside(free[v]) - free[v]).norm();
        if (depth > most) pressed[v] = out + most / depth * in;
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
            shares[v] *= 1.0 - kBackStep;
            place(static_cast<std::size_t>(v));
        }
    }
    std::int32_t stopped = 0;
    for (std::size_t v = 0; v < before.size(); ++v) stopped += pressed[v] != free[v];
    return stopped;
}

void measure_apart(const Presser& presser, std::span<const Vec3> points, const PressRigid& rigid,
                   const Transform& pose, Pressed& pressed) {
    const std::vector<std::string> notes = pressed.report.notes;
    presser.measure(points, rigid, pose, pressed);
    if (pressed.report.left->self_crossings == 0) return;
    const std::vector<Triangle>& triangles = presser.rest().triangles;
    const double before = volume(pressed.points, triangles);
    const auto outside = [&](const Vec3& point) -> Vec3 {
        const Vec3 seen = pose.inverse_point(point), kept = rigid.nearest_outside(seen);
        return kept == seen ? point : pose.point(kept);
    };
    Pressed apart = pressed;
    apart.report.notes = notes;
    const std::int32_t stopped =
        keep_parts_apart(points, triangles, apart.zone, apart.points, outside);
    if (stopped == 0) return;
    apart.report.volume_change += volume(apart.points, triangles) - before;
    apart.report.notes.push_back(fmt::format(
        "{} points are stopped where parts of the soft body bulge into each other", stopped));
    presser.measure(points, rigid, pose, apart);
    const PressResiduals &now = *apart.report.left, &free = *pressed.report.left;
    const double deeper = now.depth_left - free.depth_left;
    if (deeper > kMayCutDeeper * bounds(points).diagonal()) return;
    if (now.self_crossings < free.self_crossings) pressed = std::move(apart);
}

}  // namespace ductile
