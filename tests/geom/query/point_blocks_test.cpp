// SPDX-License-Identifier: MIT
#include <ductile/geom/query/point_blocks.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <set>

using namespace ductile;

TEST_CASE("every point is in a block, once") {
    Rng rng(5);
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 64u, 65u, 1000u}) {
        std::vector<Vec3> points(count);
        for (Vec3& p : points) p = test::random_vec(rng) + Vec3(100, 0, 0);
        const PointBlocks blocks(points);
        std::vector<std::int32_t> found;
        blocks.collect(
            [](const PointBlocks::EightBoxes& e) {
                // Places that hold nothing are far from everything.
                unsigned bits = 0;
                for (int i = 0; i < 8; ++i)
                    bits |= static_cast<unsigned>(e.centre[0][i] < 1e6f) << i;
                return bits;
            },
            found);
        CHECK(found.size() == (count + 7) / 8);
        std::set<std::int32_t> seen;
        bool is_own = true;
        for (const std::int32_t b : found) {
            for (int i = 0; i < 8; ++i) {
                const Vec3 at(blocks.block(b)[0][i], blocks.block(b)[1][i], blocks.block(b)[2][i]);
                if (at.x() > 1e6) continue;
                const std::int32_t p = blocks.index(b, i);
                CHECK(seen.insert(p).second);
                const Vec3 off = at + blocks.origin() - points[p];
                is_own = is_own && off.cwiseAbs().maxCoeff() <= blocks.slack();
            }
        }
        CHECK(seen.size() == count);
        CHECK(is_own);
    }
}

TEST_CASE("boxes hold their points, to the stated slack") {
    Rng rng(6);
    std::vector<Vec3> points(500);
    for (Vec3& p : points) p = 3.0 * test::random_vec(rng) - Vec3(0, 1e4, 0);
    const PointBlocks blocks(points);
    const Vec3 asked = points[77];
    std::vector<std::int32_t> found;
    blocks.collect(
        [&](const PointBlocks::EightBoxes& e) {
            unsigned bits = 0;
            for (int i = 0; i < 8; ++i) {
                bool holds = true;
                for (int k = 0; k < 3; ++k) {
                    const double at = asked[k] - blocks.origin()[k];
                    holds = holds && std::abs(static_cast<double>(e.centre[k][i]) - at) <=
                                         static_cast<double>(e.half[k][i]) + blocks.slack();
                }
                bits |= static_cast<unsigned>(holds) << i;
            }
            return bits;
        },
        found);
    CHECK(found.size() < 8);
    std::size_t times = 0;
    for (const std::int32_t b : found) {
        for (int i = 0; i < 8; ++i) {
            const bool is_there = blocks.block(b)[0][i] < 1e6f;
            times += is_there && blocks.index(b, i) == 77;
        }
    }
    CHECK(times == 1);
}

TEST_CASE("Morton's curve takes each point once, a line in its order and equal points in theirs") {
    std::vector<Vec3> points;
    for (int i = 0; i < 600; ++i) points.emplace_back(0.25 * ((i * 7) % 200), 2.0, -1.0);
    const std::vector<std::int32_t> order = morton_order(points);
    REQUIRE(order.size() == points.size());
    CHECK(std::set<std::int32_t>(order.begin(), order.end()).size() == points.size());
    bool is_sorted = true;
    for (std::size_t k = 1; k < order.size(); ++k) {
        const double step = points[order[k]].x() - points[order[k - 1]].x();
        is_sorted = is_sorted && (step > 0 || (step == 0 && order[k] > order[k - 1]));
    }
    CHECK(is_sorted);
    CHECK(morton_order({}).empty());
}
