// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/geom/tri_mesh.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/slab.h>

#include <cmath>

using namespace ductile;

namespace {

DentHit downward(double depth, double radius) {
    DentHit hit;
    hit.depth = depth;
    hit.radius = radius;
    return hit;
}

}  // namespace

TEST_CASE("the profile is 1 in the middle, falls, and ends at the radius without a step") {
    CHECK(gaussian_profile(0.0, 0.2) == 1.0);
    CHECK(gaussian_profile(0.2, 0.2) == 0.0);
    CHECK(gaussian_profile(1e9, 0.2) == 0.0);
    CHECK(gaussian_profile(0.2 * (1 - 1e-9), 0.2) < 1e-8);
    for (int i = 0; i < 100; ++i) {
        CHECK(gaussian_profile(0.002 * i, 0.2) > gaussian_profile(0.002 * (i + 1), 0.2));
    }
    CHECK(gaussian_profile(std::nan(""), 0.2) == 0.0);
}

TEST_CASE("a dent is as deep as it says where it was struck, and nothing moves further") {
    const TriMesh mesh = slab(20, 1.0, 0.5);
    std::vector<Vec3> points = mesh.points;
    press_dent(points, mesh.points, downward(0.05, 0.3), 1.0);
    double deepest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 moved = points[i] - mesh.points[i];
        CHECK(moved.x() == 0.0);
        CHECK(moved.z() == 0.0);
        CHECK(moved.y() <= 0.0);
        const Vec3& p = mesh.points[i];
        if (std::hypot(p.x(), p.z()) >= 0.3) CHECK(moved.y() == 0.0);
        deepest = std::max(deepest, -moved.y());
    }
    CHECK(test::near(deepest, 0.05, 1e-12));
}

TEST_CASE("front never passes back, and front triangles go on facing the hit") {
    Rng rng(7);
    for (double thickness : {0.001, 0.01, 0.1}) {
        const TriMesh mesh = slab(24, 1.0, thickness);
        std::vector<Vec3> points = mesh.points;
        const std::size_t layer = points.size() / 2;
        for (int k = 0; k < 60; ++k) {
            const double depth = rng.uniform(0.01, 0.1), radius = rng.uniform(0.1, 0.4);
            DentHit hit = downward(depth, radius);
            hit.position_b = {rng.uniform(-0.4, 0.4), 0, rng.uniform(-0.4, 0.4)};
            hit.total_limit = 0.3;
            press_dent(points, mesh.points, hit, 1.0);
        }
        for (std::size_t i = 0; i < layer; ++i) {
            CHECK(points[i].y() > points[layer + i].y());
            CHECK((points[i] - mesh.points[i]).norm() <= 0.3);
        }
        for (const Triangle& t : mesh.triangles) {
            const double facing = area_vector(points, t).y();
            CHECK(test::near(facing, area_vector(mesh.points, t).y(), 1e-9));
        }
    }
}

TEST_CASE("a mirrored hit on a mirrored surface leaves the mirrored dent") {
    const TriMesh mesh = slab(17, 1.0, 0.2);
    DentHit hit = downward(0.04, 0.25);
    hit.position_b = {0.11, 0.02, -0.07};
    hit.direction_b = Vec3(0.3, -0.9, 0.1).normalized();
    std::vector<Vec3> points = mesh.points;
    press_dent(points, mesh.points, hit, 1.0);

    const auto mirror = [](Vec3 v) { return Vec3(-v.x(), v.y(), v.z()); };
    std::vector<Vec3> mirrored_rest;
    for (const Vec3& p : mesh.points) mirrored_rest.push_back(mirror(p));
    std::vector<Vec3> mirrored = mirrored_rest;
    hit.position_b = mirror(hit.position_b);
    hit.direction_b = mirror(hit.direction_b);
    press_dent(mirrored, mirrored_rest, hit, 1.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK((mirrored[i] - mirror(points[i])).norm() < 1e-15);
    }
}

TEST_CASE("no amount and no depth change nothing, bit for bit") {
    const TriMesh mesh = slab(8, 1.0, 0.2);
    std::vector<Vec3> points = mesh.points;
    press_dent(points, mesh.points, downward(0.04, 0.25), 0.0);
    press_dent(points, mesh.points, downward(0.0, 0.25), 1.0);
    CHECK(points == mesh.points);
}

TEST_CASE("several starts make the union of their dents, not their sum") {
    const TriMesh mesh = slab(40, 1.0, 0.5);
    DentHit hit = downward(0.03, 0.2);
    hit.starts = {{Vec3(-0.1, 0, 0)}, {Vec3(0.1, 0, 0)}, {Vec3(0.1, 0, 0)}};
    std::vector<Vec3> points = mesh.points;
    press_dent(points, mesh.points, hit, 1.0);
    double deepest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        deepest = std::max(deepest, (points[i] - mesh.points[i]).norm());
    }
    CHECK(test::near(deepest, 0.03, 1e-9));
}

TEST_CASE("the footprint counts places, not points") {
    const std::vector<Vec3> one = {Vec3(0, 0, 0)};
    const std::vector<Vec3> same(7, Vec3(0.1, 0, 0));
    const std::vector<Vec3> apart = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
    CHECK(footprint_count(one, 0.2) == 1.0);
    CHECK(test::near(footprint_count(same, 0.2), 1.0));
    CHECK(test::near(footprint_count(apart, 0.2), 3.0));
}
