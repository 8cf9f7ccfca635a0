// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/record/framing.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

RecordedBody ball(double radius) {
    RecordedBody body;
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = test::sphere_mesh(radius, 2);
    body.shapes = {asset->surface.points};
    body.asset = asset;
    return body;
}

Transform at(const Vec3& place) { return {Quat::Identity(), place}; }

/// Balls of radius 0.5: one that stays at the origin, one that comes to it along x, or flies on.
Recording meeting(double goes_on_to) {
    Recording r;
    r.bodies = {ball(0.5), ball(0.5)};
    for (int f = 0; f <= 20; ++f) {
        Frame frame;
        frame.time = f / 10.0;
        frame.bodies.resize(2);
        frame.bodies[1].pose_w = at({f < 10 ? 3.0 - 0.2 * f : 1.0 + goes_on_to * (f - 10), 0, 0});
        r.frames.push_back(frame);
    }
    return r;
}

}  // namespace

TEST_CASE("the action is where bodies move, and what stands near it") {
    const Box box = action_box(meeting(0.0));
    CHECK(test::near(box.lower.x(), -0.5, 0.02));  // the ball that stays
    CHECK(test::near(box.upper.x(), 3.5, 0.02));
    CHECK(test::near(box.upper.y(), 0.5, 0.02));
}

TEST_CASE("a large thing that stands still does not make what moves small") {
    Recording r = meeting(0.0);
    r.bodies.push_back(ball(500.0));
    for (Frame& frame : r.frames) {
        frame.bodies.emplace_back();
        frame.bodies.back().pose_w = at({0, -501, 0});
    }
    CHECK(action_box(r).diagonal() < 3 * action_box(meeting(0.0)).diagonal());
}

TEST_CASE("what flies away after the hit is not waited for, nor is what is hidden shown") {
    Recording r = meeting(100.0);
    CHECK(action_box(r).upper.x() > 900);
    r.hits = {{.time = 1.0, .body = 0}};
    const Box box = action_box(r);
    CHECK(box.upper.x() < 10);
    CHECK(box.lower.x() < -0.45);
    r.hits.clear();
    r.bodies[1].is_hidden = true;
    CHECK(test::near(action_box(r).upper.x(), 0.5, 0.02));
}

TEST_CASE("a camera goes along with action that wanders far, and stands still else") {
    const Action near = action_of(meeting(0.0));
    CHECK(near.way.empty());
    CHECK(near.box.diagonal() == action_box(meeting(0.0)).diagonal());
    Recording r = meeting(100.0);
    r.hits = {{.time = 1.0, .body = 1}};
    r.hits.push_back({.time = 2.0, .body = 1});
    const Action far = action_of(r);
    REQUIRE(far.way.size() == r.frames.size());
    for (std::size_t f = 0; f < far.way.size(); ++f) {
        CHECK((far.way[f] - r.frames[f].bodies[1].pose_w.translation).norm() < 1e-9);
    }
    CHECK(far.box.diagonal() < 5);
}

TEST_CASE("what stands behind another body is hidden, by how often it does") {
    Recording r = meeting(0.0);
    r.hits.emplace_back().body = 1;
    const auto share = [&r](const Vec3& eye) {
        return hidden_share(r, std::vector<Vec3>(r.frames.size(), eye));
    };
    CHECK(share({10, 0, 0}) == 0.0);
    CHECK(share({-10, 0, 0}) == 1.0);  // behind the one that stays
    CHECK(share({0, 0, 10}) == 0.0);
    r.bodies.push_back(ball(0.5));
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        r.frames[f].bodies.emplace_back().pose_w = at({f < 7 ? 8.0 : 80.0, 0, 0});
    }
    CHECK(test::near(share({10, 0, 0}), 7.0 / 21.0));
    r.frames[0].bodies[2].is_present = false;
    CHECK(test::near(share({10, 0, 0}), 6.0 / 21.0));
    r.bodies[2].is_hidden = true;
    CHECK(share({10, 0, 0}) == 0.0);
    r.bodies[2].is_hidden = false;
    const std::vector<Vec3> eyes(r.frames.size(), Vec3(10, 0, 0));
    CHECK(hidden_share(r, eyes, 0) == 1.0);  // behind the one that comes
    CHECK(hidden_share(r, eyes, 2) == 0.0);
    CHECK(hidden_share({}, {}) == 0.0);
}

TEST_CASE("where nothing moves everything is shown; where nothing is, nothing") {
    Recording r;
    CHECK(action_box(r).is_empty());
    r.bodies = {ball(1.0), ball(1.0)};
    Frame frame;
    frame.bodies.resize(2);
    frame.bodies[1].pose_w = at({50, 0, 0});
    r.frames = {frame};
    CHECK(test::near(action_box(r).upper.x(), 51.0, 0.02));
}

TEST_CASE("the eye sees the whole box, and no further off than it must be") {
    Rng rng(5);
    for (int i = 0; i < 200; ++i) {
        Box box;
        box.add(10 * test::random_vec(rng));
        box.add(10 * test::random_vec(rng));
        const Vec3 out = test::random_vec(rng).normalized();
        const double view = 10 + 80 * rng.uniform(), aspect = 0.5 + 2 * rng.uniform();
        const Vec3 eye = eye_to_see(box, out, view, aspect);
        // As the renderer has it: up is the world's Y.
        const Vec3 forward = (box.centre() - eye).normalized();
        const Vec3 right = forward.cross(Vec3::UnitY()).normalized(), up = right.cross(forward);
        const double tall = std::tan(0.5 * view * kPi / 180);
        double most = 0.0;
        for (int k = 0; k < 8; ++k) {
            const Vec3 corner((k & 1) != 0 ? box.upper.x() : box.lower.x(),
                              (k & 2) != 0 ? box.upper.y() : box.lower.y(),
                              (k & 4) != 0 ? box.upper.z() : box.lower.z());
            const Vec3 way = corner - eye;
            REQUIRE(way.dot(forward) > 0);
            most = std::max({most, std::abs(way.dot(up)) / (tall * way.dot(forward)),
                             std::abs(way.dot(right)) / (tall * aspect * way.dot(forward))});
        }
        CHECK(most <= 1.0);
        CHECK(most > 0.7);
    }
}

TEST_CASE("a view of points is filled by them, and nearer than one of their box") {
    Rng rng(6);
    for (int i = 0; i < 200; ++i) {
        std::vector<Vec3> points;
        const Vec3 from = 10 * test::random_vec(rng), to = 10 * test::random_vec(rng);
        for (int k = 0; k <= 20; ++k) {
            points.push_back(from + k / 20.0 * (to - from) + 0.3 * test::random_vec(rng));
        }
        const Vec3 out = test::random_vec(rng).normalized();
        const double angle = 10 + 80 * rng.uniform(), aspect = 0.5 + 2 * rng.uniform();
        const PointView view = view_of(points, out, angle, aspect);
        // As the renderer has it: up is the world's Y.
        const Vec3 forward = (view.target - view.eye).normalized();
        CHECK((forward + out).norm() < 1e-9);
        const Vec3 right = forward.cross(Vec3::UnitY()).normalized(), up = right.cross(forward);
        const double tall = std::tan(0.5 * angle * kPi / 180);
        Box seen;
        for (const Vec3& p : points) {
            const Vec3 way = p - view.eye;
            REQUIRE(way.dot(forward) > 0);
            seen.add(Vec3(way.dot(right) / aspect, way.dot(up), 0) / (tall * way.dot(forward)));
        }
        CHECK(seen.lower.minCoeff() >= -1.0);
        CHECK(seen.upper.maxCoeff() <= 1.0);
        double nearest = kInfinity;
        for (const Vec3& p : points) nearest = std::min(nearest, (view.eye - p).dot(out));
        CHECK(nearest > 0.049 * bounds(points).diagonal());
        if (nearest > 0.051 * bounds(points).diagonal()) {
            int axis = 0;
            CHECK((seen.upper - seen.lower).maxCoeff(&axis) > 1.75);
            CHECK(test::within(seen.centre()[axis], 0.0, 1e-9));
        }
        const Vec3 eye = eye_to_see(bounds(points), out, angle, aspect);
        CHECK(view.eye.dot(out) <= eye.dot(out));
    }
}

TEST_CASE("what is pressed is shown beside what is hit, small as that may be") {
    Recording r;
    r.bodies = {ball(0.5), ball(0.05)};
    r.bodies[0].shapes.push_back(test::sphere_mesh(0.48, 2).points);
    for (int f = 0; f <= 20; ++f) {
        Frame& frame = r.frames.emplace_back();
        frame.time = f / 10.0;
        frame.bodies.resize(2);
        frame.bodies[0].shape = f < 10 ? 0 : 1;
        frame.bodies[1].pose_w = at({1.0, f < 10 ? 0.2 - 0.02 * f : 0.0, 0});
    }
    r.hits.emplace_back().body = 1;
    const Action action = action_of(r);
    CHECK(action.box.lower.x() < -0.45);
    CHECK(action.box.upper.x() > 1.04);
}
