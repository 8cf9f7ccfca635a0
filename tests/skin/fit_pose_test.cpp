// SPDX-License-Identifier: MIT
#include <ductile/skin/fit_pose.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <skin/test_rigs.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

struct RiggedBall {
    TriMesh surface = sphere_mesh(0.5, 4);
    Rig rig;

    explicit RiggedBall(const std::vector<Vec3>& places, double reach = 0.35) {
        rig.handles = handles_at(places);
        rig.weights = smooth_weights(surface.points, rig.handles, reach);
    }
    double size() const { return bounds(surface.points).diagonal(); }
};

const std::vector<Vec3> kSix = {Vec3(0.5, 0, 0),  Vec3(-0.5, 0, 0), Vec3(0, 0.5, 0),
                                Vec3(0, -0.5, 0), Vec3(0, 0, 0.5),  Vec3(0, 0, -0.5)};

}  // namespace

TEST_CASE("a pose's points are the rest points where nothing moves, and go along with handles") {
    const RiggedBall ball(kSix);
    RigPose pose;
    pose.moves.assign(6, {});
    CHECK(pose_points(ball.rig, pose, ball.surface.points) == ball.surface.points);
    const Transform motion{turn_about(Vec3(1, 2, 3), 70), Vec3(0.3, -1, 2)};
    for (std::size_t b = 0; b < 6; ++b) {
        pose.moves[b] = handle_motion(motion, ball.rig.handles[b].place);
    }
    const std::vector<Vec3> moved = pose_points(ball.rig, pose, ball.surface.points);
    for (std::size_t i = 0; i < moved.size(); ++i) {
        CHECK((moved[i] - motion.point(ball.surface.points[i])).norm() < 1e-12);
    }
}

TEST_CASE("a rigidly moved copy is fitted exactly") {
    const RiggedBall ball(kSix);
    const Transform motion{turn_about(Vec3(-1, 0.5, 2), 130), Vec3(3, 1, -2)};
    std::vector<Vec3> target;
    for (const Vec3& p : ball.surface.points) target.push_back(motion.point(p));
    const FittedPose fit = fit_pose(ball.rig, ball.surface, target);
    CHECK(fit.worst < 1e-6 * ball.size());
    CHECK(fit.suggestions.empty());
}

TEST_CASE("a copy that the rig can make is found again") {
    const RiggedBall ball(kSix);
    RigPose pose;
    for (std::size_t b = 0; b < 6; ++b) {
        const Vec3& c = ball.rig.handles[b].place;
        pose.moves.push_back({turn_about(Vec3(c.y() + 0.1, c.z(), c.x()), 25),
                              Vec3(0.2 * c.y(), -0.1 * c.x(), 0.1 * c.z())});
    }
    const std::vector<Vec3> target = pose_points(ball.rig, pose, ball.surface.points);
    const FittedPose fit =
        fit_pose(ball.rig, ball.surface, target, {.most_sweeps = 2000, .progress = 1e-6});
    CHECK(fit.rms < 1e-3 * ball.size());
    const FittedPose few = fit_pose(ball.rig, ball.surface, target, {.most_sweeps = 1});
    CHECK(fit.rms <= few.rms);
    CHECK(few.sweeps == 1);
}

TEST_CASE("where no handle is, one is suggested") {
    const RiggedBall ball({Vec3(-0.5, 0, 0)});
    std::vector<Vec3> target = ball.surface.points;
    for (Vec3& p : target) {
        if (p.x() > 0.4) p.x() -= 0.2;  // a dent on the far side
    }
    const FittedPose fit = fit_pose(ball.rig, ball.surface, target);
    REQUIRE(!fit.suggestions.empty());
    CHECK(fit.suggestions[0].place.x() > 0.35);
    CHECK(test::near(fit.suggestions[0].distance, fit.worst));
    for (std::size_t i = 1; i < fit.suggestions.size(); ++i) {
        CHECK(fit.suggestions[i].distance <= fit.suggestions[i - 1].distance);
    }
}

TEST_CASE("a handle that nothing follows stays, and points without faces do no harm") {
    RiggedBall ball(kSix);
    ball.rig.handles.push_back(ball.rig.handles[0]);
    ball.rig.handles.back().name = "nobody's";
    ball.surface.points.push_back(Vec3(2, 0, 0));
    ball.rig.weights.handle.push_back(0);
    ball.rig.weights.weight.push_back(1.0);
    ball.rig.weights.start.push_back(static_cast<std::int32_t>(ball.rig.weights.handle.size()));
    const FittedPose fit = fit_pose(ball.rig, ball.surface, ball.surface.points);
    CHECK(fit.worst < 1e-9);
    CHECK(fit.pose.moves.back().translation == Vec3(0, 0, 0));
}
