// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/bulge/press_guard.h>
#include <ductile/deform/press/extensions/press_thin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ductile {
namespace {

// A wall is thin below this share of how wide the hole in its front would be.
constexpr double kThinShare = 0.5;
// How much of its thickness a wall gives way by before its back moves, and how softly that begins;
// and how much in the end: at so many thicknesses it has bent rather than thinned.
constexpr double kGivesWay = 0.7, kBackSoftness = 0.15;
constexpr double kGivesWayBent = 0.2, kBentAt = 2.0;
// A contact is one on a wall where it is wider than the body is thick, wholly so at twice that.
constexpr double kWallFrom = 1.0, kWallTo = 2.0;
// How far into the body a look at its other side begins, as a share of the mean edge.
constexpr double kLookFrom = 1e-4;

/// How much an overlap faces the bulk of the rigid body: 1 wholly, -1 turned away.
double overlap_facing(const PressSurface& soft, const PressOverlap& overlap, const Vec3& bulk) {
    double sum = 0.0;
    for (const std::int32_t v : overlap.inside) {
        const Vec3 way = bulk - soft.points[v];
        const Vec3 normal = vertex_normal(soft.points, soft.triangles, soft.faces, v);
        if (way.norm() > 0) sum += way.normalized().dot(normal);
    }
    return sum / static_cast<double>(overlap.inside.size());
}

/// The middle of what of the rigid surface is outside of the soft one.
Vec3 rigid_bulk(const PressSurface& rigid, std::span<const std::uint8_t> is_inside) {
    Vec3 sum = Vec3::Zero();
    double area = 0.0;
    for (const Triangle& t : rigid.triangles) {
        if (is_inside[t[0]] || is_inside[t[1]] || is_inside[t[2]]) continue;
        const double own = area_vector(rigid.points, t).norm();
        sum += own / 3.0 * (rigid.points[t[0]] + rigid.points[t[1]] + rigid.points[t[2]]);
        area += own;
    }
    return area > 0 ? Vec3(sum / area) : bounds(rigid.points).centre();
}

double curve_width(const PressOverlap& overlap) {
    double length = 0.0;
    for (const CurvePoint& p : overlap.curve) length += p.length;
    return length / kPi;
}

/// How far a wall gives way to what moves its front by `along`.
double given_way(double along, double wall) {
    const double bent = smooth_step((along / wall - kGivesWay) / (kBentAt - kGivesWay));
    return wall * (kGivesWay + (kGivesWayBent - kGivesWay) * bent);
}

/// How far the vertices of one overlap are from the curve and the vertices of another, on average.
double wall_between(const PressSurface& soft, const PressOverlap& back, const PressOverlap& front) {
    double sum = 0.0;
    for (const std::int32_t v : back.inside) {
        double least_sq = kInfinity;
        for (const std::int32_t w : front.inside) {
            least_sq = std::min(least_sq, (soft.points[w] - soft.points[v]).squaredNorm());
        }
        sum += std::sqrt(least_sq);
    }
    return sum / static_cast<double>(back.inside.size());
}

/// Marks the vertices of overlaps that lie behind a thin wall.
bool mark_backs(const PressSurface& soft, const PressOverlaps& found, const Vec3& bulk,
                std::vector<std::uint8_t>& is_back) {
    bool has_backs = false;
    for (std::size_t i = 0; i < found.overlaps.size(); ++i) {
        const PressOverlap& front = found.overlaps[i];
        if (front.joined < 0 || !(overlap_facing(soft, front, bulk) > 0)) continue;
        for (const PressOverlap& back : found.overlaps) {
            if (&back == &front || back.joined != front.joined) continue;
            if (overlap_facing(soft, back, bulk) > 0)
                return false;  // Two fronts: which one is pressed?
            if (wall_between(soft, back, front) > kThinShare * curve_width(front)) return false;
            for (const std::int32_t v : back.inside) is_back[v] = 1;
            has_backs = true;
        }
    }
    return has_backs;
}

}  // namespace

std::vector<Triangle> front_of_walls(const PressSurface& soft, const PressSurface& rigid,
                                     const PressOverlaps& found) {
    const auto is_joined = [](const PressOverlap& o) { return o.joined >= 0; };
    if (std::count_if(found.overlaps.begin(), found.overlaps.end(), is_joined) < 2) return {};
    std::vector<std::uint8_t> is_back(soft.points.size(), 0);
    if (!mark_backs(soft, found, rigid_bulk(rigid, found.rigid_is_inside), is_back)) return {};
    // Two rings more: what the rigid body only grazes there must not cut it again.
    for (int ring = 0; ring < 2; ++ring) {
        std::vector<std::int32_t> grown;
        for (std::size_t v = 0; v < is_back.size(); ++v) {
            if (!is_back[v]) continue;
            grown.insert(grown.end(), soft.graph[v].begin(), soft.graph[v].end());
        }
        for (const std::int32_t v : grown) is_back[v] = 1;
    }
    std::vector<Triangle> front;
    for (const Triangle& t : soft.triangles) {
        if (!is_back[t[0]] && !is_back[t[1]] && !is_back[t[2]]) front.push_back(t);
    }
    return front;
}

double wall_share(std::span<const PressOverlap> overlaps, double thickness) {
    double widest = 0.0;
    for (const PressOverlap& overlap : overlaps) widest = std::max(widest, curve_width(overlap));
    if (!(thickness > 0)) return 0.0;
    return smooth_step((widest / thickness - kWallFrom) / (kWallTo - kWallFrom));
}

std::int32_t carry_backs(std::span<const Vec3> before, std::span<const Triangle> triangles,
                         std::span<const std::int32_t> zone, double share,
                         std::span<Vec3> pressed) {
    double most = 0.0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        if (zone[v] >= 0) most = std::max(most, (pressed[v] - before[v]).norm());
    }
    if (!(most > 0)) return 0;
    const SurfaceQuery body(before, triangles);
    const std::vector<Vec3> normals = vertex_normals(before, triangles);
    const double skip = kLookFrom * mean_edge_length(before, triangles);
    std::vector<Vec3> moved(before.size(), Vec3::Zero());
    parallel_for(before.size(), 64, [&](std::size_t v) {
        if (zone[v] >= 0) return;
        const Vec3& out = normals[v];
        const SurfacePoint hit = body.first_hit(before[v] - skip * out, -out, most / kGivesWay);
        if (hit.triangle < 0) return;
        const Triangle& t = triangles[hit.triangle];
        if (!(area_vector(before, t).dot(out) < 0)) return;
        Vec3 way = Vec3::Zero();
        for (int k = 0; k < 3; ++k) way += hit.barycentric[k] * (pressed[t[k]] - before[t[k]]);
        const double along = way.dot(out), wall = hit.distance + skip;
        if (!(along > 0)) return;
        // What is left of the wall goes below its least thickness along a parabola.
        const double left = given_way(along, wall) - along, width = kBackSoftness * wall;
        if (!(left < width)) return;
        moved[v] = share * (softened_gap(left, width) - left) / along * way;
    });
    std::int32_t count = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        if (moved[v] == Vec3::Zero()) continue;
        pressed[v] += moved[v];
        ++count;
    }
    return count;
}

}  // namespace ductile
