// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/repair/weld.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <numeric>

using namespace ductile;
using namespace ductile::test;

namespace {

std::vector<Vec3> points_to_weld(Rng& rng, int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random_vec(rng));
    return points;
}

// The promise, word by word: join the nearest earlier place within reach, or found one.
std::vector<std::int32_t> slow_weld(std::span<const Vec3> points, double tolerance) {
    std::vector<Vec3> places;
    std::vector<std::int32_t> place;
    for (const Vec3& p : points) {
        std::int32_t best = -1;
        double least = tolerance * tolerance;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double d = (places[i] - p).squaredNorm();
            if (d < least || (d == least && best < 0)) {
                least = d;
                best = static_cast<std::int32_t>(i);
            }
        }
        if (best < 0) {
            best = static_cast<std::int32_t>(places.size());
            places.push_back(p);
        }
        place.push_back(best);
    }
    return place;
}

}  // namespace

TEST_CASE("welding does what its slow definition does, at every density") {
    Rng rng(1);
    const std::vector<Vec3> points = points_to_weld(rng, 700);
    for (const double tolerance : {0.0, 1e-9, 0.01, 0.05, 0.2, 0.7, 3.0}) {
        const Weld weld = weld_points(points, tolerance);
        CHECK(weld.place == slow_weld(points, tolerance));
        for (std::size_t i = 0; i < points.size(); ++i) {
            REQUIRE((weld.points[weld.place[i]] - points[i]).norm() <= tolerance * (1 + 1e-12));
        }
    }
}

TEST_CASE("copies of a point meet and nothing else does") {
    Rng rng(2);
    const std::vector<Vec3> unique = points_to_weld(rng, 500);
    std::vector<Vec3> points;
    std::vector<std::int32_t> expected;
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < unique.size(); ++i) {
            points.push_back(unique[i]);
            expected.push_back(static_cast<std::int32_t>(i));
        }
    }
    for (const double tolerance : {0.0, 1e-9}) {
        const Weld weld = weld_points(points, tolerance);
        CHECK(weld.place == expected);
        CHECK(weld.points == unique);
    }
}

TEST_CASE("a chain of close points does not pull a thin wall together") {
    std::vector<Vec3> chain;
    for (int i = 0; i <= 100; ++i) chain.emplace_back(0.009 * i, 0, 0);
    const Weld weld = weld_points(chain, 0.01);
    CHECK(weld.points.size() > 40);
    for (std::size_t i = 1; i < weld.points.size(); ++i) {
        CHECK((weld.points[i] - weld.points[i - 1]).norm() > 0.01);
    }
}

TEST_CASE("points of two groups never meet") {
    const std::vector<Vec3> points(6, Vec3(1, 2, 3));
    const std::vector<std::int32_t> groups = {0, 1, 0, 1, 7, 0};
    CHECK(weld_points(points, 0.1, groups).place == std::vector<std::int32_t>{0, 1, 0, 1, 2, 0});
    CHECK(weld_points(points, 0.1).points.size() == 1);
}

TEST_CASE("welding twice changes nothing the second time") {
    Rng rng(3);
    const Weld once = weld_points(points_to_weld(rng, 2000), 0.1);
    const Weld twice = weld_points(once.points, 0.1);
    CHECK(twice.points == once.points);
}

TEST_CASE("welding gives the same bits on one thread and on four, near and far from the origin") {
    Rng rng(4);
    std::vector<Vec3> points = points_to_weld(rng, 20000);
    for (const double shift : {0.0, 1e6}) {
        for (Vec3& p : points) p.x() += shift;
        const auto welded_on = [&](int threads) {
            const ThreadLimit limit(threads);
            return weld_points(points, 0.02).place;
        };
        CHECK(welded_on(1) == welded_on(4));
    }
}

TEST_CASE("zero and minus zero are one place, and no points are no places") {
    const std::vector<Vec3> zeros = {Vec3(0.0, 1, 1), Vec3(-0.0, 1, 1), Vec3(0, 1, 2)};
    CHECK(weld_points(zeros, 0.0).place == std::vector<std::int32_t>{0, 0, 1});
    CHECK(weld_points({}, 1.0).place.empty());
}
