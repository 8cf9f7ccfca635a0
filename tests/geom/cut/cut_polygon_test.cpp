// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/cut/cut_polygon.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <chrono>
#include <cmath>
#include <numeric>

using namespace ductile;

namespace {

double area_of(std::span<const Vec3> corners, std::span<const Triangle> triangles) {
    double sum = 0.0;
    for (const Triangle& t : triangles) sum += 0.5 * area_vector(corners, t).norm();
    return sum;
}

double outline_area(std::span<const Vec3> corners) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        sum += corners[i].cross(corners[(i + 1) % corners.size()]);
    }
    return 0.5 * sum.norm();
}

// A star with `tips` tips in a tilted plane.
std::vector<Vec3> star(int tips, double inner) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 2 * tips; ++i) {
        const double radius = i % 2 == 0 ? 1.0 : inner;
        const double angle = kPi * i / tips;
        const double x = radius * std::cos(angle), y = radius * std::sin(angle);
        corners.emplace_back(x, y, 0.3 * x - 0.2 * y);
    }
    return corners;
}

std::vector<Triangle> cut_outline(std::span<const Vec3> corners) {
    PolygonCutter cutter;
    const std::span<const Triangle> found = cutter.cut(corners);
    return {found.begin(), found.end()};
}

}  // namespace

TEST_CASE("triangles of a polygon cover it once, convex or not") {
    for (const int tips : {3, 5, 8, 40}) {
        for (const double inner : {0.1, 0.5, 0.999}) {
            std::vector<Vec3> corners = star(tips, inner);
            CAPTURE(tips);
            CAPTURE(inner);
            for (int mirrored = 0; mirrored < 2; ++mirrored) {
                const std::vector<Triangle> triangles = cut_outline(corners);
                CHECK(triangles.size() == corners.size() - 2);
                CHECK(test::near(area_of(corners, triangles), outline_area(corners)));
                for (Vec3& p : corners) p.x() = -p.x();
            }
        }
    }
}

TEST_CASE("a concave quad is cut inside, a convex one along its shorter diagonal") {
    const std::vector<Vec3> dart{{0, 0, 0}, {2, 1, 0}, {0.5, 1, 0}, {0.2, 4, 0}};
    CHECK(test::near(area_of(dart, cut_outline(dart)), outline_area(dart)));
    std::vector<Vec3> turned(dart);
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    CHECK(test::near(area_of(turned, cut_outline(turned)), outline_area(dart)));
    const std::vector<Vec3> kite{{0, 0, 0}, {1, -0.2, 0}, {4, 0, 0}, {1, 0.2, 0}};
    CHECK(cut_outline(kite)[0] == Triangle{0, 1, 3});
    const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    CHECK(cut_outline(square)[0] == Triangle{0, 1, 2});
}

TEST_CASE("a bridge to a hole is followed") {
    // A square ring: outside counter-clockwise, across the bridge, the hole clockwise, and back.
    const std::vector<Vec3> corners{{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0},
                                    {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}};
    CHECK(test::near(area_of(corners, cut_outline(corners)), 8.0));
}

TEST_CASE("the size of a polygon does not matter") {
    // Powers of two, which no rounding blurs.
    for (const double scale : {0x1p-1000, 0x1p-100, 1.0, 0x1p100, 0x1p500}) {
        CAPTURE(scale);
        std::vector<Vec3> corners = star(7, 0.4);
        const std::vector<Triangle> wanted = cut_outline(corners);
        for (Vec3& p : corners) p *= scale;
        CHECK(cut_outline(corners) == wanted);
    }
}

TEST_CASE("corners in any disorder are cut into as many triangles, in bounded time") {
    Rng rng(7);
    std::vector<Vec3> corners;
    for (int i = 0; i < 30000; ++i) {
        corners.push_back({rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0});
    }
    PolygonCutter cutter;
    const auto began = std::chrono::steady_clock::now();
    CHECK(cutter.cut(corners).size() == corners.size() - 2);
    CHECK(cutter.cut(corners).size() == corners.size() - 2);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    CHECK(took.count() < 60.0);
    CHECK(cutter.cut(std::vector<Vec3>(100, Vec3(1, 2, 3))).size() == 98);
}
