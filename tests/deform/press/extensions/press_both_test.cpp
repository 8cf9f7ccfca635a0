// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_both.h>
#include <ductile/geom/query/surface_query.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

namespace {

/// How far `soft` reaches into the other one.
double entered(const Pressed& soft, const Pressed& other, const TriMesh& other_mesh) {
    const SurfaceQuery query(other.points, other_mesh.triangles);
    double deepest = 0.0;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        const Vec3& p = soft.points[v];
        if (query.is_inside(p)) test::raise_to(deepest, query.closest_point(p).distance);
    }
    return deepest;
}

/// Soft things that overlap by about an eighth of their size.
struct SoftPair {
    std::string name;
    TriMesh a, b;
};
std::vector<SoftPair> soft_pairs() {
    using test::solid_mesh;
    const auto ball = solid_mesh(SolidKind::Sphere, Vec3::Ones(), 0.06, Vec3(0, 0.42, 0));
    return {{"a small ball under a large one", ball,
             solid_mesh(SolidKind::Sphere, Vec3::Constant(0.6), 0.05, Vec3(0.01, -0.25, 0.02))},
            {"twins", ball, solid_mesh(SolidKind::Sphere, Vec3::Ones(), 0.06, Vec3(0, -0.42, 0))},
            {"a ball on a block", ball,
             solid_mesh(SolidKind::Box, Vec3(1.5, 0.6, 1.5), 0.08, Vec3(0.01, -0.3, 0.02))}};
}

PressSetup with_share(double share, const PressOptions& options = {}) {
    return {.options = options, .both = PressOtherBody{.share = share}};
}

}  // namespace

TEST_CASE("a share of nought or one is a press onto a rigid body") {
    const TriMesh a = test::ball_at(0.42), b = test::ball_at(-0.42, 4);
    const PressedBoth first = press_both(a, b, with_share(0.0)).value(),
                      last = press_both(a, b, with_share(1.0)).value();
    CHECK(first.a.points == a.points);
    CHECK(first.b.points == press_soft(b, a).value().points);
    CHECK(last.b.points == b.points);
    CHECK(last.a.points == press_soft(a, b).value().points);
    CHECK_FALSE(press_both(a, b, with_share(1.5)));
    CHECK_FALSE(press_both(a, {}, with_share(0.5)));
}

TEST_CASE("equal bodies with equal shares touch in their plane of symmetry") {
    const TriMesh a = test::ball_at(0.42), b = test::ball_at(-0.42);
    const PressedBoth both = press_both(a, b, with_share(0.5)).value();
    double off = 0.0;
    std::size_t touching = 0;
    for (const Pressed* p : {&both.a, &both.b}) {
        CHECK(p->report.zones == 1);
        CHECK(std::abs(p->report.volume_change) < 0.02 * p->report.displaced_volume);
        for (std::size_t v = 0; v < p->points.size(); ++v) {
            if (p->zone[v] < 0) continue;
            test::raise_to(off, std::abs(p->points[v].y()));
            ++touching;
        }
    }
    CHECK(touching > 60);
    CHECK(off < 0.01 * 0.16);  // a hundredth of the overlap's depth
    SUBCASE("and neither enters the other") {
        const SurfaceQuery query(both.b.points, b.triangles);
        double deepest = 0.0;
        for (const Vec3& p : both.a.points) {
            if (query.is_inside(p)) test::raise_to(deepest, query.closest_point(p).distance);
        }
        CHECK(deepest < 2e-3);
    }
    SUBCASE("a larger share moves the contact") {
        const PressedBoth more = press_both(a, b, with_share(0.75)).value();
        double mean = 0.0, count = 0.0;
        for (std::size_t v = 0; v < a.points.size(); ++v) {
            if (more.a.zone[v] < 0) continue;
            mean += more.a.points[v].y();
            count += 1.0;
        }
        CHECK(mean / count > 0.01);  // a gives way
        CHECK(mean / count < 0.08);
    }
}

TEST_CASE("neither of two soft bodies comes first") {
    for (const SoftPair& pair : soft_pairs()) {
        INFO(pair.name);
        const PressOptions soft = {.stiffness = 0.08, .extent = 0.4}, stiff = {.stiffness = 0.2};
        PaintedMaps maps{.bulge = PaintedMap{}};
        for (const Vec3& p : pair.a.points) {
            maps.bulge->values.push_back(1.0 + 0.5 * std::sin(9 * p.x()));
        }
        for (const double share : {0.25, 0.5}) {
            const auto one =
                press_both(pair.a, pair.b,
                           {.options = soft, .maps = maps, .both = PressOtherBody{share, stiff}})
                    .value();
            const auto other =
                press_both(pair.b, pair.a,
                           {.options = stiff, .both = PressOtherBody{1.0 - share, soft, maps}})
                    .value();
            CHECK(one.a.report.zones == 1);
            CHECK(one.b.report.zones == 1);
            CHECK(one.a.points == other.b.points);
            CHECK(one.b.points == other.a.points);
            CHECK(one.a.zone == other.b.zone);
        }
    }
}

TEST_CASE("two soft bodies keep their volumes and stay out of each other, strong bulges too") {
    for (const SoftPair& pair : soft_pairs()) {
        INFO(pair.name);
        for (const double bulge : {1.0, 2.5}) {
            const PressOptions options = {.stiffness = 0.08, .extent = 0.4, .bulge = bulge};
            const auto both = press_both(pair.a, pair.b, with_share(0.4, options)).value();
            // Edges of 0.06 cut that deep through the curves here.
            CHECK(entered(both.a, both.b, pair.b) < 2e-3);
            CHECK(entered(both.b, both.a, pair.a) < 2e-3);
            if (bulge > 1) continue;
            for (const Pressed* p : {&both.a, &both.b}) {
                CHECK(std::abs(p->report.volume_change) < 0.02 * p->report.displaced_volume);
            }
        }
    }
}

TEST_CASE("two soft bodies that stand elsewhere are pressed alike") {
    const SoftPair pair = soft_pairs()[0];
    const PressOptions options = {.stiffness = 0.08, .extent = 0.4};
    const BothPresser presser = BothPresser::make(pair.a, pair.b, with_share(0.4, options)).value();
    const PressedBoth here = presser.press(pair.a.points, pair.b.points).value();
    // The frame of b is turned, and its points in that frame the other way round.
    const Transform pose{Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())),
                         Vec3(0.2, -0.1, 0.4)};
    std::vector<Vec3> b_points;
    for (const Vec3& p : pair.b.points) b_points.push_back(pose.inverse_point(p));
    const PressedBoth there = presser.press(pair.a.points, b_points, pose).value();
    double off = 0.0;
    for (std::size_t v = 0; v < pair.a.points.size(); ++v) {
        test::raise_to(off, (there.a.points[v] - here.a.points[v]).norm());
    }
    for (std::size_t v = 0; v < pair.b.points.size(); ++v) {
        test::raise_to(off, (pose.point(there.b.points[v]) - here.b.points[v]).norm());
    }
    CHECK(off < 1e-6);
    CHECK_FALSE(presser.press(pair.b.points, pair.a.points));
    CHECK_FALSE(press_both(pair.a, pair.b, {.maps = {.bulge = PaintedMap{.values = {1.0}}}}));
}

TEST_CASE("where one of two soft bodies cannot give way, the other does alone") {
    const SoftPair pair = soft_pairs()[0];
    const PressOptions soft = {.stiffness = 0.08, .extent = 0.4}, hard = {.stiffness = 50.0};
    const PressedBoth both =
        press_both(pair.a, pair.b, {.options = soft, .both = PressOtherBody{0.5, hard}}).value();
    CHECK(both.b.points == pair.b.points);
    CHECK(both.b.report.fallbacks == 1);
    CHECK(both.a.points == press_soft(pair.a, pair.b, {soft}).value().points);
}

TEST_CASE("points of no triangle have no say in a press") {
    const SoftPair pair = soft_pairs()[0];
    TriMesh a = pair.a, b = pair.b;
    a.points.push_back(Vec3(0, -5, 0));
    b.points.push_back(Vec3(0, 0.4, 0));
    const Pressed plain = press_soft(pair.a, pair.b).value(), stray = press_soft(a, b).value();
    CHECK(stray.report.stiffness == plain.report.stiffness);
    CHECK(stray.zone.size() == plain.zone.size() + 1);
    double off = 0.0;
    for (std::size_t v = 0; v < plain.points.size(); ++v) {
        test::raise_to(off, (plain.points[v] - stray.points[v]).norm());
    }
    CHECK(off < 1e-9);  // one point more orders the sums of a solve otherwise
    CHECK(press_both(a, b, with_share(0.5)).value().a.report.zones == 1);
}

TEST_CASE("what two soft bodies leave in each other is measured, wherever they stand") {
    const SoftPair pair = soft_pairs()[0];
    const BothPresser presser =
        BothPresser::make(pair.a, pair.b, with_share(0.4, {.stiffness = 0.08, .extent = 0.4}))
            .value();
    const Transform pose{Quat(Eigen::AngleAxisd(0.7, Vec3::UnitY())), Vec3(0.2, 0, 0.4)};
    std::vector<Vec3> b;
    for (const Vec3& p : pair.b.points) b.push_back(pose.inverse_point(p));
    PressedBoth both = presser.press(pair.a.points, b, pose).value();
    CHECK_FALSE(both.a.report.left);
    presser.measure(pair.a.points, b, pose, both);
    REQUIRE(both.a.report.left);
    REQUIRE(both.b.report.left);
    CHECK(both.a.report.left->depth_left < 5e-3);
    CHECK(both.b.report.left->worst_stretch > 1.0);
    CHECK(both.b.report.left->folds == 0);
    // As they were, they stand an eighth of the larger one's size in each other, and are told so.
    PressedBoth before{unpressed(pair.a.points), unpressed(b)};
    presser.measure(pair.a.points, b, pose, before);
    CHECK(before.a.report.left->depth_left > 0.1);
    CHECK(before.b.report.left->depth_left > 0.1);
    REQUIRE_FALSE(before.a.report.notes.empty());
    CHECK(before.a.report.notes[0].find("inside the other one") != std::string::npos);
}
