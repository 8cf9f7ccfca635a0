// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/solids.h>

#include "../support/bodies.h"
#include "../support/slab.h"
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

// Goes along a line and counts how deep in the body it is: in a body that does not cross itself
// always 0 or 1. Written anew, triangle by triangle, to be a witness of its own.
struct Layers {
    int least = 0, most = 0;
};
Layers layers_along(const Vec3& origin, const Vec3& way, std::span<const Vec3> points,
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
DentHit random_blow(Rng& rng, const SurfaceQuery& surface, double size) {
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
int turned_over(const DentHit& hit, std::span<const Vec3> before, std::span<const Vec3> after,
                std::span<const Triangle> triangles) {
    int count = 0;
    for (const Triangle& t : triangles) {
        const Vec3 a = area_vector(before, t), b = area_vector(after, t);
        const bool faced = a.dot(hit.direction_b) < -1e-3 * a.norm();  // and not edge-on
        if (faced && !(b.dot(hit.direction_b) < 0)) ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("a thousand random dents turn no front triangle over and let no front pass its back") {
    struct Case {
        const char* name;
        std::shared_ptr<const SurfaceAsset> asset;
    };
    const Case cases[] = {
        {"plate", solid(SolidKind::Plate, Vec3(0.6, 0.02, 0.6), 0.03)},
        {"can", solid(SolidKind::Cylinder, Vec3(0.3, 0.6, 0.3), 0.03)},
        {"ring", solid(SolidKind::Torus, Vec3(0.6, 0.2, 0.6), 0.03)},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.name));
        const std::vector<Vec3>& rest = c.asset->surface.points;
        const std::vector<Triangle>& triangles = c.asset->surface.triangles;
        const double size = bounds(rest).diagonal();
        SurfaceQuery surface(rest, triangles);
        Rng rng(17);
        const int dents = kIsSanitized ? 60 : 1000;
        double moved_in_all = 0.0;
        for (int k = 0; k < dents; ++k) {
            DentHit hit = random_blow(rng, surface, size);
            guard_dent(hit, surface, rest);
            std::vector<Vec3> points = rest;  // each dent on its own, on the body at rest
            press_dent(points, rest, hit, 1.0);
            CHECK(turned_over(hit, rest, points, triangles) == 0);
            for (std::size_t v = 0; v < points.size(); ++v) {
                moved_in_all += (points[v] - rest[v]).norm();
            }
            for (int r = 0; r < 12; ++r) {
                const Vec3 y = hit.direction_b.cross(hit.from_b);
                const Vec3 through =
                    hit.position_b +
                    hit.radius * (rng.uniform(-1, 1) * hit.from_b + rng.uniform(-1, 1) * y);
                const Layers layers = layers_along(through, hit.direction_b, points, triangles);
                CHECK(layers.least >= 0);
                CHECK(layers.most <= 1);
            }
        }
        CHECK(moved_in_all > 0.01 * size * dents);  // the guard does not win by doing nothing
    }
}

TEST_CASE("a falloff too steep for the thickness it meets is softened, one that fits is not") {
    const TriMesh thick = slab(60, 1.0, 0.5), thin = slab(60, 1.0, 0.02);
    DentHit hit;
    hit.depth = 0.06;
    hit.radius = 0.3;
    hit.fade = 0.01;  // far steeper than safe_fade(0.06) = 0.033
    DentHit on_thick = hit, on_thin = hit;
    guard_dent(on_thick, SurfaceQuery(thick.points, thick.triangles), thick.points);
    guard_dent(on_thin, SurfaceQuery(thin.points, thin.triangles), thin.points);
    CHECK(on_thick.fade == hit.fade);
    CHECK(on_thick.depth == hit.depth);
    CHECK(on_thin.fade > hit.fade);
    CHECK(on_thin.fade <= safe_fade(Attenuation::Logistic, hit.depth));
    CHECK(on_thin.depth == hit.depth);
    // Without the guard the front does pass the back: figure 2d of the seed.
    std::vector<Vec3> bad = thin.points, good = thin.points;
    press_dent(bad, thin.points, hit, 1.0);
    press_dent(good, thin.points, on_thin, 1.0);
    const auto thickness = [&](const std::vector<Vec3>& p) {
        double least = 1.0;
        for (std::size_t v = 0; v < p.size() / 2; ++v) {
            least = std::min(least, p[v].y() - p[v + p.size() / 2].y());
        }
        return least;
    };
    CHECK(thickness(bad) < 0.0);
    CHECK(thickness(good) > 0.0);
}

TEST_CASE("a rim gives back the share of the volume that it is asked for") {
    const auto can = solid(SolidKind::Cylinder, Vec3(0.3, 0.6, 0.3), 0.01);
    const auto ball = solid(SolidKind::Sphere, Vec3::Constant(0.5), 0.012);
    for (const auto& asset : {can, ball}) {
        const std::vector<Vec3>& rest = asset->surface.points;
        const SurfaceQuery surface(rest, asset->surface.triangles);
        const double whole = volume(rest, asset->surface.triangles);
        for (const double slant : {0.0, 40.0}) {
            for (const double share : {0.0, 0.5, 1.0}) {
                DentHit hit;
                hit.position_b = surface.first_hit(Vec3(1, 0.05, 0), Vec3(-1, 0, 0)).position;
                hit.direction_b = Vec3(-1, 0, 0);
                hit.from_b = Vec3(0, 1, 0);
                hit.slant_deg = slant;
                hit.depth = 0.02;
                hit.radius = 0.12;
                const auto taken = [&] {
                    std::vector<Vec3> points = rest;
                    press_dent(points, rest, hit, 1.0);
                    return whole - volume(points, asset->surface.triangles);
                };
                const double dent = taken();
                CHECK(dent > 0);
                fit_rim(hit, share, surface, rest);
                CHECK(std::abs(taken() - (1.0 - share) * dent) < 0.01 * dent);
                CHECK((share > 0) == (hit.rim > 0));
                // Smooth, and within the footprint: nothing beyond the dent's reach moves.
                const DentPress press(hit, 1.0);
                CHECK(press.share(0.0, 0.121) == 0.0);
                CHECK(press.share(0.0, 0.0) == 1.0);
            }
        }
    }
}
