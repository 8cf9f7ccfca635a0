// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_thin.h>
#include <ductile/deform/press/press.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <string>

using namespace ductile;

namespace {

struct PressedSheet {
    Pressed pressed;
    double lowest = 0.0;
};

/// A closed sheet, 4 cm thick and 0.9 m wide, its top at y = 0.02, under a ball of 0.5 m that went
/// `depth` below that.
PressedSheet press_sheet(double depth) {
    const TriMesh sheet =
        test::solid_mesh(SolidKind::Box, Vec3(0.9, 0.04, 0.9), 0.04, Vec3::Zero());
    const TriMesh ball = test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.5), 0.04,
                                          Vec3(0.003, 0.27 - depth, 0.002));
    PressedSheet sheet_now{test::press(sheet, ball)};
    for (const Vec3& p : sheet_now.pressed.points) {
        sheet_now.lowest = std::min(sheet_now.lowest, p.y());
    }
    return sheet_now;
}

bool says_back(const Pressed& pressed) {
    const auto& notes = pressed.report.notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
        return note.find("went along") != std::string::npos;
    });
}

}  // namespace

TEST_CASE("the back of a thin wall goes along where the contact is deeper than the wall") {
    for (const double depth : {0.05, 0.08, 0.12}) {
        CAPTURE(depth);
        const PressedSheet sheet = press_sheet(depth);
        CHECK(sheet.pressed.report.fallbacks == 0);
        CHECK(sheet.pressed.report.zones == 1);
        CHECK(says_back(sheet.pressed));
        // Below the ball, by less than the wall and more than a quarter of it.
        const double under = 0.02 - depth - sheet.lowest;
        CHECK(under > 0.01);
        CHECK(under < 0.041);
    }
}

TEST_CASE("the back of a wall that is pressed less than half through stays bit for bit") {
    const PressedSheet sheet = press_sheet(0.015);
    CHECK(sheet.pressed.report.zones == 1);
    CHECK_FALSE(says_back(sheet.pressed));
    CHECK(test::near(sheet.lowest, -0.02));
}

TEST_CASE("a rod through a thick body is still refused with its reason") {
    const TriMesh ball = test::ball_at(0.0, 3);
    const TriMesh rod =
        test::solid_mesh(SolidKind::Cylinder, Vec3(0.2, 2.0, 0.2), 0.06, Vec3(0.003, 0.2, 0.002));
    const Pressed pressed = test::press(ball, rod);
    CHECK(pressed.report.zones == 0);
    CHECK(pressed.report.fallbacks == 2);
    CHECK(pressed.points == ball.points);
}
