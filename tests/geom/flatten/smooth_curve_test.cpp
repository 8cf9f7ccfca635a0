// SPDX-License-Identifier: MIT
#include <ductile/geom/flatten/smooth_curve.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

TEST_CASE("a smooth curve is the polyline away from its corners and rounds them off") {
    const SmoothCurve curve({{0, 0}, {1, 1}, {2, 0}}, 0.4);
    CHECK(test::near(curve(0.5), 0.5));
    CHECK(test::near(curve(1.7), 0.3));
    CHECK(test::near(curve(-1.0), -1.0));
    // At the corner the mean over the window: the tip of height 1 loses a quarter of its width.
    CHECK(test::near(curve(1.0), 1.0 - 0.4 / 4));
}

TEST_CASE("a smooth curve's slope never jumps") {
    const SmoothCurve curve({{0, 0}, {0.3, 1}, {0.5, -1}, {2, 0}}, 0.1);
    const double step = 1e-4;
    for (double x = -0.5; x < 2.5; x += step) {
        const double before = (curve(x) - curve(x - step)) / step;
        const double after = (curve(x + step) - curve(x)) / step;
        // Slopes change by at most their largest difference per window.
        REQUIRE(std::abs(after - before) < 1.01 * (10.0 + 1 / 0.3) * step / 0.1 + 1e-9);
    }
}

TEST_CASE("the distance to a polygon is that to a box, rounding included") {
    const Vec2 square[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const Vec2 turned[] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    for (double x = -2.05; x < 2.1; x += 0.3) {
        for (double y = -2.05; y < 2.1; y += 0.3) {
            const Vec2 out(std::abs(x) - 1, std::abs(y) - 1);
            const double exact = out.cwiseMax(0.0).norm() + std::min(out.maxCoeff(), 0.0) - 0.25;
            CHECK(test::within(polygon_distance(square, {x, y}, 0.25), exact, 1e-12));
            CHECK(test::within(polygon_distance(turned, {x, y}, 0.25), exact, 1e-12));
        }
    }
}
