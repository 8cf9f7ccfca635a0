// SPDX-License-Identifier: MIT
#include <ductile/geom/skin_frame.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <limits>

using namespace ductile;

namespace {

SkinFrame random_frame(Rng& rng) {
    const Quat turn = test::random_rotation(rng);
    return {turn.toRotationMatrix(), test::random_vec(rng)};
}

}  // namespace

TEST_CASE("frames one after the other take a point where their product takes it") {
    Rng rng(6);
    for (int i = 0; i < 100; ++i) {
        const SkinFrame first = random_frame(rng), then = random_frame(rng);
        const Vec3 p = test::random_vec(rng);
        CHECK(((then * first).point(p) - then.point(first.point(p))).norm() < 1e-14);
        CHECK(first * SkinFrame{} == first);
    }
}

TEST_CASE("the nearest rotation of a stretched one is that one, and of nonsense none at all") {
    Rng rng(7);
    for (int i = 0; i < 100; ++i) {
        const Mat3 turn = random_frame(rng).linear;
        const Vec3 factors{rng.uniform(0.5, 2), rng.uniform(0.5, 2), rng.uniform(0.5, 2)};
        const Mat3 stretch = factors.asDiagonal();
        CHECK((nearest_rotation(turn * stretch) - turn).norm() < 1e-12);
    }
    Mat3 broken = Mat3::Identity();
    broken(1, 2) = std::numeric_limits<double>::quiet_NaN();
    CHECK(nearest_rotation(broken) == Mat3::Identity());
    CHECK_FALSE(is_finite(SkinFrame{.linear = broken}));
}

TEST_CASE("points that turn alike turn so on the whole, and without frames nothing turns") {
    Rng rng(8);
    const SkinFrame frame = random_frame(rng);
    const std::vector<SkinFrame> frames(5, frame);
    const std::vector<std::int32_t> points = {0, 2, 4};
    CHECK((mean_turn(frames, points) - frame.linear).norm() < 1e-12);
    CHECK(mean_turn({}, points) == Mat3::Identity());
}
