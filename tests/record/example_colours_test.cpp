// SPDX-License-Identifier: MIT
#include <ductile/record/example_colours.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a place that has two poses lies between their colours and white") {
    const Vec3 rest = example_colour(Vec3::Zero());
    CHECK(rest.minCoeff() > 0.85);
    const Vec3 half = example_colour(0.5 * example_tint(0));
    CHECK((half - rest).norm() > 0.1);
    CHECK((half - example_colour(example_tint(0))).norm() > 0.1);
    for (std::size_t pose = 0; pose < 16; ++pose) {
        const Vec3 colour = example_colour(example_tint(pose));
        CHECK(colour.minCoeff() >= 0.0);
        CHECK(colour.maxCoeff() <= 1.0);
    }
    // Grey stays grey, white is white.
    CHECK((linear_from_oklab({1, 0, 0}) - Vec3::Ones()).norm() < 1e-3);
}

TEST_CASE("tints are sums by shares, and a shape at rest has none") {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface.points = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
    RecordedBody body;
    body.asset = asset;
    body.poses = {"crushed", "bent"};
    body.shapes.resize(2);
    body.shares = {{}, {51, 102, 0, 0}};
    CHECK(example_tints(body, 0).empty());
    CHECK(example_tints(body, 2).empty());
    const std::vector<Vec3> tints = example_tints(body, 1);
    REQUIRE(tints.size() == 2);
    CHECK((tints[0] - (0.2 * example_tint(0) + 0.4 * example_tint(1))).norm() < 1e-12);
    CHECK(tints[1] == Vec3::Zero());
}
