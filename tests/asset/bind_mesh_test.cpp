// SPDX-License-Identifier: MIT
#include <ductile/asset/bind_mesh.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("vertices follow the nearest place, as a search without any bound finds it") {
    Rng rng(1);
    const TriMesh surface = torus_mesh(1.0, 0.3, 24, 12);
    const SurfaceQuery query(surface.points, surface.triangles);
    std::vector<Vec3> points, normals;
    for (int i = 0; i < 1000; ++i) {
        points.push_back(random_vec(rng, 1.5));
        const SurfacePoint at = query.closest_point(points.back());
        normals.push_back(area_vector(surface.points, surface.triangles[at.triangle]).normalized());
    }
    const std::vector<SurfaceAnchor> anchors = bind_mesh(points, normals, surface);
    for (std::size_t v = 0; v < points.size(); ++v) {
        const SurfacePoint at = query.closest_point(points[v]);
        REQUIRE((anchored_place(anchors[v], surface.points) - at.position).norm() < 1e-12);
    }
}

TEST_CASE("both sides of a thin wall follow their own") {
    const double thin = 0.01;
    const TriMesh wall = box_mesh({0, 0, 0}, {1, thin, 1});
    // Sunk past the middle of the wall: the nearest side is the wrong one.
    const std::vector<Vec3> points = {Vec3(0.4, 0.3 * thin, 0.6), Vec3(0.4, 0.7 * thin, 0.6)};
    const std::vector<Vec3> normals = {Vec3::UnitY(), -Vec3::UnitY()};
    const std::vector<SurfaceAnchor> anchors = bind_mesh(points, normals, wall);
    CHECK(test::near(anchored_place(anchors[0], wall.points).y(), thin));
    CHECK(test::within(anchored_place(anchors[1], wall.points).y(), 0.0, 1e-9 * thin));
}

TEST_CASE("vertices follow their own part, or any where it has no surface") {
    const TriMesh near = box_mesh({0, 0, 0}, {1, 1, 1}), far = box_mesh({5, 0, 0}, {6, 1, 1});
    const TriMesh surface = together(near, far);
    std::vector<std::int32_t> part(24, 0);
    std::fill(part.begin() + 12, part.end(), 2);
    const std::vector<Vec3> points(3, Vec3(1.1, 0.5, 0.5)), normals(3, Vec3::UnitX());
    const std::vector<std::int32_t> of_vertex = {0, 2, 1};
    const std::vector<SurfaceAnchor> anchors =
        bind_mesh(points, normals, surface, {of_vertex, part});
    CHECK(test::near(anchored_place(anchors[0], surface.points).x(), 1.0));
    CHECK(anchored_place(anchors[1], surface.points).x() >= 5.0 - 1e-12);
    CHECK(test::near(anchored_place(anchors[2], surface.points).x(), 1.0));
}

TEST_CASE("a rider holds on to what is beneath it, and to something wherever it is") {
    const TriMesh ball = sphere_mesh(1.0, 4);
    const SurfaceQuery query(ball.points, ball.triangles);
    const TriMesh lamp =
        placed(box_mesh({-.1, -.1, -.1}, {.1, .1, .1}), {Quat::Identity(), Vec3(0, 0, 1)});
    const Rider rider = make_rider(3, lamp.points, query);
    CHECK(rider.part == 3);
    CHECK(rider.points.size() >= 3);
    for (const std::int32_t p : rider.points) CHECK((ball.points[p] - Vec3(0, 0, 1)).norm() < 0.35);
    for (const double w : rider.weights) CHECK((w > 0 && w <= 1.0));
    const Rider distant = make_rider(0, std::vector<Vec3>{Vec3(0, 0, 100)}, query);
    CHECK(distant.points.size() >= 3);
}
