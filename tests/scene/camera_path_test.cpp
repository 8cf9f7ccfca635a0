// SPDX-License-Identifier: MIT
#include <ductile/scene/camera_path.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

const Vec3 kMiddle(0, 0, 5);

/// One body that goes along x at 2 m/s and hops up and down by 10 cm from frame to frame.
Recording hopping(bool is_late) {
    Recording r;
    r.frame_rate = 30.0;
    r.bodies.resize(2);
    r.bodies[0].name = "ground";
    r.bodies[1].name = "ball";
    // A file whose origin lies far off its surface.
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = test::placed(test::sphere_mesh(0.3, 1), {Quat::Identity(), kMiddle});
    r.bodies[1].shapes = {asset->surface.points};
    r.bodies[1].asset = asset;
    r.bodies[0].asset = std::make_shared<SurfaceAsset>();
    for (int f = 0; f < 90; ++f) {
        Frame frame;
        frame.time = f / 30.0;
        frame.bodies.resize(2);
        frame.bodies[1].pose_w.translation = {2.0 * frame.time, f % 2 ? 0.1 : -0.1, 0.0};
        frame.bodies[1].is_present = !is_late || f >= 10;
        r.frames.push_back(frame);
    }
    return r;
}

}  // namespace

TEST_CASE("a turning camera keeps its distance and height and is back after a turn") {
    SceneCamera camera;
    camera.eye_w = Vec3(3, 2, 1);
    camera.target_w = Vec3(1, 0.5, 0);
    camera.turn_time = 4.0;
    const auto off = [&](double t) { return Vec3(camera_at(camera, t).eye_w - *camera.target_w); };
    for (double t = 0.0; t < 4.0; t += 0.37) {
        CHECK(test::near(off(t).norm(), off(0).norm()));
        CHECK(test::near(off(t).y(), 1.5));
        CHECK(camera_at(camera, t).target_w == *camera.target_w);
    }
    CHECK((off(4.0) - off(0.0)).norm() < 1e-12);
    CHECK((off(2.0) + off(0.0)).head<1>().norm() < 1e-12);  // on the other side
}

TEST_CASE("a following camera goes with the body and does not hop with it") {
    SceneCamera camera;
    camera.eye_w = Vec3(4, 2, 6);
    camera.target_w = Vec3(0, 0.5, 0);
    camera.follow = "ball";
    for (const bool is_late : {false, true}) {
        const Recording r = hopping(is_late);
        const CameraPath path(camera, r);
        CHECK((path.at(-1.0).eye_w - *camera.eye_w).norm() < 1e-12);
        const Vec3 a = path.at(1.0).target_w, b = path.at(2.0).target_w;
        CHECK(test::near((b - a).x(), 2.0, 1e-3));
        Vec3 before = path.at(0.0).eye_w;
        for (double t = 0.01; t < 3.0; t += 0.01) {
            const CameraKey key = path.at(t);
            CHECK(std::abs(key.eye_w.y() - before.y()) < 2e-3);
            CHECK((key.eye_w - key.target_w - (*camera.eye_w - *camera.target_w)).norm() < 1e-12);
            before = key.eye_w;
        }
        CHECK((path.at(99.0).eye_w - path.at(3.0).eye_w).norm() < 1e-12);
    }
}

TEST_CASE("a camera that follows nobody stays where camera_at puts it") {
    SceneCamera camera;
    camera.eye_w = Vec3(4, 2, 6);
    camera.target_w = Vec3(0, 0.5, 0);
    camera.turn_time = 3.0;
    for (const char* name : {"", "nobody"}) {
        camera.follow = name;
        const Recording r = hopping(false);
        const CameraPath path(camera, r);
        CHECK(path.at(1.2).eye_w == camera_at(camera, 1.2).eye_w);
    }
}

TEST_CASE("a camera without a place shows what happens, or the body that it follows") {
    SceneCamera camera;
    const Recording r = hopping(false);
    const CameraPath whole(camera, r);
    // It goes ten times as far as it is wide: the camera goes along.
    CHECK(whole.moves());
    CHECK(test::near((whole.at(2.0).target_w - whole.at(1.0).target_w).x(), 2.0, 0.01));
    camera.follow = "ball";
    const CameraPath path(camera, r);
    for (const double time : {0.0, 1.5, 2.4}) {
        const Vec3 middle = kMiddle + Vec3(2.0 * time, 0, 0);
        CHECK((path.at(time).target_w - middle).norm() < 0.35);
        CHECK((path.at(time).eye_w - middle).norm() < 20 * 0.3);
    }
    // What is given stays, the rest is chosen for it.
    camera.target_w = Vec3(1, 2, 3);
    CHECK(CameraPath(camera, r).at(0.0).target_w == Vec3(1, 2, 3));
    camera.target_w.reset();
    camera.follow.clear();
    camera.eye_w = Vec3(9, 9, 9);
    CHECK(CameraPath(camera, r).at(0.0).eye_w == Vec3(9, 9, 9));
}

TEST_CASE("a camera without a place looks past what stands in the way") {
    Recording r;
    r.frame_rate = 30.0;
    const auto add = [&r](const Vec3& size) {
        auto asset = std::make_shared<SurfaceAsset>();
        asset->surface = test::box_mesh(-0.5 * size, 0.5 * size);
        RecordedBody& body = r.bodies.emplace_back();
        body.shapes = {asset->surface.points};
        body.asset = asset;
    };
    add(Vec3(0.1, 0.1, 0.1));
    add(Vec3(0.2, 2, 2));
    r.bodies[0].name = "can";
    for (int f = 0; f < 30; ++f) {
        Frame& frame = r.frames.emplace_back();
        frame.time = f / 30.0;
        frame.bodies.resize(2);
        frame.bodies[0].pose_w.translation = Vec3(0.8 + 0.005 * f, 0.5, 0);
        frame.bodies[1].pose_w.translation = Vec3(1.2, 1, 0);
    }
    r.hits.emplace_back().time = 0.9;
    for (const char* follow : {"", "can"}) {
        // The wall stands to the right of the can, or to the left; then the usual side is free.
        for (const double turn : {1.0, -1.0}) {
            for (Frame& frame : r.frames) {
                frame.bodies[1].pose_w.translation.x() = turn > 0 ? 1.2 : 0.6;
            }
            SceneCamera camera;
            camera.follow = follow;
            const CameraPath path(camera, r);
            if (turn < 0) CHECK((path.at(0.9).eye_w - path.at(0.9).target_w).x() > 0);
            for (const Frame& frame : r.frames) {
                // On its own side of the wall.
                const double wall = frame.bodies[1].pose_w.translation.x();
                CHECK((path.at(frame.time).eye_w.x() - wall) * turn < 0);
            }
        }
    }
}

TEST_CASE("what is small and falls fast stays in the picture of a camera without a place") {
    Recording r;
    r.frame_rate = 30.0;
    for (const double size : {0.1, 8.0}) {
        auto asset = std::make_shared<SurfaceAsset>();
        asset->surface = test::sphere_mesh(0.5 * size, 1);
        RecordedBody& body = r.bodies.emplace_back();
        body.shapes = {asset->surface.points};
        body.asset = asset;
    }
    for (int f = 0; f < 45; ++f) {
        Frame& frame = r.frames.emplace_back();
        frame.time = f / 30.0;
        frame.bodies.resize(2);
        const double fallen = std::min(0.5, 5.0 * frame.time * frame.time);
        frame.bodies[0].pose_w.translation = Vec3(0, 0.55 - fallen, 0);
        frame.bodies[1].pose_w.translation = Vec3(0, 4 + frame.time, -4.2);
    }
    r.hits.emplace_back().time = 0.32;
    const SceneCamera camera;
    const CameraPath path(camera, r, 16.0 / 9.0);
    const double half = std::tan(0.5 * camera.field_of_view_deg * kPi / 180.0);
    for (const Frame& frame : r.frames) {
        const CameraKey key = path.at(frame.time);
        const Vec3 ahead = (key.target_w - key.eye_w).normalized();
        const Vec3 to_body = frame.bodies[0].pose_w.translation - key.eye_w;
        const double depth = to_body.dot(ahead);
        CHECK((to_body - depth * ahead).norm() + 0.05 < half * depth);
    }
}
