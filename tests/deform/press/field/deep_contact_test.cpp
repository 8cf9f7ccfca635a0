// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a ball far into a soft one leaves no fold, no crossing and no torn edge") {
    const TriMesh soft =
        test::solid_mesh(SolidKind::Sphere, Vec3::Ones(), 0.04, Vec3(0.002, 0.0, 0.003));
    const Presser presser = Presser::make(soft).value();
    for (const double height : {0.5, 0.45, 0.4, 0.35, 0.3}) {
        CAPTURE(height);
        const PressRigid rigid =
            PressRigid::make(
                test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.5), 0.04, Vec3(0, height, 0)))
                .value();
        Pressed pressed = presser.press(soft.points, rigid).value();
        presser.measure(soft.points, rigid, {}, pressed);
        CHECK(pressed.report.fallbacks == 0);
        CHECK(pressed.report.left->folds == 0);
        CHECK(pressed.report.left->self_crossings == 0);
        CHECK(pressed.report.left->worst_stretch < 3.5);
        CHECK(std::abs(pressed.report.volume_change) < 1e-5 * pressed.report.displaced_volume);
    }
}
