// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_residuals.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <string_view>

using namespace ductile;

namespace {

PressResiduals left_of(const TriMesh& soft, std::span<const Vec3> pressed, const TriMesh& rigid) {
    const std::vector<std::int32_t> zone(soft.points.size(), -1);
    return press_residuals(soft.points, pressed, soft.triangles, zone,
                           SurfaceQuery(rigid.points, rigid.triangles), true);
}

}  // namespace

TEST_CASE("what is left inside is as deep as it is, and nothing else counts without a press") {
    const TriMesh ball = test::ball_at(0.4);
    const PressResiduals left = left_of(ball, ball.points, test::ground());
    CHECK(test::near(left.depth_left, 0.1));
    CHECK(left.folds == 0);
    CHECK(left.worst_stretch == 1.0);
    CHECK(left.self_crossings == 0);
    const std::vector<std::string> notes = residual_notes(left, 1.0);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].find("0.1 m inside") != std::string::npos);
    CHECK(residual_notes(left, 100.0).empty());
}

TEST_CASE("a press leaves little, and says so in its report when it is asked to") {
    const TriMesh ball = test::ball_at(0.4);
    const Presser presser = Presser::make(ball, {}).value();
    const PressRigid ground = PressRigid::make(test::ground()).value();
    const Transform pose{Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY())), Vec3(0.01, 0, 0.02)};
    Pressed pressed = presser.press(ball.points, ground, pose).value();
    CHECK_FALSE(pressed.report.left);
    presser.measure(ball.points, ground, pose, pressed);
    REQUIRE(pressed.report.left);
    CHECK(pressed.report.left->depth_left < 1e-6);
    CHECK(pressed.report.left->folds == 0);
    CHECK(pressed.report.left->worst_stretch > 1.0);
    CHECK(pressed.report.left->worst_stretch < 2.0);
    CHECK(pressed.report.left->self_crossings == 0);
    CHECK(pressed.report.notes.empty());
}

TEST_CASE("folds, stretch and self-crossings are counted against what was there before") {
    // A sheet whose last rows are laid back over it, and pushed through it.
    const TriMesh sheet = test::grid_mesh(
        8, 4, false, false, [](int i, int j) { return Vec3(0.1 * i, 0.0, -0.1 * j); });
    std::vector<Vec3> over = sheet.points;
    for (Vec3& p : over) {
        if (p.x() > 0.55) p = Vec3(1.0 - p.x(), 0.01, p.z());
    }
    const TriMesh away = test::box_mesh({5, 5, 5}, {6, 6, 6});
    const PressResiduals folded = left_of(sheet, over, away);
    CHECK(folded.folds >= 4);
    CHECK(folded.worst_stretch >= 1.0);
    CHECK(folded.depth_left == 0.0);
    std::vector<Vec3> through = over;
    for (Vec3& p : through) {
        if (p.y() > 0 && p.x() < 0.35) p.y() = -0.02;
    }
    CHECK(left_of(sheet, through, away).self_crossings > 0);
    const TriMesh already{through, sheet.triangles};
    CHECK(left_of(already, through, away).self_crossings == 0);
    CHECK(left_of(already, through, away).folds == 0);
}

TEST_CASE("a soft cube on a floor is pressed, and told to be outside of what press is for") {
    const TriMesh cube = test::solid_mesh(SolidKind::Box, Vec3::Ones(), 0.1, Vec3(0, 0.45, 0));
    const Presser presser = Presser::make(cube, {}).value();
    const PressRigid floor = PressRigid::make(test::ground()).value();
    Pressed pressed = presser.press(cube.points, floor).value();
    REQUIRE(pressed.report.zones > 0);
    presser.measure(cube.points, floor, {}, pressed);
    CHECK(pressed.report.left->sharp_edges > 0);
    CHECK(pressed.report.notes.back().find("smooth soft bodies") != std::string::npos);
}

TEST_CASE("edges ask for a point where they cut through the rigid body, are stretched or folded") {
    // A sheet over a ball that just pokes through it between points.
    const TriMesh sheet = test::grid_mesh(
        8, 8, false, false, [](int i, int j) { return Vec3(0.1 * i, 0.0, -0.1 * j); });
    const TriMesh ball =
        test::placed(test::sphere_mesh(0.04, 3), {Quat::Identity(), Vec3(0.45, -0.02, -0.4)});
    std::vector<Vec3> moved = sheet.points;
    for (Vec3& p : moved) p.y() += 1e-3;
    const auto asked = [&](std::span<const Vec3> pressed, const TriMesh& rigid) {
        return edges_to_split(sheet.points, pressed, sheet.triangles,
                              SurfaceQuery(rigid.points, rigid.triangles), true, 1.0);
    };
    const std::vector<MeshEdge> cutting = asked(moved, ball);
    REQUIRE(cutting.size() == 1);
    CHECK((0.5 * (moved[cutting[0][0]] + moved[cutting[0][1]])).isApprox(Vec3(0.45, 1e-3, -0.4)));
    const TriMesh away = test::box_mesh({5, 5, 5}, {6, 6, 6});
    CHECK(asked(moved, away).empty());
    std::vector<Vec3> stretched = sheet.points;
    stretched[40] += Vec3(0, 0.3, 0);
    for (const MeshEdge& e : asked(stretched, away)) CHECK((e[0] == 40 || e[1] == 40));
    CHECK(asked(stretched, away).size() >= 4);
    // Nothing is above a limit before something was pressed; each limit adds less than one.
    CHECK(residual_excess({}, 1.0) == 0.0);
    const PressResiduals deep{.depth_left = 0.1}, worse{.depth_left = 0.1, .folds = 10};
    CHECK(residual_excess(deep, 1.0) > 0.9);
    CHECK(residual_excess(deep, 1.0) < residual_excess(worse, 1.0));
    CHECK(residual_excess(worse, 1.0) < 2.0);
    CHECK(residual_excess(deep, 100.0) == 0.0);
}

TEST_CASE("a mesh on which less is pressed is not worth it, however little is folded") {
    CHECK(is_worth_it({1.5, 0}, {2.0, 0}));
    CHECK_FALSE(is_worth_it({1.7, 0}, {2.0, 0}));
    CHECK_FALSE(is_worth_it({0.5, 1}, {2.0, 0}));
    CHECK(is_worth_it({0.5, 1}, {2.0, 1}));
    CHECK_FALSE(is_worth_it({0.0, 0}, {0.0, 0}));
}

TEST_CASE("what its region leaves out of a press is said to be left by that") {
    const TriMesh soft = test::ball_at(0.4), rigid = test::ground();
    PressSetup setup;
    std::vector<double> map;
    for (const Vec3& p : soft.points) map.push_back(p.x() < 0 ? 1.0 : 0.0);
    setup.maps.region = PaintedMap{.values = map};
    const Presser presser = Presser::make(soft, setup).value();
    const PressRigid by = PressRigid::make(rigid).value();
    Pressed pressed = presser.press(soft.points, by).value();
    presser.measure(soft.points, by, {}, pressed);
    CHECK(pressed.report.left->depth_left > 0.05);
    const auto says = [&](std::string_view words) {
        return std::any_of(pressed.report.notes.begin(), pressed.report.notes.end(),
                           [&](const std::string& n) { return n.find(words) != n.npos; });
    };
    CHECK(says("where its region leaves it out"));
    CHECK_FALSE(says("may bring it out"));
}
