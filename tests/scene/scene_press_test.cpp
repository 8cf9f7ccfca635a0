// SPDX-License-Identifier: MIT
#include <ductile/scene/check_scene.h>
#include <ductile/scene/scene_file.h>
#include <ductile/scene/scene_press.h>

#include <doctest/doctest.h>
#include <scene/scripted_run.h>
#include <support/near.h>

using namespace ductile;

namespace {

const char* const kText = R"({
  "duration": 0.4, "frame_rate": 10, "step_rate": 20,
  "bodies": {
    "ball": { "solid": { "kind": "sphere", "size": [1, 1, 1], "resolution": 0.1 }, "motion": "kinematic",
              "keys": [ { "time": 0, "position": [0, 0.6, 0] },
                        { "time": 0.2, "position": [0, 0.4, 0], "rotation": { "axis": [0, 1, 0], "angle_deg": 40 } } ] },
    "floor": { "solid": { "kind": "box", "size": [3, 1, 3] }, "motion": "static", "position": [0, -0.5, 0] }
  },
  "press": [ { "soft": "ball", "by": ["floor"], "options": { "stiffness": 0.2 } } ]
})";

LoadedScene with(const std::vector<std::string>& overrides) {
    return parse_scene(kText, "scene", overrides);
}

std::string only_error(const std::vector<std::string>& overrides) {
    const LoadedScene loaded = with(overrides);
    REQUIRE(loaded.errors.size() == 1);
    return loaded.errors[0].text();
}

}  // namespace

TEST_CASE("a scene's soft body is pressed where its keys take it") {
    const LoadedScene loaded = with({});
    REQUIRE(loaded.ok());
    const Scene& scene = loaded.scene;
    Recording recording = test::run_scripted(scene).recording;
    for (const Frame& frame : recording.frames) {
        const Transform expected = pose_at(scene.bodies[0].keys, frame.time);
        CHECK((frame.bodies[0].pose_w.translation - expected.translation).norm() < 1e-12);
        CHECK(frame.bodies[0].pose_w.rotation.angularDistance(expected.rotation) < 1e-7);
    }
    const auto done = press_scene(scene, recording);
    REQUIRE(done.ok());
    CHECK(recording.frames[0].bodies[0].shape == 0);
    CHECK(recording.frames[4].bodies[0].shape > 0);
    const Json report = press_json(recording, done.value());
    CHECK(report[0]["soft"] == "ball");
    CHECK(report[0]["most_zones"] == 1);
    CHECK(report[0]["fallbacks"] == 0);
    CHECK(std::abs(report[0]["volume_change_share"].get<double>()) < 0.02);
    CHECK(press_summary(recording, done.value()).size() == 1);
}

TEST_CASE("notes of frames that differ by numbers alone are one, with the largest") {
    Recording recording;
    recording.bodies.resize(1);
    recording.bodies[0].name = "ball";
    recording.frames.resize(9);
    PressResult result;
    for (const auto& [frame, note] :
         {std::pair(3, "8 folds, 0.02 m"), std::pair(4, "12 folds, 1e-05 m"),
          std::pair(5, "12 folds, 1e-06 m"), std::pair(5, "a rod")}) {
        if (result.frames.empty() || result.frames.back().frame != frame) {
            result.frames.emplace_back().frame = frame;
        }
        result.frames.back().report.notes.push_back(note);
    }
    const std::vector<std::string> lines = press_summary(recording, std::span(&result, 1));
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == "ball, 3 frames from 3 on, most in frame 4: 12 folds, 1e-05 m");
    CHECK(lines[2] == "ball, 1 frames from 5 on: a rod");
    const Json notes = press_json(recording, std::span(&result, 1))[0]["notes"];
    REQUIRE(notes.size() == 2);
    CHECK(notes[0] ==
          Json{{"what", "12 folds, 1e-05 m"}, {"frames", 3}, {"first", 3}, {"shown", 4}});
}

TEST_CASE("a scene with keys and presses reads back to the same bits") {
    const LoadedScene loaded = with({"press.0.options.bulge=0.3"});
    REQUIRE(loaded.ok());
    CHECK(loaded.scene.press[0].setup.options.bulge == 0.3);
    const std::string text = scene_text(loaded.scene);
    CHECK(scene_text(parse_scene(text, "again").scene) == text);
}

TEST_CASE("presses and keys that cannot be are refused with their place") {
    CHECK(only_error({"press.0.soft=bal"}).find("'ball'") != std::string::npos);
    CHECK(only_error({"press.0.by.0=ball"}).find("does not press itself") != std::string::npos);
    CHECK(only_error({"press.0.by=[]"}).find("/press/0/by") != std::string::npos);
    CHECK(only_error({R"(press.0.by=["floor","floor"])"}).find("twice") != std::string::npos);
    CHECK(only_error({"press.0.options.bulge_at=0.9"}).find("/press/0/options/fade_from") !=
          std::string::npos);
    CHECK(only_error({"bodies.ball.motion=static"}).find("kinematic") != std::string::npos);
    CHECK(only_error({"bodies.ball.keys.1.time=0"}).find("/keys/1/time") != std::string::npos);
    CHECK(only_error({"bodies.ball.spin.x=1"}).find("velocity and spin") != std::string::npos);
    CHECK(only_error({"bodies.ball.collider_inset=0.5"}).find("leaves nothing") !=
          std::string::npos);
    CHECK(only_error({"bodies.ball.collider_inset=0.1", "bodies.ball.layers.dent.fade=0"})
              .find("layers") != std::string::npos);
}

TEST_CASE("copies with keys keep their distance") {
    const LoadedScene loaded = with({"bodies.ball.copies.count=[2,1,1]",
                                     "bodies.ball.copies.spacing=[4,1,1]", "press.0.soft=ball-2"});
    REQUIRE(loaded.ok());
    const Recording recording = test::run_scripted(loaded.scene).recording;
    for (const Frame& frame : recording.frames) {
        const Vec3 apart = frame.bodies[1].pose_w.translation - frame.bodies[0].pose_w.translation;
        CHECK((apart - Vec3(4, 0, 0)).norm() < 1e-12);
    }
}

TEST_CASE("a body collides as far below its surface as its inset says") {
    const auto collider = [](const std::vector<std::string>& overrides) {
        const LoadedScene loaded = with(overrides);
        REQUIRE(loaded.ok());
        return prepare_bodies(loaded.scene).value()[0].model.collider;
    };
    const std::string inset = "bodies.ball.collider_inset=0.1";
    CHECK(test::near(std::get<SphereCollider>(collider({inset})).radius, 0.4));
    CHECK(test::near(
        std::get<BoxCollider>(collider({inset, "bodies.ball.solid.kind=box"})).size.x(), 0.8));
    const Collider pieces = collider({inset, "bodies.ball.collider=pieces"});
    for (const ColliderPiece& piece : std::get<PieceCollider>(pieces).pieces) {
        for (const Vec3& p : piece.points) CHECK(p.norm() < 0.402);
    }
}

TEST_CASE("a scene's press takes maps, detail, refinement, proxies and shares") {
    const auto shapes = [](const std::vector<std::string>& overrides) {
        const LoadedScene loaded = with(overrides);
        REQUIRE(loaded.ok());
        Recording recording = test::run_scripted(loaded.scene).recording;
        const auto done = press_scene(loaded.scene, recording);
        REQUIRE(done.ok());
        CHECK(recording.frames[0].bodies[0].shape == 0);
        CHECK(recording.frames[4].bodies[0].shape > 0);
        const auto last = static_cast<std::size_t>(recording.frames[4].bodies[0].shape);
        return std::pair(recording.bodies[0].shapes[last], recording.bodies[1].shapes.size());
    };
    const auto plain = shapes({});
    CHECK(shapes({"press.0.maps.bulge.formula=1"}) == plain);
    CHECK(shapes({"press.0.maps.stiffness.formula=0.3 + (x > 0)"}) != plain);
    CHECK(shapes({"press.0.maps.bulge.formula=1 + x"}) != plain);
    CHECK(shapes({"press.0.detail.rounds=3"}) != plain);
    CHECK(shapes({"press.0.proxy.direction=[0,-1,0]"}).first.size() == plain.first.size());
    // Deeper, where edges are stretched.
    CHECK(shapes({"press.0.refine.edge=0.8", "press.0.options.stiffness=0.02",
                  "bodies.ball.keys.1.position.y=0.25"})
              .first.size() > plain.first.size());
    const auto both = shapes({"press.0.both.share=0.5"});
    CHECK(both.second > 1);  // the floor gave way, too
    CHECK(plain.second == 1);
    CHECK(both.first != plain.first);
}

TEST_CASE("parts of a press that do not go together are refused with their place") {
    const auto reports = [](const std::vector<std::string>& overrides, const char* word) {
        return only_error(overrides).find(word) != std::string::npos;
    };
    CHECK(reports({"press.0.refine.edge=1", "press.0.detail.rounds=3"}, "/press/0/refine"));
    CHECK(reports({"press.0.both.share=0.5", "press.0.detail.rounds=3"}, "/press/0/both"));
    CHECK(reports({"press.0.both.share=2"}, "outside the range 0 to 1"));
    CHECK(reports({"press.0.both.options.fade_from=0.21"}, "/press/0/both/options/fade_from"));
    CHECK(reports({"press.0.maps.bulge.formula=1 + w"}, "character 5"));
    CHECK(reports({"press.0.maps.bulge.black=0.5"}, "one of formula, file and colour"));
    CHECK(reports({"press.0.maps.bulge.file=a.txt", "press.0.maps.bulge.colour=red"}, "leave"));
    CHECK(
        reports({"press.0.both.maps.stiffness.formula=("}, "/press/0/both/maps/stiffness/formula"));
    CHECK(reports({"press.0.detail.rounds=0"}, "outside the range 1 to 1000"));
}

TEST_CASE("a map that cannot be read is refused with its place when its turn comes") {
    const auto is_refused = [](const std::string& map, const char* word) {
        const LoadedScene loaded = with({map});
        REQUIRE(loaded.ok());
        Recording recording = test::run_scripted(loaded.scene).recording;
        const auto done = press_scene(loaded.scene, recording);
        REQUIRE_FALSE(done.ok());
        const std::string text = done.error().text();
        return text.find("#/press/0/maps") != std::string::npos &&
               text.find(word) != std::string::npos;
    };
    CHECK(is_refused("press.0.maps.bulge.file=no such file.txt", "no such file.txt"));
    CHECK(is_refused("press.0.maps.bulge.colour=red", "no vertex colours"));
    CHECK(is_refused("press.0.maps.bulge.formula=-1", "not in"));
    CHECK(is_refused("press.0.maps.stiffness.formula=1 / x", "no value"));
}

TEST_CASE("a press of a scene takes keys and a region of what presses") {
    const LoadedScene keyed =
        with({R"(press.0.keys=[{"time": 0.2, "bulge": 0}, {"time": 0.4, "bulge": 1}])"});
    REQUIRE(keyed.ok());
    const LoadedScene whole = with({"press.0.options.bulge=1"});
    REQUIRE(whole.ok());
    Recording plain = test::run_scripted(whole.scene).recording, changed = plain;
    REQUIRE(press_scene(whole.scene, plain).ok());
    REQUIRE(press_scene(keyed.scene, changed).ok());
    const auto shown = [](const Recording& recording, std::size_t frame) {
        return recording.bodies[0]
            .shapes[static_cast<std::size_t>(recording.frames[frame].bodies[0].shape)];
    };
    const auto apart = [&](std::size_t frame) {
        const auto a = shown(plain, frame), b = shown(changed, frame);
        double most = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
        return most;
    };
    CHECK(apart(4) < 1e-9);
    CHECK(apart(3) > 1e-6);
    const LoadedScene cut = with({R"(press.0.rigid_region={"formula": "y < 0.4"})"});
    REQUIRE(cut.ok());
    Recording untouched = test::run_scripted(cut.scene).recording;
    const auto done = press_scene(cut.scene, untouched);
    REQUIRE(done.ok());
    CHECK(untouched.frames[4].bodies[0].shape == 0);
    CHECK(only_error({R"(press.0.keys=[{"time": 1}])"}).find("/press/0/keys/0") !=
          std::string::npos);
    CHECK(only_error({R"(press.0.rigid_region={})"}).find("/press/0/rigid_region") !=
          std::string::npos);
}
