// SPDX-License-Identifier: MIT
#include <ductile/deform/press/bulge/press_profile.h>
#include <ductile/deform/press/bulge/press_relief.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("relief is nothing at both ends, what was drawn or written between them") {
    const PressRelief drawn({.curve = {0.0, 1.0, 0.0}});
    const PressRelief written({.relief = "x + 0 * u"});
    CHECK(PressRelief({}).is_empty());
    for (const double u : {0.0, 1.0}) {
        CHECK(drawn.at(u, Vec3::Zero()) == 0.0);
        CHECK(written.at(u, Vec3::Ones()) == 0.0);
    }
    CHECK(test::near(drawn.at(0.5, Vec3::Zero()), 1.0));
    CHECK(test::near(written.at(0.5, Vec3(0.3, 9, 9)), 0.3));
    CHECK(PressRelief({.relief = "1 / (u - 0.5)"}).at(0.5, Vec3::Zero()) == 0.0);
}

TEST_CASE("relief moves what is around the contact, keeps the volume, and none changes no bit") {
    const TriMesh ball = test::ball_at(0.4, 4);
    const Pressed plain = test::press(ball, test::ground());
    CHECK(test::press(ball, test::ground(), {.relief = "0"}).points == plain.points);
    const Pressed waves = test::press(ball, test::ground(), {.relief = "0.2 * sin(40 * x)"});
    double most = 0.0, still = 0.0;
    for (std::size_t v = 0; v < ball.points.size(); ++v) {
        const bool is_still = plain.zone[v] >= 0 || plain.radial[v] >= 1.0;
        test::raise_to(is_still ? still : most, (waves.points[v] - plain.points[v]).norm());
    }
    CHECK(still == 0.0);
    CHECK(most > 0.005);
    CHECK(std::abs(waves.report.volume_change) < 1e-3 * waves.report.displaced_volume);
}

TEST_CASE("reliefs and curves that cannot be are refused by name") {
    CHECK(check(PressOptions{.relief = "1 +"}).error().where == "relief");
    CHECK(check(PressOptions{.relief = "w"}).error().where == "relief");
    CHECK(check(PressOptions{.curve = {0.1, std::nan("")}}).error().where == "curve");
    CHECK(check(PressOptions{.relief = "sin(u) * x", .curve = {0, 1, 0}}));
}

TEST_CASE("the paper's leg is as long on a steep side as on a flat one") {
    const PressProfiles paper({.leg = PressLeg::Paper}), rising({});
    // Flat: both alike. Steep: the paper's bends sooner, so it is lower a little further on.
    CHECK(test::near(PressProfile(1.0, 0.0, paper).at(0.1).still,
                     PressProfile(1.0, 0.0, rising).at(0.1).still));
    CHECK(PressProfile(1.0, 8.0, paper).at(0.1).still <
          PressProfile(1.0, 8.0, rising).at(0.1).still);
}
