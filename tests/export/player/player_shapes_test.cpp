// SPDX-License-Identifier: MIT
#include <ductile/export/player/player_shapes.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

/// With which a step is a thousandth [m].
const double kError = 0.5e-3 * std::sqrt(3.0);

/// A fan of ten triangles: twelve points, each a place of its own.
std::shared_ptr<const SurfaceAsset> fan() {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface.points.emplace_back(0, 0, 0);
    for (std::int32_t i = 0; i < 11; ++i) {
        asset->surface.points.emplace_back(std::cos(0.1 * i), 0, -std::sin(0.1 * i));
        if (i > 0) asset->surface.triangles.push_back({0, i, i + 1});
    }
    asset->render.points = asset->surface.points;
    asset->render.triangles = asset->surface.triangles;
    asset->render.normals.assign(12, Vec3::UnitY());
    asset->render.looks = {Look{}};
    asset->render.triangle_looks.assign(10, 0);
    for (std::int32_t v = 0; v < 12; ++v) asset->anchors.push_back(SurfaceAnchor::on_point(v));
    return asset;
}

Result<PlayerShapes> coded(const Recording& recording, double error = kError) {
    const auto& asset = recording.bodies[0].asset;
    return code_shapes(recording, 0, RenderSkin(asset), vertex_places(*asset), error);
}

/// A recording that shows shapes of one body, one per frame.
Recording shown(const std::shared_ptr<const SurfaceAsset>& asset,
                std::vector<std::vector<Vec3>> shapes) {
    Recording r = sample::still({asset}, static_cast<int>(shapes.size()));
    r.bodies[0].shapes = std::move(shapes);
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        r.frames[f].bodies[0].shape = static_cast<std::int32_t>(f);
    }
    return r;
}

}  // namespace

TEST_CASE("a shape's code holds runs of places, then differences of whole steps, axis by axis") {
    const auto asset = fan();
    std::vector<Vec3> moved = asset->surface.points;
    moved[2].x() += 0.003;
    moved[4].y() -= 0.002;
    moved[10].z() += 0.001;
    std::vector<Vec3> further = moved;
    further[10].z() += 0.001;
    const Result<PlayerShapes> made = coded(shown(asset, {moved, further}));
    REQUIRE(made.ok());
    CHECK(test::near(made.value().step, 0.001));
    CHECK(test::near(made.value().reach, 0.003));
    REQUIRE(made.value().codes.size() == 2);
    // Two runs: 3 places after 2 skipped, the one between them included; 1 after 5 more. A number n
    // of either sign is 2 n, or -2 n - 1 below 0.
    CHECK(made.value().codes[0] == std::string("\2\2\3\5\1"
                                               "\6\5\0\0"
                                               "\0\0\3\4"
                                               "\0\0\0\2",
                                               17));
    // The next is told from the one before: place 10 alone, by one step.
    CHECK(made.value().codes[1] == std::string("\1\12\1\0\0\2", 6));
}

TEST_CASE("every sixteenth shape stands for itself") {
    const auto asset = fan();
    Rng rng(3);
    std::vector<std::vector<Vec3>> shapes(kPlayerKeyInterval + 2, asset->surface.points);
    for (std::vector<Vec3>& shape : shapes) {
        for (Vec3& p : shape) p += rng.uniform(0, 0.1) * sample::random_direction(rng);
    }
    const std::vector<std::string> codes = coded(shown(asset, shapes)).value().codes;
    REQUIRE(codes.size() == shapes.size());
    for (const std::size_t s : {std::size_t{0}, std::size_t{1}, kPlayerKeyInterval}) {
        const std::string alone = coded(shown(asset, {shapes[s]})).value().codes[0];
        CHECK((codes[s] == alone) == (s % kPlayerKeyInterval == 0));
    }
}

TEST_CASE("shapes are listed where they change while the body is there, and rest is none") {
    const auto asset = fan();
    std::vector<Vec3> moved = asset->surface.points;
    moved[3].y() += 0.01;
    Recording r = shown(asset, {asset->surface.points, moved});
    const auto frame = [&](bool is_present, std::int32_t shape) {
        r.frames.push_back({static_cast<double>(r.frames.size()), {BodyFrame()}});
        r.frames.back().bodies[0].is_present = is_present;
        r.frames.back().bodies[0].shape = shape;
    };
    r.frames.clear();
    frame(false, 1);
    frame(true, 0);
    frame(true, 1);
    frame(false, 0);
    frame(true, 1);
    frame(true, 0);
    using Changes = std::vector<std::pair<std::size_t, std::int32_t>>;
    CHECK(coded(r).value().changes == Changes{{1, -1}, {2, 0}, {5, -1}});
    // So far that its steps fit into no 32 bits.
    r.bodies[0].shapes[1][3].y() = 1e9;
    CHECK_FALSE(coded(r).ok());
    CHECK(coded(r, 1e3).ok());
}
