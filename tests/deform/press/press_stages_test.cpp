// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/finer_rigid.h>
#include <ductile/deform/press/press_stages.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;

namespace {

/// One frame of a soft surface and a rigid one, in the rigid one's frame.
struct StagedFrame {
    StagedFrame(TriMesh soft_mesh, TriMesh rigid_mesh)
        : rest(std::move(soft_mesh)), rigid(prepare_rigid(std::move(rigid_mesh))) {}

    Pressed press(std::span<const Vec3> given, const Transform* pose, PressWall& wall) {
        Pressed pressed = unpressed(given);
        pressed.report.stiffness = 0.1;
        pressed.report.extent = 0.4;
        press_placed(
            PressSurface(rest, rest.mesh().points), *rigid, {.stiffness = 0.1, .extent = 0.4}, {},
            wall, pose, [&](PressStage stage) { stages.push_back(stage); }, pressed);
        return pressed;
    }

    RestSurface rest;
    std::shared_ptr<const PreparedRigid> rigid;
    std::vector<PressStage> stages;
};

}  // namespace

TEST_CASE("stages are told of in the paper's order, and only the first where nothing overlaps") {
    StagedFrame frame(test::ball_at(0.4, 3), test::ground());
    PressWall none;
    const Pressed pressed = frame.press(frame.rest.mesh().points, nullptr, none);
    CHECK(pressed.report.zones == 1);
    using S = PressStage;
    CHECK(frame.stages == std::vector<S>{S::Overlap, S::Mapping, S::Contact, S::Parameter,
                                         S::Directions, S::Guides, S::Deformation});
    StagedFrame apart(test::ball_at(0.6, 3), test::ground());
    CHECK(apart.press(apart.rest.mesh().points, nullptr, none).points == apart.rest.mesh().points);
    CHECK(apart.stages == std::vector<S>{S::Overlap});
}

TEST_CASE("what moved is taken back by the pose, and what did not stays as it was given") {
    StagedFrame frame(test::ball_at(0.4, 3), test::ground());
    PressWall none;
    const Pressed here = frame.press(frame.rest.mesh().points, nullptr, none);
    const Transform pose{Quat(Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized())), Vec3(4, 5, 6)};
    // Marked, so that one sees which of them were written.
    const std::vector<Vec3> given(frame.rest.mesh().points.size(), Vec3(-1, -1, -1));
    const Pressed there = frame.press(given, &pose, none);
    int moved = 0;
    for (std::size_t v = 0; v < given.size(); ++v) {
        if (there.points[v] == given[v]) {
            CHECK(here.points[v] == frame.rest.mesh().points[v]);
            continue;
        }
        CHECK(there.points[v] == pose.point(here.points[v]));
        ++moved;
    }
    CHECK(moved == here.report.moved_points);
    CHECK(moved > here.report.contact_points);
}

TEST_CASE("a wall says how much of one it is where the rigid body goes right through") {
    const auto plate = [] {
        return test::solid_mesh(SolidKind::Box, Vec3(1.6, 0.04, 1.6), 0.05, Vec3(0, -0.02, 0));
    };
    const auto ball = [](double height) {
        return test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.5), 0.04,
                                Vec3(0.003, height, 0.002));
    };
    StagedFrame through(plate(), ball(0.12));
    PressWall wall{&through.rest, 0.04};
    const Pressed front = through.press(through.rest.mesh().points, nullptr, wall);
    CHECK(wall.share > 0.0);
    CHECK(wall.share <= 1.0);
    REQUIRE(front.report.zones == 1);
    // Its front alone is pressed: the back of the plate has no contact.
    for (std::size_t v = 0; v < front.zone.size(); ++v) {
        if (front.zone[v] >= 0) CHECK(through.rest.mesh().points[v].y() > -0.03);
    }
    // A block of which the ball reaches an eighth is none.
    StagedFrame block(test::solid_mesh(SolidKind::Box, Vec3(1.6, 0.8, 1.6), 0.08, Vec3(0, -0.4, 0)),
                      ball(0.15));
    PressWall thick{&block.rest, 0.8};
    CHECK(block.press(block.rest.mesh().points, nullptr, thick).report.zones == 1);
    CHECK(thick.share == 0.0);
}
