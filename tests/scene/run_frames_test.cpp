// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <scene/scripted_run.h>
#include <support/near.h>

using namespace ductile;

namespace {

Scene scene_of(double duration, double frame_rate, double step_rate) {
    Scene scene;
    scene.duration = duration;
    scene.frame_rate = frame_rate;
    scene.step_rate = step_rate;
    scene.ground.is_on = false;
    SceneBody& body = scene.bodies.emplace_back();
    body.name = "box";
    body.velocity = Vec3(1, 0, 0);
    return scene;
}

}  // namespace

TEST_CASE("a run has a frame at its start and one for every frame time up to its end") {
    const test::ScriptedRun whole = test::run_scripted(scene_of(0.5, 10, 40));
    REQUIRE(whole.status.ok());
    REQUIRE(whole.recording.frames.size() == 6);
    CHECK(whole.steps == 20);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(test::near(whole.recording.frames[i].time, 0.1 * static_cast<double>(i)));
    }
}

TEST_CASE("a duration of whole frames loses none of them to rounding") {
    CHECK(frame_count(scene_of(0.7, 10, 10)) == 8);  // 0.7 * 10 is below 7
    CHECK(frame_count(scene_of(0.0, 30, 240)) == 1);
    CHECK(frame_count(scene_of(4.0, 30, 240)) == 121);
    CHECK(frame_count(scene_of(4.0, 30, 240), 20) == 20);
    CHECK(frame_count(scene_of(0.1, 30, 240), 20) == 4);
}

TEST_CASE("a run that may not go on keeps the frames it has and says why it ended") {
    int asked = 0;
    std::vector<double> shares;
    const test::ScriptedRun stopped = test::run_scripted(
        scene_of(1.0, 10, 20),
        {.may_go_on =
             [&] {
                 return ++asked <= 3 ? Status() : Status(Error{"enough", "", ""});
             },
         .progress = [&](std::string_view, double share) { shares.push_back(share); }});
    REQUIRE(!stopped.status.ok());
    CHECK(stopped.status.error().what == "enough");
    CHECK(stopped.recording.frames.size() == 4);
    CHECK(shares == std::vector<double>{0.1, 0.2, 0.3});
}
