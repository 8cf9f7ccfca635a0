// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_law.h>
#include <ductile/deform/shell/shell_striker.h>

#include <deform/shell/shell_sheet.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <vector>

using namespace ductile;
using namespace ductile::test;

namespace {

// The front of a car as a box open to the back: a face of 1.5 x 0.7 m and its sides, in strips.
std::vector<SweptPlace> car_front(double length) {
    std::vector<SweptPlace> places;
    const int strips = 100;
    places.push_back({0.0, 1.5 * 0.7, 0.0});
    for (int i = 0; i < strips; ++i) {
        places.push_back({length * (i + 0.5) / strips, 0.0, 2 * (1.5 + 0.7) * length / strips});
    }
    return places;
}

CrushStrength car_strength() {
    CrushStrength strength;
    strength.sheet.thickness = 0.003;
    strength.sheet.span = 0.4;
    strength.panel = 0.7;
    return strength;
}

}  // namespace

TEST_CASE("cars of 1 to 1.5 t crush by 0.4 to 0.7 m in a barrier test at 15.6 m/s") {
    for (const double mass : {1000.0, 1250.0, 1500.0}) {
        const double energy = 0.5 * mass * 15.6 * 15.6 * (1.0 - 0.2 * 0.2);
        const CrushDepth crush = crush_depth(car_front(1.5), car_strength(), energy, 2.0);
        CHECK(!crush.is_limited);
        CHECK(crush.depth > 0.4);
        CHECK(crush.depth < 0.7);
        CHECK(test::near(crush.work, energy));
    }
}

TEST_CASE("more energy crushes deeper, without jumps, up to the limit") {
    const std::vector<SweptPlace> places = car_front(1.5);
    double before = 0.0;
    for (double energy = 1.0; energy < 1e6; energy *= 1.05) {
        const CrushDepth crush = crush_depth(places, car_strength(), energy, 0.8);
        CHECK(crush.depth >= before);
        CHECK(crush.depth - before < 0.08 * crush.depth + 0.01);
        CHECK(crush.depth <= 0.8);
        CHECK(crush.work <= energy * (1.0 + 1e-12));
        CHECK(crush.is_limited == (crush.work < energy * (1.0 - 1e-12)));
        before = crush.depth;
    }
    CHECK(test::near(before, 0.8));
    CHECK(crush_depth(places, car_strength(), 0.0, 0.8).depth == 0.0);
    CHECK(crush_depth({}, car_strength(), 100.0, 0.8).depth > 0.0);
}

TEST_CASE("folding costs what a square tube takes, over its panels") {
    const double force = 13.06 * 250e6 * 0.002 * 0.002 * std::cbrt(0.1 / 0.002);
    CHECK(test::near(fold_energy(250e6, 0.002, 0.1), force / (4 * 0.1)));
    CHECK(test::near(fold_energy(250e6, 0.004, 0.1) / fold_energy(250e6, 0.002, 0.1),
                     std::pow(2.0, 5.0 / 3.0)));
}

TEST_CASE("two stiffnesses of a penalty spring give a rebound of the root of their ratio") {
    // Section 4: K / d pushes apart, K on the way in and epsilon K on the way out (equation 3).
    for (const double epsilon : {0.04, 0.0225, 0.01, 0.5}) {
        const double stiffness = 1e3, mass = 2.0, dt = 1e-6;
        double x = 0.0, v = 3.0, approach = stiffness;
        do {
            v -= approach * x / mass * dt;
            if (v < 0) approach = epsilon * stiffness;
            x += v * dt;
        } while (x > 0);
        CHECK(test::near(-v / 3.0, std::sqrt(epsilon), 0.01));
    }
}

TEST_CASE("a striker's front is met along its way, as its shape has it") {
    const ShellSheet sheet(8);
    StrikerMap ball(sheet.impact(Vec3(0.1, 0, 0.05)), -Vec3::UnitY(), bounds(sheet.mesh.points),
                    2.83);
    CHECK(test::within(ball.gap(Vec3(0.1, 0, 0.05)), 0.0, 0.01 * 0.25));
    // Half its radius aside a ball of 0.25 is 0.0335 further off.
    CHECK(test::near(ball.gap(Vec3(0.225, 0, 0.05)), 0.0335, 0.1));
    CHECK(test::near(ball.gap(Vec3(0.225, 0, 0.05), 0.1), -0.0665, 0.1));
    CHECK(ball.gap(Vec3(0.9, 0, 0.05)) == kInfinity);
    const std::vector<Vec3> lower = {Vec3(0.1, -0.4, 0.05), Vec3(0.9, 0, 0)};
    CHECK(ball.touch(lower, 0.1));
    CHECK(test::within(ball.gap(lower[0]), 0.0, 1e-9 * 0.25));
    CHECK(!ball.touch(std::vector<Vec3>{Vec3(0.9, 0, 0)}, 0.1));
    const StrikerMap wall(Vec3::UnitX(), Vec3(-1, 0, 0));
    CHECK(test::near(wall.gap(Vec3(0.5, 3, 7)), 1.5));
}

TEST_CASE("points on the edge of the body are met, whatever the last digits of the way") {
    const ShellSheet sheet(8);
    const Box box = bounds(sheet.mesh.points);
    for (int i = 0; i < 200; ++i) {
        const Vec3 way = Vec3(0.001 * i, -1, 0.0007 * i).normalized();
        const StrikerMap ball(sheet.impact(Vec3(1, 0, 1)), way, box, 2.83);
        CAPTURE(i);
        REQUIRE(std::isfinite(ball.gap(Vec3(1, 0, 1))));
    }
}

TEST_CASE("an impact drives along its velocity, within the cone of friction") {
    const ShellSheet sheet(8);
    CHECK(push_direction(sheet.impact(Vec3::Zero()), 0.4) == -Vec3::UnitY());
    const Vec3 leaning = push_direction(sheet.impact(Vec3::Zero(), Vec3(2, -10, 0)), 0.4);
    CHECK((leaning - Vec3(2, -10, 0).normalized()).norm() < 1e-12);
    const Vec3 glancing = push_direction(sheet.impact(Vec3::Zero(), Vec3(20, -10, 0)), 0.4);
    CHECK((glancing - Vec3(0.4, -1, 0).normalized()).norm() < 1e-12);
    CHECK(
        (push_direction(sheet.impact(Vec3::Zero(), Vec3(20, -10, 0)), 0.0) + Vec3::UnitY()).norm() <
        1e-12);
}
