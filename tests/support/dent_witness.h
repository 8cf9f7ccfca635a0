// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent_guard.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace ductile::test {

// Goes along a line and counts how deep in the body it is: in a body that does not cross itself
// always 0 or 1. Written anew, triangle by triangle, to be a witness of its own.
struct Layers {
    int least = 0, most = 0;
};
inline Layers layers_along(const Vec3& origin, const Vec3& way, std::span<const Vec3> points,
                           std::span<const Triangle> triangles) {
    std::vector<std::pair<double, int>> crossings;
    for (const Triangle& t : triangles) {
        const Vec3 e = points[t[1]] - points[t[0]], f = points[t[2]] - points[t[0]];
        const double facing = e.cross(f).dot(way);
        if (facing == 0.0) continue;
        const Vec3 d = origin - points[t[0]];
        const double u = way.cross(f).dot(d) / way.cross(f).dot(e);
        const double v = way.cross(e).dot(d) / way.cross(e).dot(f);
        if (!(u >= 0 && v >= 0 && u + v <= 1)) continue;
        crossings.emplace_back(-(e.cross(f)).dot(d) / facing, facing < 0 ? 1 : -1);
    }
    std::sort(crossings.begin(), crossings.end());
    Layers layers;
    int depth = 0;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        depth += crossings[i].second;
        // A line through an edge meets both its triangles at one place.
        const bool is_shared =
            i + 1 < crossings.size() && crossings[i + 1].first - crossings[i].first < 1e-9;
        if (is_shared) continue;
        layers.least = std::min(layers.least, depth);
        layers.most = std::max(layers.most, depth);
    }
    return layers;
}

// A blow somewhere on the surface, from anywhere outside, of any shape and knob.
inline DentHit random_blow(Rng& rng, const SurfaceQuery& surface, double size) {
    const auto count = static_cast<double>(surface.triangles().size());
    const Triangle& t = surface.triangles()[static_cast<std::size_t>(rng.uniform(0.0, count))];
    const std::span<const Vec3> points = surface.points();
    DentHit hit;
    hit.position_b = (points[t[0]] + points[t[1]] + points[t[2]]) / 3.0;
    hit.direction_b = -area_vector(points, t).normalized();
    hit.from_b = any_perpendicular(hit.direction_b);
    hit.from_b = Eigen::AngleAxisd(rng.uniform(0, 6.28), hit.direction_b) * hit.from_b;
    hit.slant_deg = rng.uniform() < 0.5 ? 0.0 : rng.uniform(0.0, 85.0);
    hit.depth = size * rng.uniform(0.005, 0.08);
    hit.radius = size * rng.uniform(0.05, 0.25);
    hit.fade = rng.uniform() < 0.3 ? 0.0 : hit.depth * rng.uniform(0.1, 2.0);
    hit.attenuation = static_cast<Attenuation>(static_cast<int>(rng.uniform(0.0, 3.99)));
    hit.profile = static_cast<DentProfile>(static_cast<int>(rng.uniform(0.0, 2.99)));
    hit.widening = rng.uniform() < 0.5 ? 0.0 : rng.uniform(0.0, 2.0);
    hit.total_limit = 0.35 * size;
    REQUIRE(check_dent(hit).ok());
    hit.lean = foldless_lean(hit);
    return hit;
}

// Of the triangles that faced the blow, those that it turned over.
inline int turned_over(const DentHit& hit, std::span<const Vec3> before,
                       std::span<const Vec3> after, std::span<const Triangle> triangles) {
    int count = 0;
    for (const Triangle& t : triangles) {
        const Vec3 a = area_vector(before, t), b = area_vector(after, t);
        const bool faced = a.dot(hit.direction_b) < -1e-3 * a.norm();  // and not edge-on
        if (faced && !(b.dot(hit.direction_b) < 0)) ++count;
    }
    return count;
}

/// Presses random dents, each on its own, into a closed body at rest, guarded, and looks: no
/// triangle that faced the blow is turned over, no line through the dent leaves the body before it
/// enters it, and the guard does not win by doing nothing.
inline void witness_dents(const TriMesh& mesh, int dents, int lines) {
    const std::vector<Vec3>& rest = mesh.points;
    const double size = bounds(rest).diagonal();
    const SurfaceQuery surface(rest, mesh.triangles);
    Rng rng(17);
    double moved_in_all = 0.0;
    for (int k = 0; k < dents; ++k) {
        DentHit hit = random_blow(rng, surface, size);
        guard_dent(hit, surface, rest);
        std::vector<Vec3> points = rest;
        press_dent(points, rest, hit, 1.0);
        CHECK(turned_over(hit, rest, points, mesh.triangles) == 0);
        double furthest = 0.0;
        for (std::size_t v = 0; v < points.size(); ++v) {
            furthest = std::max(furthest, (points[v] - rest[v]).norm());
        }
        moved_in_all += furthest;
        const Vec3 y = hit.direction_b.cross(hit.from_b);
        for (int r = 0; r < lines; ++r) {
            const double along = rng.uniform(-1, 1), across = rng.uniform(-1, 1);
            const Vec3 off = along * hit.from_b + across * y;
            const Layers layers = layers_along(hit.position_b + hit.radius * off, hit.direction_b,
                                               points, mesh.triangles);
            CHECK(layers.least >= 0);
            CHECK(layers.most <= 1);
        }
    }
    CHECK(moved_in_all > 0.005 * size * dents);
}

}  // namespace ductile::test
