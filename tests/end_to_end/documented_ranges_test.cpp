// SPDX-License-Identifier: MIT
// Every number that docs/scene-format.md lists, at both ends of its range and just inside.
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/camera_path.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/scene_file.h>
#include <ductile/scene/scene_press.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/field_numbers.h>
#include <support/sanitized.h>
#include <support/temp_folder.h>

#include <algorithm>

using namespace ductile;

namespace {

// Together they fill every list of a scene: bodies with and without layers, all kinds of records,
// keys, copies, parts, tables, presses with maps.
const char* const kRangedScenes[] = {
    R"({"frame_rate": 60, "step_rate": 120, "duration": 1,
  "bodies": {
    "drum": {"solid": {"kind": "barrel", "size": [0.6, 0.9, 0.6], "resolution": 0.25},
             "thickness": 0.002, "position": [0, 0.455, 0], "velocity": [0.5, -3, 0], "spin": [1, 0, 0],
             "colours": [[1, 0, 0]], "copies": {"spacing": [3, 3, 3]}, "pieces": {"tolerance": 0.5},
             "material_changes": {"yield_stress": 1e8, "density": 7000},
             "layers": {"dent": {"smoothing": 0.5}}},
    "slab": {"solid": {"kind": "box", "size": [4, 0.2, 4], "rounding": 0.05, "resolution": 0.5},
             "motion": "static", "position": [0, -0.1, 0],
             "copies": {"count": [3, 1, 1], "spacing": [5, 5, 5]}}},
  "ground": {"is_on": true, "height": -0.2},
  "camera": {"keys": [{"time": 0.1}, {"time": 0.2, "eye": [5, 3, 2]}], "follow": "drum"},
  "outputs": {"poster_time": 0.1}})",
    R"({"frame_rate": 60, "step_rate": 120, "duration": 1, "gravity": [0, 0, 0],
  "ground": {"is_on": false},
  "bodies": {
    "plank": {"mesh": "plank.obj", "material": "lead", "pieces": {"tolerance": 0.5},
              "position": [0, 0.3, 0], "velocity": [0, -4, 0], "mass": 5,
              "layers": {"dent": {"shape": {"source": "table",
                "table": [{"distance": 0, "depth": 0.02}, {"distance": 0.1, "depth": 0}]},
                "duration": 0.01, "rim": 0.5, "fade": 0.05}}},
    "ring": {"solid": {"kind": "torus", "size": [0.8, 0.2, 0.8], "tube": 0.1, "resolution": 0.2},
             "position": [0, 0, 0], "material": "copper", "pieces": {"tolerance": 0.5},
             "layers": {"dent": {"radius": 0.1, "depth_limit": 0.05, "total_limit": 0.1}}}},
  "hits": [
    {"body": "plank", "time": 0.01, "dent": {"position": [0, 0.05, 0], "direction": [0, -1, 0],
      "starts": [{"position": [0.1, 0.05, 0]}], "from": [1, 0, 0], "slant_deg": 20}},
    {"body": "plank", "frame": 0, "bend": {"position": [0.1, 0, 0], "along": [1, 0, 0], "axis": [0, 0, 1]}},
    {"body": "ring", "time": 0, "duration": 0.02, "refine": {"position": [0.3, 0, 0], "radius": 0.2,
      "longest_edge": 0.1}},
    {"body": "ring", "time": 0.01, "dent": {"position": [0.3, 0.1, 0], "depth": 0.02, "radius": 0.1},
     "shape": {"source": "projectile", "projectile": "plank"}}]})",
    R"({"frame_rate": 20, "step_rate": 40, "duration": 1, "ground": {"is_on": false},
  "bodies": {
    "pear": {"solid": {"kind": "blend", "blend": 0.1, "resolution": 0.2, "parts": [
               {"from": [0, 0, 0], "to": [0, 0.4, 0], "radius": 0.5, "end_radius": 0.3}]},
             "motion": "kinematic", "material": "rubber",
             "keys": [{"time": 0, "position": [0, 0.7, 0]},
                      {"time": 0.05, "position": [0, 0.6, 0]}]},
    "ball": {"solid": {"kind": "sphere", "size": [0.4, 0.4, 0.4], "resolution": 0.2},
             "position": [2, 1, 0], "collider_inset": 0.02},
    "floor": {"solid": {"kind": "box", "size": [3, 1, 3], "resolution": 1}, "motion": "static",
              "position": [0, -0.5, 0]}},
  "press": [
    {"soft": "pear", "by": ["floor"], "options": {"stiffness": 0.2, "wrinkles": 0.1}, "detail": {},
     "maps": {"stiffness": {"formula": "1 + 0.1 * x"}, "bulge": {"formula": "1"}}},
    {"soft": "pear", "by": ["ball"], "both": {}},
    {"soft": "pear", "by": ["floor"], "refine": {}},
    {"soft": "pear", "by": ["ball"], "proxy": {}}]})",
    R"({"frame_rate": 60, "step_rate": 120, "duration": 1,
  "bodies": {
    "post": {"solid": {"kind": "box", "size": [0.4, 1, 0.4], "resolution": 0.25},
             "position": [0, 0.51, 0], "velocity": [0, -6, 0], "pieces": {"tolerance": 0.5},
             "layers": {"example": {"rig": "post.rig.json"}}}},
  "hits": [
    {"body": "post", "time": 0.01, "example": {"position": [0, 0.5, 0], "starts": [{"position": [0.1, 0.5, 0]}],
      "changes": {"leaning": {"change": 0.5}}}}]})",
};

// A post of 1 m that can lean.
const char* const kPostRig =
    R"({"solid": {"kind": "box", "size": [0.4, 1, 0.4], "resolution": 0.25},
  "nodes": 40, "handles": {"foot": {"place": [0, -0.4, 0]}, "top": {"place": [0, 0.4, 0]}},
  "poses": {"leaning": {"handles": {"top": {"move": [0.2, -0.1, 0]}}}}})";

// A board of 1.2 x 0.1 x 0.3 m.
const char* const kBoard = R"(v -0.6 -0.05 -0.15
v 0.6 -0.05 -0.15
v 0.6 0.05 -0.15
v -0.6 0.05 -0.15
v -0.6 -0.05 0.15
v 0.6 -0.05 0.15
v 0.6 0.05 0.15
v -0.6 0.05 0.15
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f 2 3 7 6
f 4 1 5 8
)";

Scene ranged_scene(const char* text, const std::filesystem::path& folder) {
    const LoadedScene loaded = parse_scene(text, "ranges.json", {}, folder);
    for (const Error& e : loaded.errors) FAIL(e.text());
    return loaded.scene;
}

// Steps of one run: enough to touch, dent, refine and press.
constexpr int kRangedSteps = 4;

bool is_clear(const Error& error) { return !error.what.empty() && !error.where.empty(); }

/// Numbers that a body of this scene does not look at: how a file is read where there is none.
bool is_idle(const Scene& scene, const std::string& path) {
    return path.find(".mesh_options.") != path.npos &&
           std::none_of(scene.bodies.begin(), scene.bodies.end(), [&](const SceneBody& body) {
               return path.starts_with("bodies." + body.name + ".") && !body.mesh.empty();
           });
}

/// Numbers of pictures and files: what is drawn and written with them is the command's, and
/// `./ductile attack` tries them there.
bool is_drawn(const std::string& path) {
    return path.starts_with("picture.") || path.starts_with("outputs.");
}

/// Sets a number and what goes along with it: a body of ten kilometres has triangles to match.
void set_number(Scene& scene, std::size_t index, double value) {
    const test::FieldNumber number = test::numbers_of(scene)[index];
    number.set(value);
    if (number.path.find(".resolution") != number.path.npos) return;
    for (SceneBody& body : scene.bodies) {
        if (!number.path.starts_with("bodies." + body.name + ".solid.")) continue;
        body.solid.resolution = std::max(body.solid.resolution, 0.2 * body.solid.size.maxCoeff());
    }
}

struct RangedCase {
    std::size_t number = 0;  ///< Among test::numbers_of the scene.
    std::string path;
    double value = 0.0;
};

std::vector<RangedCase> ranged_cases(Scene scene) {
    std::vector<RangedCase> cases;
    const std::vector<test::FieldNumber> numbers = test::numbers_of(scene);
    std::size_t index = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (is_idle(scene, numbers[i].path)) continue;
        for (const double value : numbers[i].extremes()) {
            // One in many under the sanitizers.
            if (test::kIsSanitized && index++ % 11 != 0) continue;
            cases.push_back({i, numbers[i].path, value});
        }
    }
    return cases;
}

/// What is wrong with how a scene fared; "" if it ran, or was refused with a message.
std::string ranged_outcome(const Scene& scene, bool has_world = true) {
    const std::vector<Error> mistakes = check_scene(scene);
    for (const Error& e : mistakes) {
        if (!is_clear(e)) return "a mistake without words: " + e.text();
    }
    if (!mistakes.empty() || !has_world) return "";
    const auto bodies = prepare_bodies(scene);
    if (!bodies) return is_clear(bodies.error()) ? "" : "an error without words";
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    Simulation simulation(*engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    if (!ids) return is_clear(ids.error()) ? "" : "an error without words";
    recorder.capture(simulation);
    for (int i = 0; i < kRangedSteps; ++i) simulation.step(1.0 / scene.step_rate);
    recorder.capture(simulation);
    for (const ObjectId id : ids.value()) {
        if (!is_finite(simulation.motion(id).pose_w)) return "a pose that is not finite";
        if (!simulation.is_deformable(id)) continue;
        for (const Vec3& p : simulation.state(id).points()) {
            if (!is_finite(p)) return "a point that is not finite";
        }
    }
    Recording recording = std::move(recorder).finish(simulation);
    const CameraKey view = CameraPath(scene.camera, recording).at(simulation.time());
    if (!is_finite(view.eye_w) || !is_finite(view.target_w)) return "a view that is not finite";
    if (const auto pressed = press_scene(scene, recording); !pressed) {
        return is_clear(pressed.error()) ? "" : "a press's error without words";
    }
    return "";
}

}  // namespace

TEST_CASE("every documented number runs, or is refused with a message, at the ends of its range") {
    const test::TempFolder folder;
    folder.write("plank.obj", kBoard);
    folder.write("post.rig.json", kPostRig);
    for (const char* text : kRangedScenes) {
        const Scene base = ranged_scene(text, folder.path);
        CHECK(ranged_outcome(base) == "");
        const std::vector<RangedCase> cases = ranged_cases(base);
        CHECK(cases.size() > (test::kIsSanitized ? 30 : 300));
        std::vector<std::string> outcomes(cases.size());
        parallel_for(cases.size(), 1, [&](std::size_t i) {
            Scene scene = base;
            set_number(scene, cases[i].number, cases[i].value);
            outcomes[i] = ranged_outcome(scene, !is_drawn(cases[i].path));
        });
        for (std::size_t i = 0; i < cases.size(); ++i) {
            CHECK_MESSAGE(outcomes[i] == "",
                          fmt::format("{} = {}: {}", cases[i].path, cases[i].value, outcomes[i]));
        }
    }
}
