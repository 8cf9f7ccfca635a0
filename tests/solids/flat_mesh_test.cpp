// SPDX-License-Identifier: MIT
#include <ductile/solids/flat_mesh.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <numbers>

using namespace ductile;

namespace {

double area(const FlatMesh& mesh, bool& is_upright) {
    double sum = 0.0;
    for (const Triangle& t : mesh.triangles) {
        const Vec2 u = mesh.points[t[1]] - mesh.points[t[0]];
        const Vec2 v = mesh.points[t[2]] - mesh.points[t[0]];
        const double twice = u.y() * v.x() - u.x() * v.y();
        is_upright = is_upright && twice > 0.0;
        sum += 0.5 * twice;
    }
    return sum;
}

// Area of the regular n-gon in a circle.
double ring_area(double radius, int n) {
    return 0.5 * n * radius * radius * std::sin(2 * std::numbers::pi / n);
}

}  // namespace

TEST_CASE("a disc with holes has the area that is left, before and after it is relaxed") {
    for (std::int32_t n : {40, 48, 64, 96, 120}) {
        CAPTURE(n);
        FlatMesh disc = flat_disc(1.0, n);
        const auto whole = disc.points;
        bool is_upright = true;
        CHECK(test::near(area(disc, is_upright), ring_area(1.0, n)));
        FlatHole large{Vec2(0.6, 0.0), 0.12, 24};
        FlatHole small{Vec2(-0.6, 0.05), 0.07, 12};
        const std::vector<FlatHole> cut = punch_holes(disc, {large, small});
        REQUIRE(cut.size() == 2);
        const double left = ring_area(1.0, n) - ring_area(0.12, 24) - ring_area(0.07, 12);
        CHECK(test::near(area(disc, is_upright), left));
        relax_flat(disc, n);
        CHECK(test::near(area(disc, is_upright), left));
        CHECK(is_upright);
        for (std::int32_t i = 0; i < n; ++i) CHECK(disc.points[i] == whole[i]);
        for (const FlatHole& hole : cut) {
            for (std::int32_t i = 0; i < hole.segments; ++i) {
                const Vec2 p = disc.points[hole.first_point + i];
                CHECK(test::near((p - hole.centre).norm(), hole.radius));
            }
        }
    }
}

TEST_CASE("a hole that does not fit is left out and changes nothing") {
    FlatMesh disc = flat_disc(1.0, 40);
    const FlatMesh before = disc;
    CHECK(punch_holes(disc, {{Vec2(3.0, 0.0), 0.1, 12}}).empty());
    CHECK(punch_holes(disc, {{Vec2(0.0, 0.0), 2.0, 12}}).empty());
    CHECK(disc.points == before.points);
    CHECK(disc.triangles == before.triangles);
}
