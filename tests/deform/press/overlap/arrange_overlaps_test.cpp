// SPDX-License-Identifier: MIT
#include <ductile/deform/press/overlap/arrange_overlaps.h>
#include <ductile/deform/press/overlap/meeting_curve.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

namespace {

double length_of(const PressOverlap& overlap) {
    double sum = 0.0;
    for (const CurvePoint& p : overlap.curve) sum += p.length;
    return sum;
}

}  // namespace

TEST_CASE("crossings chain to closed curves as long as geometry says") {
    const test::PressPair pair = test::ball_on_slab(0.1);
    MeshCrossings crossings = pair.found.crossings;
    const auto curves = chain_crossings(pair.soft, pair.rigid, crossings);
    REQUIRE(curves.size() == 1);
    CHECK(curves[0].is_closed);
    CHECK(curves[0].crossings.size() == crossings.of_first.size() + crossings.of_second.size());
    REQUIRE(pair.found.overlaps.size() == 1);
    const double exact = 2 * kPi * std::sqrt(0.25 - 0.16);
    CHECK(test::near(length_of(pair.found.overlaps[0]), exact, 0.01));
    CHECK(pair.found.overlaps[0].trouble.empty());
}

TEST_CASE("a curve ends where a surface does") {
    // A sheet that sticks out of the slab's side: its curve runs from border to border.
    const TriMesh sheet = test::grid_mesh(12, 12, false, false, [](int i, int j) {
        return Vec3(0.1 * i, 0.287 - 0.05 * j, -0.1 * j);
    });
    const test::PressPair pair(sheet, test::box_mesh({-2, -1, -2}, {2, 0, 2}));
    const auto curves = chain_crossings(pair.soft, pair.rigid, pair.found.crossings);
    REQUIRE(curves.size() == 1);
    CHECK_FALSE(curves[0].is_closed);
    REQUIRE(pair.found.overlaps.size() == 1);
    CHECK_FALSE(pair.found.overlaps[0].is_closed);
    CHECK(test::near(length_of(pair.found.overlaps[0]), 1.2));
}

TEST_CASE("what went through a pane belongs to the overlap, bounded by where it came in") {
    // Thicker than an edge of the finger, thinner than one, and next to nothing.
    for (const double thickness : {0.1, 0.02, 0.001}) {
        const test::PressPair pair = test::finger_through_pane(0.4, thickness);
        REQUIRE(pair.found.overlaps.size() == 1);
        const PressOverlap& overlap = pair.found.overlaps[0];
        CHECK(overlap.trouble.empty());
        CHECK(overlap.loops.size() == 1);
        CHECK_FALSE(overlap.beyond.empty());
        for (std::size_t v = 0; v < pair.soft.points.size(); ++v) {
            const bool is_in = std::binary_search(overlap.inside.begin(), overlap.inside.end(),
                                                  static_cast<std::int32_t>(v));
            // A ring of the finger lies in the plane but for rounding: on either side.
            if (std::abs(pair.soft.points[v].y()) < 1e-12) continue;
            CHECK(is_in == (pair.soft.points[v].y() < 0));
        }
        double off = 0.0;
        for (const CurvePoint& p : overlap.curve) test::raise_to(off, std::abs(p.position.y()));
        CHECK(off < 1e-9);
        for (const EdgeCrossing& c : pair.found.crossings.of_first) CHECK(c.position.y() > -1e-9);
        for (const std::int32_t f : overlap.under) {
            CHECK(area_vector(pair.rigid.points, pair.rigid.triangles[f]).normalized().y() > 0.99);
        }
    }
}

TEST_CASE("of what went through, the side with less area lies beyond") {
    const test::PressPair pair = test::finger_through_pane(0.8, 0.05);
    REQUIRE(pair.found.overlaps.size() == 1);
    // Two thirds went in: the third that did not is what is squashed back.
    for (const std::int32_t v : pair.found.overlaps[0].beyond) {
        CHECK(pair.soft.points[v].y() > -1e-12);
    }
}

TEST_CASE("a finger through two panes is one overlap with the first") {
    const TriMesh panes = test::together(test::box_mesh({-1, -0.1, -1}, {1, 0, 1}),
                                         test::box_mesh({-1, -0.3, -1}, {1, -0.2, 1}));
    const TriMesh finger =
        test::solid_mesh(SolidKind::Capsule, Vec3(0.4, 1.2, 0.4), 0.04, Vec3(0.003, 0.1, 0.004));
    const test::PressPair pair(finger, panes);
    REQUIRE(pair.found.overlaps.size() == 1);
    const PressOverlap& overlap = pair.found.overlaps[0];
    CHECK(overlap.loops.size() == 1);
    for (const CurvePoint& p : overlap.curve) CHECK(std::abs(p.position.y()) < 1e-9);
}

TEST_CASE("over the hole of a ring the soft surface stays out, with a curve of its own") {
    const test::PressPair pair = test::ring_in_block(0.1);
    REQUIRE(pair.found.overlaps.size() == 1);
    const PressOverlap& overlap = pair.found.overlaps[0];
    CHECK(overlap.loops.size() == 2);
    CHECK(overlap.beyond.empty());
    CHECK(overlap.trouble.empty());
    for (const std::int32_t v : overlap.inside) {
        CHECK(std::hypot(pair.soft.points[v].x(), pair.soft.points[v].z()) > 0.2);
    }
}

TEST_CASE("an overlap with no single piece of rigid surface under it says so") {
    SUBCASE("a rod right through") {
        const test::PressPair pair(test::sphere_mesh(0.5, 3), test::prism_mesh(0.2, 3.0, 12));
        REQUIRE(pair.found.overlaps.size() == 2);
        for (const PressOverlap& o : pair.found.overlaps) CHECK_FALSE(o.trouble.empty());
    }
    SUBCASE("a handle that dips in with both its ends out") {
        const Quat upright(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitX()));
        TriMesh handle = test::solid_mesh(SolidKind::Torus, Vec3(1, 0.3, 1), 0.05, Vec3::Zero());
        handle = test::placed(handle, {upright, Vec3(0.003, 0.1, 0.004)});
        const test::PressPair pair(
            test::solid_mesh(SolidKind::Box, Vec3(1.6, 1.2, 0.8), 0.05, Vec3(0, -0.6, 0)), handle);
        REQUIRE(pair.found.overlaps.size() == 2);
        for (const PressOverlap& o : pair.found.overlaps) {
            CHECK(o.trouble.find("joins") != std::string::npos);
        }
    }
}
