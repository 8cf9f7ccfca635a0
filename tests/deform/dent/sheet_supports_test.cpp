// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/sheet_supports.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("a box of sheet is held at its edges") {
    const auto box = solid(SolidKind::Box, Vec3(0.4, 0.4, 0.4), 0.02);
    const std::span<const Vec3> points = box->surface.points;
    const SheetSupports held = sheet_supports(points, box->surface.triangles, 0.69);
    for (std::size_t v = 0; v < points.size(); ++v) {
        // From the nearest edge of the face it lies on: the second largest of its coordinates.
        Vec3 from_wall = Vec3::Constant(0.2) - points[v].cwiseAbs();
        std::sort(from_wall.data(), from_wall.data() + 3);
        CHECK(held.distance[v] >= from_wall[1] - 0.03);
        CHECK(held.distance[v] <= 1.2 * from_wall[1] + 0.03);
    }
}

TEST_CASE("a ball of sheet is held nowhere, and as curved as it is") {
    const auto ball = solid(SolidKind::Sphere, Vec3::Constant(1.0), 0.05);
    const SheetSupports held =
        sheet_supports(ball->surface.points, ball->surface.triangles, std::sqrt(3.0));
    for (std::size_t v = 0; v < ball->surface.points.size(); ++v) {
        CHECK(held.distance[v] == kInfinity);
        CHECK(held.curvature[v] > 1.0);
        CHECK(held.curvature[v] < 4.0);
    }
}

TEST_CASE("facets of a ball lie as far below it as their edges say, those of a box not at all") {
    const auto ball = solid(SolidKind::Sphere, Vec3::Constant(2.0), 0.1);
    const auto& points = ball->surface.points;
    double mean = 0.0;
    for (const Triangle& t : ball->surface.triangles) {
        mean += 1.0 - ((points[t[0]] + points[t[1]] + points[t[2]]) / 3.0).norm();
    }
    mean /= static_cast<double>(ball->surface.triangles.size());
    CHECK(test::near(facet_height(points, ball->surface.triangles), mean, 0.3));
    const auto box = solid(SolidKind::Box, Vec3::Constant(1.0), 0.2);
    CHECK(facet_height(box->surface.points, box->surface.triangles) < 0.01);
}
