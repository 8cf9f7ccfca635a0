// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/repair/mend.h>
#include <ductile/geom/repair/simplify.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

// Furthest that a point of the fine surface lies from the coarse one.
double deviation(const TriMesh& fine, const TriMesh& coarse) {
    const SurfaceQuery query(coarse.points, coarse.triangles);
    double worst = 0.0;
    for (const Vec3& p : fine.points) raise_to(worst, query.closest_point(p).distance);
    return worst;
}

}  // namespace

TEST_CASE("a simplified torus has the points asked for, stays closed and near") {
    const TriMesh torus = torus_mesh(1.0, 0.3, 120, 60);
    const Simplified s = simplify_surface(torus.points, torus.triangles, {.points = 1000});
    CHECK(s.surface.points.size() <= 1000);
    CHECK(s.surface.points.size() > 800);
    CHECK(is_closed(s.surface.triangles));
    CHECK(deviation(torus, s.surface) < 0.02);
    CHECK(test::near(volume(s.surface.points, s.surface.triangles),
                     volume(torus.points, torus.triangles), 0.02));
    for (std::size_t i = 0; i < s.point_source.size(); ++i) {
        REQUIRE(s.surface.points[i] == torus.points[s.point_source[i]]);
    }
}

TEST_CASE("simplifying does not depend on where or how large a surface is") {
    TriMesh near = torus_mesh(1.0, 0.3, 60, 30);
    // Powers of two, so that only the exponent changes.
    TriMesh far = near;
    for (Vec3& p : far.points) p = 1024.0 * p;
    const SimplifyOptions options{.points = 500};
    CHECK(simplify_surface(near.points, near.triangles, options).surface.triangles ==
          simplify_surface(far.points, far.triangles, options).surface.triangles);
}

TEST_CASE("the rim of a sheet keeps its length, and an error limit stops in time") {
    const TriMesh plate =
        grid_mesh(60, 60, false, false, [](int i, int j) { return Vec3(i, 0, j); });
    const Simplified flat = simplify_surface(plate.points, plate.triangles, {.points = 200});
    const Box box = bounds(flat.surface.points);
    CHECK(box.lower == Vec3(0, 0, 0));
    CHECK(box.upper == Vec3(60, 0, 60));
    CHECK(flat.error < 1e-3);
    const TriMesh sphere = sphere_mesh(1.0, 5);
    const Simplified fine =
        simplify_surface(sphere.points, sphere.triangles, {.points = 8, .error_limit = 0.005});
    CHECK(fine.surface.points.size() > 100);
    CHECK(deviation(sphere, fine.surface) < 0.03);
}

TEST_CASE("nothing simplifies to nothing, and a mesh below the aim stays") {
    CHECK(simplify_surface({}, {}, {}).surface.triangles.empty());
    const TriMesh box = box_mesh({0, 0, 0}, {1, 2, 3});
    const Simplified s = simplify_surface(box.points, box.triangles, {.points = 100});
    CHECK(s.surface.triangles == box.triangles);
    CHECK(s.surface.points == box.points);
}

TEST_CASE("a dense surface is thinned out in pieces and stays closed, near and in one part" *
          doctest::test_suite("long")) {
    // Waves, so that pieces differ in what they can lose.
    TriMesh torus = torus_mesh(1.0, 0.3, 800, 250);
    for (Vec3& p : torus.points) p.y() += 0.02 * std::sin(25.0 * p.x()) * (p.z() > 0 ? p.z() : 0.0);
    for (const std::int32_t aim : {20'000, 12'000}) {
        const Simplified s = simplify_surface(torus.points, torus.triangles, {.points = aim});
        CHECK(s.surface.points.size() <= 1.01 * aim);
        CHECK(s.surface.points.size() > 0.9 * aim);
        const Mended mended = mend_surface(s.surface.points, s.surface.triangles);
        CHECK(is_closed(mended.surface.triangles));
        CHECK(mended.components[0].triangles >
              0.99 * static_cast<double>(s.surface.triangles.size()));
        // Meeting the surface at its points, chords of length h stray by about h^2 / 8 of a bend;
        // fewer points by so much more.
        CHECK(deviation(torus, s.surface) < 50.0 / aim);
        CHECK(test::near(volume(s.surface.points, s.surface.triangles),
                         volume(torus.points, torus.triangles), 20.0 / aim));
        for (std::size_t i = 0; i < s.point_source.size(); ++i) {
            REQUIRE(s.surface.points[i] == torus.points[s.point_source[i]]);
        }
        const ThreadLimit alone(1);
        CHECK(simplify_surface(torus.points, torus.triangles, {.points = aim}).surface.triangles ==
              s.surface.triangles);
    }
}

TEST_CASE("the rim and the corners of a dense sheet stay") {
    const TriMesh plate =
        grid_mesh(300, 300, false, false, [](int i, int j) { return Vec3(i, 0, j); });
    const Simplified flat = simplify_surface(plate.points, plate.triangles, {.points = 12'000});
    const Box box = bounds(flat.surface.points);
    CHECK(box.lower == Vec3(0, 0, 0));
    CHECK(box.upper == Vec3(300, 0, 300));
    CHECK(flat.surface.points.size() < 13'000);
    double area = 0.0;
    for (const Triangle& t : flat.surface.triangles) {
        area += 0.5 * area_vector(flat.surface.points, t).norm();
    }
    CHECK(test::near(area, 90'000.0, 1e-9));
}
