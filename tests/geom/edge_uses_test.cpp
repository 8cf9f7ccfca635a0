// SPDX-License-Identifier: MIT
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/repair/repeated_faces.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>

using namespace ductile;

namespace {

// A tetrahedron, wound outward.
const std::vector<Triangle> kTet = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

}  // namespace

TEST_CASE("going to the next side and back stays, and three steps go around a face") {
    for (HalfEdge s = 0; s < 12; ++s) {
        CHECK(previous_half_edge(next_half_edge(s)) == s);
        CHECK(next_half_edge(next_half_edge(next_half_edge(s))) == s);
        CHECK(next_half_edge(s) / 3 == s / 3);
        CHECK(end_of(kTet, s) == start_of(kTet, next_half_edge(s)));
    }
}

TEST_CASE("every side of a mesh is used once, its edge told by its lower point") {
    const EdgeUses uses(4, kTet);
    std::vector<HalfEdge> seen;
    int edges = 0;
    std::pair<std::int32_t, std::int32_t> last{-1, -1};
    uses.for_each([&](std::int32_t low, std::span<const EdgeUses::Use> edge) {
        ++edges;
        CHECK(edge.size() == 2);
        for (const EdgeUses::Use& use : edge) {
            const std::int32_t a = start_of(kTet, use.half_edge), b = end_of(kTet, use.half_edge);
            CHECK(std::min(a, b) == low);
            CHECK(std::max(a, b) == use.high);
            CHECK(low < use.high);
            seen.push_back(use.half_edge);
        }
        CHECK(last < std::pair(low, edge[0].high));
        last = {low, edge[0].high};
    });
    CHECK(edges == 6);
    std::sort(seen.begin(), seen.end());
    for (HalfEdge s = 0; s < 12; ++s) CHECK(seen[s] == s);
}

TEST_CASE("faces masked out or collapsed have no edges") {
    const std::vector<Triangle> triangles = {{0, 2, 1}, {1, 1, 3}, {1, 2, 3}};
    const std::vector<std::uint8_t> is_used = {1, 1, 0};
    int sides = 0;
    EdgeUses(4, triangles, is_used).for_each([&](std::int32_t, std::span<const EdgeUses::Use> e) {
        for (const EdgeUses::Use& use : e) CHECK(use.half_edge / 3 == 0);
        sides += static_cast<int>(e.size());
    });
    CHECK(sides == 3);
}

TEST_CASE("of equal faces the first is kept, copies and back sides name it") {
    std::vector<Triangle> triangles = kTet;
    triangles.push_back({2, 1, 0});  // the first again, from another corner
    triangles.push_back({0, 1, 2});  // the first from behind
    triangles.push_back({3, 3, 1});
    const FaceFates fates = find_repeated_faces(4, triangles);
    REQUIRE(fates.fate.size() == triangles.size());
    for (int f = 0; f < 4; ++f) {
        CHECK(fates.fate[f] == FaceFate::Kept);
        CHECK(fates.original[f] == -1);
    }
    CHECK(fates.fate[4] == FaceFate::Copy);
    CHECK(fates.original[4] == 0);
    CHECK(fates.fate[5] == FaceFate::BackSide);
    CHECK(fates.original[5] == 0);
    CHECK(fates.fate[6] == FaceFate::Collapsed);
}
