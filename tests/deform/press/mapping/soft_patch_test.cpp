// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/soft_patch.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;

namespace {

/// A sheet of 4 x 4 squares of 1 m, and an overlap that holds some of its vertices: the curve
/// crosses each edge that leaves them at `along` of its way.
struct SheetOverlap {
    SheetOverlap(std::vector<std::int32_t> inside, double along)
        : rest(test::grid_mesh(4, 4, false, false, [](int i, int j) { return Vec3(i, 0, -j); })),
          soft(rest, rest.mesh().points) {
        overlap.inside = std::move(inside);
        const auto is_in = [&](std::int32_t v) { return index_in(overlap.inside, v) >= 0; };
        for (const std::int32_t v : overlap.inside) {
            for (const std::int32_t w : rest.graph()[v]) {
                if (is_in(w)) continue;
                CurvePoint& p = overlap.curve.emplace_back();
                p.soft.points = {std::min(v, w), std::max(v, w), std::min(v, w)};
                p.soft.weights[1] = v < w ? along : 1.0 - along;
                p.soft.weights[0] = 1.0 - p.soft.weights[1];
            }
        }
    }

    RestSurface rest;
    PressSurface soft;
    PressOverlap overlap;
};

}  // namespace

TEST_CASE("the patch of one vertex are the triangles around it, each with the share cut off") {
    const SheetOverlap around({12}, 0.25);  // The middle one of 5 x 5.
    const SoftPatch patch = make_soft_patch(around.soft, around.overlap);
    REQUIRE(patch.faces.size() == 6);
    REQUIRE(patch.vertices.size() == 7);
    CHECK(std::is_sorted(patch.faces.begin(), patch.faces.end()));
    CHECK(std::is_sorted(patch.vertices.begin(), patch.vertices.end()));
    for (std::size_t f = 0; f < patch.faces.size(); ++f) {
        // A corner that is cut off at a quarter of both its edges.
        CHECK(test::near(patch.shares[f], 0.0625));
        for (int k = 0; k < 3; ++k) {
            CHECK(patch.vertices[patch.triangles[f][k]] ==
                  around.soft.triangles[patch.faces[f]][k]);
        }
    }
    CHECK(test::near(patch.area, 6 * 0.5 * 0.0625));
    CHECK(patch.local(12) >= 0);
    CHECK(patch.is_inside[patch.local(12)] == 1);
    CHECK(std::count(patch.is_inside.begin(), patch.is_inside.end(), 1) == 1);
    CHECK(patch.local(0) == -1);
    CHECK(patch.points[patch.local(12)] == Vec3(2, 0, -2));
}

TEST_CASE("a triangle with two or three corners inside has the rest of it") {
    const SheetOverlap around({6, 7, 12}, 0.5);
    const SoftPatch patch = make_soft_patch(around.soft, around.overlap);
    double area = 0.0;
    for (std::size_t f = 0; f < patch.faces.size(); ++f) {
        int corners = 0;
        for (const std::int32_t v : patch.triangles[f]) corners += patch.is_inside[v];
        const double share = corners == 1 ? 0.25 : corners == 2 ? 0.75 : 1.0;
        CHECK(test::near(patch.shares[f], share));
        area += 0.5 * share;
    }
    CHECK(test::near(patch.area, area));
}

TEST_CASE("what of a ball is below a slab's top has the area of its cap") {
    const test::PressPair pair = test::ball_on_slab(0.2, 0.03);
    REQUIRE(pair.found.overlaps.size() == 1);
    const SoftPatch patch = make_soft_patch(pair.soft, pair.found.overlaps[0]);
    // 2 pi r h.
    CHECK(test::near(patch.area, 2 * kPi * 0.5 * 0.2, 0.01));
}
