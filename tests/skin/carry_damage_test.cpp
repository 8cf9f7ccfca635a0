// SPDX-License-Identifier: MIT
#include <ductile/skin/carry_damage.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("a render vertex has the damage of the place it follows, a rider has none") {
    SurfaceAsset asset;
    asset.surface.points = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)};
    asset.surface.triangles = {{0, 1, 2}};
    asset.anchors = {SurfaceAnchor::on_point(1),
                     {{0, 1, 2}, Vec3(0.5, 0.25, 0.25)},
                     SurfaceAnchor::on_point(2),
                     {{2, 1, 0}, Vec3(0.0, 1.0, 0.0)}};
    asset.render.points.assign(4, Vec3::Zero());
    asset.render.parts = {
        {"door", -1, 0, 0, 0, 2}, {"lamp", -1, 0, 0, 2, 1}, {"roof", -1, 0, 0, 3, 1}};
    asset.riders = {{1, {0, 1}, {1.0, 1.0}}};
    const DamageMap surface{
        {0.4, 0.8, 1.2}, {1.0, 2.0, 4.0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 4)}};
    const DamageMap carried = carry_damage(asset, surface);
    REQUIRE(carried.depth.size() == 4);
    CHECK(carried.depth[0] == 0.8);
    CHECK(carried.scratch[0] == Vec3(0, 1, 0));
    CHECK(test::near(carried.depth[1], 0.7));
    CHECK(test::near(carried.strain[1], 2.0));
    CHECK((carried.scratch[1] - Vec3(0.5, 0.25, 1.0)).norm() < 1e-15);
    CHECK(carried.depth[2] == 0.0);
    CHECK(carried.strain[2] == 0.0);
    CHECK(carried.scratch[2] == Vec3::Zero());
    CHECK(carried.strain[3] == 2.0);
}
