// SPDX-License-Identifier: MIT
#include <ductile/scene/scene_file.h>
#include <ductile/scene/surroundings.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("a scene's surroundings are its ground, its film camera and its sun") {
    Recording recording;
    recording.frames.resize(3);
    for (int f = 0; f < 3; ++f) recording.frames[f].time = f / 30.0;
    Scene scene;
    scene.ground.height = 0.25;
    scene.camera.eye_w = Vec3(1, 2, 3);
    scene.camera.target_w = Vec3(0, 1, 0);
    FilmSet set = surroundings(scene, recording);
    REQUIRE(set.ground);
    CHECK(set.ground->height == 0.25);
    REQUIRE(set.camera);
    CHECK(set.camera->poses_w.size() == 1);
    CHECK(set.camera->poses_w[0].translation == Vec3(1, 2, 3));
    CHECK(test::near(set.camera->aspect, 640.0 / 360.0));
    REQUIRE(set.sun);
    CHECK(set.sun->direction_w == scene.picture.sun_direction_w);

    scene.camera.turn_time = 2.0;
    scene.ground.is_on = false;
    scene.picture.sun_direction_w = Vec3(1, -1, 0);  // below the horizon
    set = surroundings(scene, recording);
    CHECK(set.camera->poses_w.size() == 3);
    CHECK_FALSE(set.ground);
    CHECK_FALSE(set.sun);
    scene.outputs.surroundings = false;
    CHECK(surroundings(scene, recording).empty());
}
