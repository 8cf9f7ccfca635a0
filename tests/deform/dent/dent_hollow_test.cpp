// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_hollow.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/slab.h>

#include <cmath>

using namespace ductile;

namespace {

// The upper face, y = 0, of a slab pressed in by `depth` times a share of the distance from its
// middle.
template <class Share>
TriMesh hollowed_slab(double depth, Share&& share) {
    TriMesh mesh = slab(100, 1.0, 0.3);
    for (std::size_t v = 0; v < mesh.points.size() / 2; ++v) {
        Vec3& p = mesh.points[v];
        p.y() -= depth * share(std::hypot(p.x(), p.z()));
    }
    return mesh;
}

double ball_share(double radius, double depth, double distance) {
    return std::max(0.0, 1.0 - distance * distance / (2.0 * radius * depth));
}

}  // namespace

TEST_CASE("a place over a hollow is taken to its bottom, one on the surface or within it stays") {
    const TriMesh mesh = hollowed_slab(0.02, [](double r) { return ball_share(0.5, 0.02, r); });
    const SurfaceQuery surface(mesh.points, mesh.triangles);
    const Vec3 down(0, -1, 0);
    CHECK(test::near(lowered_to_surface(surface, {0, 0, 0}, down, 0.1).y(), -0.02));
    CHECK(lowered_to_surface(surface, {0, 0, 0}, down, 0.01) == Vec3::Zero());
    const Vec3 within(0, -0.025, 0), aside(0.4, -1e-4, 0.4);
    CHECK(lowered_to_surface(surface, within, down, 0.1) == within);
    CHECK(lowered_to_surface(surface, aside, down, 0.1) == aside);
    std::vector<Vec3> places = {{-0.1, 0, 0}, {0.1, 0, 0}};
    CHECK(test::near(lower_to_surface(surface, down, 0.1, places).y(), -0.02));
    CHECK(std::abs(places[0].y() / -0.01 - 1.0) < 0.05);
}

TEST_CASE("a ball fits its own hollow, half fits a wider one and does not fit a flat bottom") {
    const double radius = 0.5, depth = 0.02;
    const PressCurve ball(cap_map(161, radius, 0.1), 0.1, 0.0);
    const auto fit = [&](auto&& share) {
        const TriMesh mesh = hollowed_slab(depth, share);
        const SurfaceQuery surface(mesh.points, mesh.triangles);
        return hollow_fit(surface, ball, {{0, -depth, 0}, {0, -1, 0}, {1, 0, 0}}, depth);
    };
    CHECK(fit([&](double r) { return ball_share(radius, depth, r); }) > 0.9);
    CHECK(test::near(fit([&](double r) { return ball_share(2.0 * radius, depth, r); }), 0.5, 0.1));
    CHECK(test::within(fit([&](double r) { return r < 0.3 ? 1.0 : 0.0; }), 0.0, 1e-5));
}
