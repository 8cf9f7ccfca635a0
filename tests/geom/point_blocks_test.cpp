// SPDX-License-Identifier: MIT
#include <ductile/geom/point_blocks.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <set>

using namespace ductile;

TEST_CASE("every point is visited once, with its own index") {
    Rng rng(5);
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 64u, 65u, 1000u}) {
        std::vector<Vec3> points(count);
        for (Vec3& p : points) p = test::random_vec(rng) + Vec3(100, 0, 0);
        const PointBlocks blocks(points);
        std::set<std::int32_t> seen;
        bool is_own = true;
        blocks.visit(
            [](const PointBlocks::Eight& e) {
                // Places that hold nothing are far from everything.
                unsigned bits = 0;
                for (int i = 0; i < 8; ++i)
                    bits |= static_cast<unsigned>(e.centre[0][i] < 1e6f) << i;
                return bits;
            },
            [&](std::int32_t i, const Vec3& p) {
                is_own = is_own && p == points[i];
                CHECK(seen.insert(i).second);
                return true;
            });
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
    std::size_t found = 0;
    blocks.visit(
        [&](const PointBlocks::Eight& e) {
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
        [&](std::int32_t i, const Vec3&) {
            found += i == 77;
            return true;
        });
    CHECK(found == 1);
}
