// SPDX-License-Identifier: MIT
#include <ductile/skin/vertex_weights.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("vertices have the weights of the place they follow, riders those of what carries them") {
    SurfaceAsset asset;
    asset.surface.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    asset.surface.triangles = {{0, 1, 2}};
    asset.render.points.resize(3);
    asset.render.parts = {{"body", -1, 0, 0, 0, 2}, {"lamp", -1, 0, 0, 2, 1}};
    asset.anchors = {
        SurfaceAnchor::on_point(1), {{0, 1, 2}, Vec3(0.5, 0.25, 0.25)}, SurfaceAnchor::on_point(0)};
    asset.riders = {{1, {1, 2}, {1.0, 3.0}}};
    SkinWeights surface;
    surface.start = {0, 1, 3, 4};
    surface.handle = {0, 0, 1, 1};
    surface.weight = {1.0, 0.5, 0.5, 1.0};
    const SkinWeights out = vertex_weights(asset, surface);
    REQUIRE(out.size() == 3);
    CHECK(out.handles_of(0).size() == 2);
    CHECK(test::near(out.weights_of(1)[0], 0.625));
    CHECK(test::near(out.weights_of(1)[1], 0.375));
    CHECK(test::near(out.weights_of(2)[0], 0.125));
    for (std::size_t v = 0; v < 3; ++v) {
        CHECK(test::near(out.weights_of(v)[0] + out.weights_of(v)[1], 1.0));
    }
}
