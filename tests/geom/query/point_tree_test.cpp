// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/query/point_tree.h>
#include <ductile/geom/tri_mesh.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <memory>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

std::vector<Vec3> random_points(Rng& rng, int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random_vec(rng, 1.0));
    return points;
}

bool same(const Box& a, const Box& b) { return a.lower == b.lower && a.upper == b.upper; }

}  // namespace

TEST_CASE("every point is in one leaf, and leaves are small") {
    Rng rng(1);
    for (const int count : {0, 1, 31, 32, 33, 1000, 20'000}) {
        std::vector<Vec3> points = random_points(rng, count);
        // Many at one place: ties must not keep the halving from ending.
        for (int i = 0; i < count / 2; ++i) points[i] = Vec3(0.25, 0.5, 0.125);
        const PointTree tree(points);
        std::vector<int> seen(count, 0);
        for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
            if (!tree.nodes()[n].is_leaf()) continue;
            const auto leaf = static_cast<std::int32_t>(n);
            const std::span<const std::int32_t> held = tree.points_of(leaf);
            CHECK(held.size() <= PointTree::kLeafSize);
            CHECK(std::is_sorted(held.begin(), held.end()));
            for (const std::int32_t v : held) {
                ++seen[v];
                CHECK(tree.leaf_of(v) == leaf);
            }
        }
        CHECK(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
    }
}

TEST_CASE("boxes refitted in places are those made anew") {
    Rng rng(2);
    std::vector<Vec3> points = random_points(rng, 5'000);
    const auto shared = std::make_shared<const PointTree>(points);
    const PointTree& tree = *shared;
    PointBoxes boxes(shared, points);
    for (int round = 0; round < 30; ++round) {
        std::set<std::int32_t> leaves;
        for (int i = 0; i < 40; ++i) {
            const auto v = static_cast<std::int32_t>(rng.uniform() * 5'000);
            points[v] = random_vec(rng, 1.0 + 0.1 * round);
            leaves.insert(tree.leaf_of(v));
        }
        boxes.refit(points, std::vector<std::int32_t>(leaves.begin(), leaves.end()));
        const PointBoxes anew(shared, points);
        for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
            const auto node = static_cast<std::int32_t>(n);
            REQUIRE(same(boxes.box(node), anew.box(node)));
        }
    }
}

TEST_CASE("no point in a box is missed, and few leaves are visited in vain") {
    Rng rng(3);
    const std::vector<Vec3> points = random_points(rng, 20'000);
    const auto shared = std::make_shared<const PointTree>(points);
    const PointTree& tree = *shared;
    const PointBoxes boxes(shared, points);
    for (int round = 0; round < 50; ++round) {
        Box asked;
        const Vec3 centre = random_vec(rng, 1.0);
        asked.add(Vec3(centre.array() - 0.1));
        asked.add(Vec3(centre.array() + 0.1));
        std::set<std::int32_t> found;
        std::size_t visited = 0;
        boxes.visit([&](const Box& b) { return b.overlaps(asked); },
                    [&](std::int32_t leaf) {
                        ++visited;
                        for (const std::int32_t v : tree.points_of(leaf)) {
                            if (asked.distance_sq(points[v]) == 0.0) found.insert(v);
                        }
                    });
        for (std::int32_t v = 0; v < 20'000; ++v) {
            REQUIRE(found.contains(v) == (asked.distance_sq(points[v]) == 0.0));
        }
        CHECK(visited < 40);
    }
}
