// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/scene/camera_path.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/material_changes.h>
#include <ductile/scene/scene.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace ductile;

namespace {

/// A scene in which every list and every optional is filled.
Scene full_scene() {
    Scene s;
    s.name = "full";
    s.description = "all of it";
    s.gravity = Vec3(0.1, -1.0 / 3.0, 0);
    SceneBody body;
    body.name = "ball";
    body.solid.kind = SolidKind::Sphere;
    body.position = Vec3(0, 5, 0);
    body.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    body.velocity = Vec3(-12, 0, 0.1);
    body.material_changes.numbers[1] = 0.25e9;
    body.material_changes.vectors[0] = Vec3(0.1, 0.2, 0.3);
    body.colours = {Vec3(1, 0, 0), Vec3(0, 1, 0)};
    body.layers.dent = DentOptions{.radius = 0.3};
    body.copies.count = {2, 1, 1};
    body.copies.spacing = Vec3(3, 3, 3);
    s.bodies = {body, body};
    s.bodies[1].name = "other one";
    s.bodies[1].position.z() = 9.0;
    s.hits.resize(1);
    s.hits[0].body = "ball-2";
    s.hits[0].frame = 3;
    s.hits[0].record = RecordFields(DentHit{});
    s.camera.keys = {{0.0, Vec3(1, 2, 3), Vec3(0, 0, 0)}, {1.5, Vec3(3, 2, 1), Vec3(0, 1, 0)}};
    s.outputs.poster_time = 0.7;
    s.outputs.damage = false;
    s.outputs.ply = true;
    s.picture.colour_by = ColourBy::Strain;
    s.picture.colour_range = 0.25;
    return s;
}

const Error* error_at(const std::vector<Error>& errors, std::string_view where) {
    for (const Error& e : errors) {
        if (e.where == where) return &e;
    }
    return nullptr;
}

std::string all_of(const std::vector<Error>& errors) {
    std::string text;
    for (const Error& e : errors) text += e.text() + "\n";
    return text;
}

bool has_text(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Applies a change to a good scene and expects exactly one complaint, at `where`.
template <class Change>
Error complaint(std::string_view where, Change&& change) {
    Scene s = full_scene();
    change(s);
    const std::vector<Error> errors = check_scene(s);
    const Error* found = error_at(errors, where);
    REQUIRE_MESSAGE(found, std::string(where) << " expected, found: " << all_of(errors));
    CHECK_MESSAGE(errors.size() == 1, all_of(errors));
    return *found;
}

}  // namespace

TEST_CASE("a scene with everything in it comes back from its text with the same bits") {
    const Scene before = full_scene();
    REQUIRE_MESSAGE(check_scene(before).empty(), all_of(check_scene(before)));
    const std::string text = scene_text(before);
    const LoadedScene after = parse_scene(text, "test");
    REQUIRE_MESSAGE(after.ok(), all_of(after.errors));
    CHECK(scene_text(after.scene) == text);
    CHECK(after.scene.gravity == before.gravity);
    CHECK(after.scene.bodies[0].rotation.coeffs() == before.bodies[0].rotation.coeffs());
    CHECK(after.scene.bodies[1].name == "other one");
    CHECK(after.scene.bodies[0].layers.dent->radius == 0.3);
    CHECK(after.scene.hits[0].frame == 3);
    CHECK_FALSE(after.scene.hits[0].time.has_value());
}

TEST_CASE("the shortest scene is one body with every default") {
    const LoadedScene loaded =
        parse_scene(R"({"bodies": {"box": {"position": [0, 2, 0]}}})", "short");
    REQUIRE_MESSAGE(loaded.ok(), all_of(loaded.errors));
    CHECK(loaded.scene.bodies[0].motion == Motion::Dynamic);
    CHECK(loaded.scene.bodies[0].layers.is_empty());
}

TEST_CASE("material changes alter just what they name, by the card's own list") {
    const LoadedScene loaded = parse_scene(
        R"({"bodies": {"a": {"position": [0, 2, 0], "material": "copper",
            "material_changes": {"yield_stress": 1.5e8, "colour": [0, 0, 1]}}}})",
        "test");
    REQUIRE_MESSAGE(loaded.ok(), all_of(loaded.errors));
    const Material card = find_material("copper").value();
    const Material m = changed(card, loaded.scene.bodies[0].material_changes);
    CHECK(m.yield_stress == 1.5e8);
    CHECK(m.colour == Vec3(0, 0, 1));
    CHECK(m.density == card.density);
    CHECK(m.roughness == card.roughness);
    CHECK(m.name == "copper");
    const LoadedScene wrong = parse_scene(
        R"({"bodies": {"a": {"position": [0, 2, 0], "material_changes": {"density": -1}}}})", "t");
    CHECK(error_at(wrong.errors, "t#/bodies/a/material_changes/density"));
}

TEST_CASE("field mistakes and cross-field mistakes are reported in one pass") {
    const LoadedScene loaded = parse_scene(R"({
        "step_rate": 100, "duratoin": 3,
        "bodies": {
            "ball": {"material": "stel", "mass": -5, "motion": "static", "velocity": [1, 0, 0]},
            "box": {"solid": {"kind": "bax", "size": [1, 0, 1]}}
        },
        "hits": [{"body": "bal", "time": 1, "dent": {"radius": 0}}, {"body": "ball", "frame": 999}]
    })",
                                           "f.json");
    for (const char* where :
         {"f.json#/step_rate", "f.json#/duratoin", "f.json#/bodies/ball/material",
          "f.json#/bodies/ball/mass", "f.json#/bodies/ball/motion", "f.json#/bodies/box/solid/kind",
          "f.json#/bodies/box/solid/size", "f.json#/hits/0/body", "f.json#/hits/0/dent/radius",
          "f.json#/hits/1", "f.json#/hits/1/body", "f.json#/hits/1/frame"}) {
        CHECK_MESSAGE(error_at(loaded.errors, where), where << " in\n" << all_of(loaded.errors));
    }
    CHECK(loaded.errors.size() == 12);
    CHECK(has_text(error_at(loaded.errors, "f.json#/duratoin")->hint, "'duration'"));
    CHECK(has_text(error_at(loaded.errors, "f.json#/bodies/ball/material")->hint, "'steel'"));
    CHECK(has_text(error_at(loaded.errors, "f.json#/bodies/box/solid/kind")->hint, "'box'"));
    CHECK(has_text(error_at(loaded.errors, "f.json#/hits/0/body")->hint, "'ball'"));
    CHECK(has_text(error_at(loaded.errors, "f.json#/step_rate")->hint, "90"));
}

TEST_CASE("each rule of a scene names the field that breaks it") {
    CHECK(has_text(complaint("/step_rate", [](Scene& s) { s.step_rate = 239; }).hint, "240"));
    CHECK(has_text(complaint("/step_rate", [](Scene& s) { s.step_rate = 15; }).hint, "30"));
    complaint("/duration", [](Scene& s) {
        s.hits.clear();
        s.outputs.poster_time.reset();
        s.duration = 0.0;
    });
    complaint("/duration", [](Scene& s) { s.duration = 1e5; });
    complaint("/ground/material", [](Scene& s) { s.ground.material = "sand"; });
    complaint("/bodies/ball/copies", [](Scene& s) {
        s.bodies[1].name = "ball-1";
        s.bodies[1].copies.count = {1, 1, 1};
        std::swap(s.bodies[0], s.bodies[1]);
    });
    complaint("/bodies/ball", [](Scene& s) {
        s.bodies[1].name = "ball";
        s.bodies[0].copies.count = s.bodies[1].copies.count = {1, 1, 1};
        s.hits.clear();
    });
    complaint("/bodies/ball/solid/size", [](Scene& s) { s.bodies[0].solid.size = Vec3(1, 0, 1); });
    complaint("/bodies/ball/solid/rounding", [](Scene& s) { s.bodies[0].solid.rounding = 0.6; });
    complaint("/bodies/ball/solid/tube", [](Scene& s) {
        s.bodies[0].solid.kind = SolidKind::Torus;
        s.bodies[0].solid.tube = 0.3;
    });
    complaint("/bodies/ball/thickness", [](Scene& s) { s.bodies[0].thickness = 0.6; });
    complaint("/bodies/ball/thickness", [](Scene& s) { s.bodies[0].solid.kind = SolidKind::Car; });
    complaint("/bodies/ball/motion", [](Scene& s) { s.bodies[0].motion = Motion::Static; });
    complaint("/bodies/ball/collider",
              [](Scene& s) { s.bodies[0].collider = ColliderKind::Sphere; });
    complaint("/bodies/other one/collider", [](Scene& s) {
        s.bodies[1].layers.dent.reset();
        s.bodies[1].solid.size = Vec3(1, 1, 2);
        s.bodies[1].collider = ColliderKind::Sphere;
    });
    complaint("/bodies/other one/collider", [](Scene& s) {
        s.bodies[1].layers.dent.reset();
        s.bodies[1].collider = ColliderKind::HalfSpace;
    });
    complaint("/bodies", [](Scene& s) { s.bodies[0].copies.count = {1000, 1, 100}; });
    complaint("/camera/eye", [](Scene& s) { s.camera.eye_w = s.camera.target_w = Vec3(1, 1, 1); });
    complaint("/camera/keys/1/eye", [](Scene& s) { s.camera.keys[1].eye_w = Vec3(0, 1, 0); });
    complaint("/camera/keys/1/time", [](Scene& s) { s.camera.keys[1].time = 0.0; });
    complaint("/picture/sun_direction", [](Scene& s) { s.picture.sun_direction_w = Vec3::Zero(); });
    complaint("/outputs/poster_camera/follow", [](Scene& s) {
        s.outputs.poster_camera.emplace();
        s.outputs.poster_camera->follow = "nobody";
    });
    complaint("/hits/0/body", [](Scene& s) { s.hits[0].body = "ball"; });
    complaint("/hits/0/body", [](Scene& s) { s.bodies[0].layers.dent.reset(); });
    complaint("/hits/0", [](Scene& s) { s.hits[0].time = 1.0; });
    complaint("/hits/0", [](Scene& s) { s.hits[0].frame.reset(); });
    complaint("/hits/0", [](Scene& s) { s.hits[0].record = {}; });
    complaint("/hits/0/frame", [](Scene& s) { s.hits[0].frame = 121; });
    complaint("/hits/0/dent/direction",
              [](Scene& s) { s.hits[0].record.slot<DentHit>()->direction_b = Vec3::Zero(); });
}

TEST_CASE("a scene without bodies is refused") {
    const std::vector<Error> errors = check_scene(Scene{});
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].where == "/bodies");
}

TEST_CASE("numbers out of range are found in scenes made in code too") {
    complaint("/bodies/ball/velocity/1", [](Scene& s) {
        s.bodies[0].velocity.y() = std::numeric_limits<double>::quiet_NaN();
    });
    complaint("/frame_rate", [](Scene& s) { s.frame_rate = 1e9; });
    complaint("/bodies/a.b", [](Scene& s) { s.bodies[1].name = "a.b"; });
    complaint("/bodies/ball/copies/count/0", [](Scene& s) { s.bodies[0].copies.count[0] = 0; });
}

TEST_CASE("a misspelt field is one mistake, not two") {
    for (const char* text :
         {R"({"bodis": {"ball": {"position": [0, 3, 0]}}})",
          R"({"bodies": {"ball": {"position": [0, 3, 0], "layers": {"dent": {}}}},
              "hits": [{"boddy": "ball", "time": 0.1, "dent": {"position": [0, 0, 0]}}]})",
          R"({"bodies": {"ball": {"position": [0, 3, 0], "layers": {"dent": {}}}},
              "hits": [{"body": "ball", "tiem": 0.1, "dent": {"position": [0, 0, 0]}}]})",
          R"({"bodies": {"ball": {"position": [0, 3, 0], "layers": {"dents": {}}}},
              "hits": [{"body": "ball", "time": 0.1, "dent": {"position": [0, 0, 0]}}]})",
          R"({"bodies": {"ball": {"position": [0, 3, 0], "layer": {"dent": {}}}},
              "hits": [{"body": "ball", "time": 0.1, "dent": {"position": [0, 0, 0]}}]})"}) {
        const LoadedScene loaded = parse_scene(text, "t");
        CHECK_MESSAGE(loaded.errors.size() == 1, all_of(loaded.errors));
        CHECK(has_text(loaded.errors[0].hint, "did you mean"));
    }
}

TEST_CASE("a body is a solid or of a mesh file, not both; --set may change which") {
    const LoadedScene both = parse_scene(
        R"({"bodies": {"can": {"solid": {"kind": "box"}, "mesh": "can.obj", "position": [0, 3, 0]}}})",
        "t");
    const Error* refused = error_at(both.errors, "t#/bodies/can/solid");
    REQUIRE_MESSAGE(refused, all_of(both.errors));
    CHECK(has_text(refused->what, "not both"));
    const std::vector<std::string> mesh = {"bodies.can.mesh=can.obj"};
    const LoadedScene set = parse_scene(
        R"({"bodies": {"can": {"solid": {"kind": "box"}, "position": [0, 3, 0]}}})", "t", mesh);
    CHECK_MESSAGE(!error_at(set.errors, "t#/bodies/can/solid"), all_of(set.errors));
    CHECK(set.scene.bodies[0].mesh == "can.obj");
}

TEST_CASE("an angle too large to be a turn is refused where it stands") {
    const LoadedScene loaded = parse_scene(
        R"({"bodies": {"a": {"position": [0, 3, 0], "rotation": {"axis": [0, 1, 0], "angle_deg": 1e308}}}})",
        "t");
    REQUIRE(loaded.errors.size() == 1);
    CHECK(loaded.errors[0].where == "t#/bodies/a/rotation/angle_deg");
    CHECK(has_text(loaded.errors[0].what, "outside the range"));
}

TEST_CASE("overrides reach any field and are reported by their path") {
    const std::string text = R"({"bodies": {"ball": {"position": [0, 3, 0]}}})";
    const std::vector<std::string> good = {"bodies.ball.velocity.x=-12", "gravity.y=-1.6",
                                           "bodies.ball.layers.dent.radius=0.2",
                                           "bodies.ball.material=copper", "outputs.poster_time=1"};
    const LoadedScene loaded = parse_scene(text, "t", good);
    REQUIRE_MESSAGE(loaded.ok(), all_of(loaded.errors));
    CHECK(loaded.scene.bodies[0].velocity == Vec3(-12, 0, 0));
    CHECK(loaded.scene.gravity.y() == -1.6);
    REQUIRE(loaded.scene.bodies[0].layers.dent.has_value());
    CHECK(loaded.scene.bodies[0].layers.dent->radius == 0.2);
    CHECK(loaded.scene.outputs.poster_time == 1.0);
    const std::vector<std::string> bad = {"bodies.bal.mass=1", "gravity.y=low", "nonsense"};
    const LoadedScene refused = parse_scene(text, "t", bad);
    CHECK(refused.errors.size() == 3);
    CHECK(error_at(refused.errors, "--set bodies.bal.mass"));
    CHECK(error_at(refused.errors, "--set nonsense"));
}

TEST_CASE("a star stands for every body, and material.x for that field of all materials") {
    const std::string text = R"({"bodies": {"a": {}, "b": {"position": [5, 2, 0]}}})";
    const auto yields = [&](std::vector<std::string> overrides) {
        const LoadedScene loaded = parse_scene(text, "t.json", overrides);
        std::vector<double> out;
        for (const SceneBody& body : loaded.scene.bodies) {
            out.push_back(
                changed(find_material("steel").value(), body.material_changes).yield_stress);
        }
        return out;
    };
    CHECK(yields({"bodies.*.material_changes.yield_stress=7e6"}) == std::vector{7e6, 7e6});
    CHECK(yields({"material.yield_stress=3e6"}) == std::vector{3e6, 3e6});
    CHECK(yields({"material.yield=2e6"}) == std::vector{2e6, 2e6});
    CHECK(yields({"material.yield=2e6", "bodies.b.material_changes.yield_stress=9e6"}) ==
          std::vector{2e6, 9e6});
    for (const char* wrong : {"material.nonesuch=1", "bodies.*.nonesuch=1", "material.=1",
                              "material.r=1", "bodies.*=1", "*.a=1", "gravity.*=1"}) {
        const std::vector<std::string> one = {wrong};
        CHECK_FALSE(parse_scene(text, "t.json", one).ok());
    }
}

TEST_CASE("a camera may follow a body or one copy, not somebody who is not there") {
    const auto is_fine = [](const char* name) {
        const std::string text =
            std::string(
                R"({"bodies": {"a": {"position": [0, 2, 0], "copies": {"count": [2, 1, 1]}}},
                           "camera": {"follow": ")") +
            name + R"("}})";
        return parse_scene(text, "t.json").ok();
    };
    CHECK(is_fine("a-1"));
    CHECK(is_fine(""));
    CHECK_FALSE(is_fine("b"));
}

TEST_CASE("a file that is no scene gives an error and never more") {
    CHECK_FALSE(load_scene("no/such/file.json").ok());
    CHECK_FALSE(load_scene(".").ok());
    for (const char* text : {"", "[]", "null", "3", "{\"bodies\": []}", "{\"bodies\": {\"\": {}}}",
                             "{\"hits\": [[]], \"bodies\": {\"a\": 3}}", "{\"camera\": null}"}) {
        CHECK_FALSE(parse_scene(text, "t").ok());
    }
}

TEST_CASE("the camera passes through its keys, rests at the ends and never jumps") {
    SceneCamera camera;
    camera.eye_w = Vec3(4, 2, 6);
    CHECK(camera_at(camera, 3.0).eye_w == *camera.eye_w);
    camera.keys = {{1.0, Vec3(0, 0, 5), Vec3(0, 0, 0)},
                   {2.0, Vec3(4, 1, 5), Vec3(1, 0, 0)},
                   {4.0, Vec3(5, 1, 0), Vec3(0, 2, 0)}};
    for (const CameraKey& key : camera.keys) {
        CHECK((camera_at(camera, key.time).eye_w - key.eye_w).norm() < 1e-12);
        CHECK((camera_at(camera, key.time).target_w - key.target_w).norm() < 1e-12);
    }
    CHECK(camera_at(camera, 0.0).eye_w == camera.keys.front().eye_w);
    CHECK(camera_at(camera, 9.0).eye_w == camera.keys.back().eye_w);
    const double h = 1e-3;
    Vec3 last_velocity = Vec3::Zero();
    for (double t = 0.5; t < 4.5; t += h) {
        const Vec3 velocity = (camera_at(camera, t + h).eye_w - camera_at(camera, t).eye_w) / h;
        CHECK((velocity - last_velocity).norm() < 0.1);
        last_velocity = velocity;
    }
}
