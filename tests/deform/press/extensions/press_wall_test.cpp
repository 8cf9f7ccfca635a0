// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_wall.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;

namespace {

/// A closed sheet of 4 cm under a ball of 50, which goes deeper in than the sheet is thick.
const TriMesh& thin_plate() {
    static const TriMesh plate =
        test::solid_mesh(SolidKind::Box, Vec3(1.6, 0.04, 1.6), 0.05, Vec3(0, -0.02, 0));
    return plate;
}

PressSetup upper_side(double wall) {
    PressSetup setup{.options = {.stiffness = 0.1, .extent = 0.4, .bulge = 0.0, .wall = wall}};
    std::vector<double> map;
    for (const Vec3& p : thin_plate().points) map.push_back(p.y() > -0.01 ? 1.0 : 0.0);
    setup.maps.region = PaintedMap{.values = map};
    return setup;
}

}  // namespace

TEST_CASE("the back of a thin plate goes along with its front") {
    const TriMesh ball =
        test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.5), 0.04, Vec3(0.003, 0.15, 0.002));
    const TriMesh& plate = thin_plate();
    const Pressed front = press_soft(plate, ball, upper_side(0.0)).value();
    REQUIRE(front.report.zones == 1);
    CHECK(front.report.fallbacks == 0);
    const Pressed both = press_soft(plate, ball, upper_side(0.09)).value();
    double lowest = 0.0, crossed = 0.0;
    for (std::size_t v = 0; v < plate.points.size(); ++v) {
        const bool is_front = plate.points[v].y() > -0.01;
        // What may be pressed is pressed alike; the rest stays, or goes along.
        if (is_front) {
            CHECK(both.points[v] == front.points[v]);
            continue;
        }
        CHECK(front.points[v] == plate.points[v]);
        lowest = std::min(lowest, both.points[v].y());
        test::raise_to(crossed, 0.25 - (both.points[v] - Vec3(0.003, 0.15, 0.002)).norm());
    }
    CHECK(lowest < -0.1);
    CHECK(crossed == 0.0);  // The back stays out of the ball, too.
}

TEST_CASE("regions that cannot be are refused by name") {
    PressSetup setup = upper_side(0.0);
    setup.maps.region->values.assign(thin_plate().points.size(), 0.0);
    CHECK(Presser::make(thin_plate(), setup).error().where == "maps/region");
    setup.maps.region->values.back() = 2.0;
    CHECK(Presser::make(thin_plate(), setup).error().where == "maps/region");
    CHECK(check(PressSetup{.options = {.wall = 0.1}}).error().where == "options/wall");
}

TEST_CASE("a region of ones changes no bit") {
    const TriMesh ball = test::ball_at(0.4, 3);
    PressSetup setup;
    setup.maps.region = PaintedMap{.values = std::vector<double>(ball.points.size(), 1.0)};
    CHECK(press_soft(ball, test::ground(), setup).value().points ==
          test::press(ball, test::ground()).points);
}
