// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/record/shown_hash.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/reason.h>
#include <support/temp_folder.h>

using namespace ductile;

namespace {

// Nothing here has a layer: all that changes shape does so by the press.
const char* const kPressOnly = R"({
  "duration": 0.2, "frame_rate": 10, "step_rate": 20, "ground": {"is_on": false},
  "bodies": {
    "ball": {"mesh": "meshes/ball.obj", "motion": "kinematic",
             "keys": [{"time": 0, "position": [0, 0.9, 0]}, {"time": 0.2, "position": [0, 0.45, 0]}]},
    "floor": {"solid": {"kind": "box", "size": [3, 1, 3]}, "motion": "static", "position": [0, -0.5, 0],
              "is_hidden": true}
  },
  "press": [{"soft": "ball", "by": ["floor"], "options": {"stiffness": 0.2},
             "maps": {"bulge": {"file": "meshes/bulge.txt"}}}]
})";

/// A ball of radius `radius` as an OBJ file.
std::string ball_obj(double radius) {
    const SurfaceAsset ball =
        make_solid({.kind = SolidKind::Sphere, .size = Vec3(1, 1, 1), .resolution = 0.15}).value();
    std::string text;
    for (const Vec3& point : ball.surface.points) {
        const Vec3 p = 2.0 * radius * point;
        text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    }
    for (const Triangle& t : ball.surface.triangles) {
        text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    return text;
}

std::string bulge_map(double factor) {
    const std::string obj = ball_obj(0.5);
    std::string text;
    for (std::size_t at = obj.find("v "); at != obj.npos; at = obj.find("\nv ", at + 1)) {
        text += fmt::format("{}\n", factor);
    }
    return text;
}

/// A run in `folder`, its journal in a folder elsewhere.
struct PressRun {
    test::TempFolder folder, elsewhere;
    std::filesystem::path journal = elsewhere.path / "a" / "journal.json";

    PressRun() {
        folder.write("meshes/ball.obj", ball_obj(0.5));
        folder.write("meshes/bulge.txt", bulge_map(1.0));
        folder.write("scene.json", kPressOnly);
        const LoadedScene loaded = load_scene(folder.path / "scene.json");
        for (const Error& e : loaded.errors) MESSAGE(e.text());
        REQUIRE(loaded.ok());
        const auto bodies = prepare_bodies(loaded.scene);
        REQUIRE_MESSAGE(bodies.ok(), test::reason(bodies));
        ScriptedEngine engine;
        Simulation simulation(engine, loaded.scene.simulation);
        Recorder recorder(loaded.scene.frame_rate);
        const auto ids = populate(loaded.scene, bodies.value(), simulation, recorder);
        REQUIRE(ids.ok());
        for (int i = 0; i < 4; ++i) simulation.step(1.0 / loaded.scene.step_rate);
        const auto file = take_journals(loaded.scene, bodies.value(), ids.value(), simulation);
        REQUIRE_MESSAGE(file.ok(), test::reason(file));
        const Status written = write_journals(journal, file.value());
        REQUIRE_MESSAGE(written.ok(), test::reason(written));
    }
};

struct Replay {
    bool has_same_shapes = false, is_shown_the_same = false;
    Recording still;
};

Replay replay(const std::filesystem::path& journal) {
    const Result<JournalFile> file = read_journals(journal);
    REQUIRE_MESSAGE(file.ok(), test::reason(file));
    const auto bodies = prepare_bodies(file.value().scene);
    REQUIRE_MESSAGE(bodies.ok(), test::reason(bodies));
    const auto shapes = replay_shapes(file.value(), bodies.value(), file.value().time);
    REQUIRE(shapes.ok());
    Replay out;
    out.has_same_shapes = shapes.value().shape_hash == file.value().shape_hash;
    auto still = replay_still(file.value(), bodies.value(), shapes.value(), file.value().time);
    REQUIRE_MESSAGE(still.ok(), test::reason(still));
    out.still = std::move(still).value();
    out.is_shown_the_same = shown_hash(out.still) == file.value().shown_hash;
    return out;
}

}  // namespace

TEST_CASE("a scene that is only pressed is replayed to the bit, from any folder") {
    const PressRun run;
    const Replay same = replay(run.journal);
    CHECK(same.has_same_shapes);
    CHECK(same.is_shown_the_same);
    CHECK(same.still.bodies[1].is_hidden);
    const RecordedBody& ball = same.still.bodies[0];
    CHECK(ball.shapes[static_cast<std::size_t>(same.still.frames[0].bodies[0].shape)] !=
          ball.asset->surface.points);
}

TEST_CASE("an edited soft mesh, map or place shows in the replay of a scene that is only pressed") {
    {
        const PressRun run;
        run.folder.write("meshes/ball.obj", ball_obj(0.51));
        CHECK_FALSE(replay(run.journal).is_shown_the_same);
        run.folder.write("meshes/ball.obj", ball_obj(0.5));
        CHECK(replay(run.journal).is_shown_the_same);
        run.folder.write("meshes/bulge.txt", bulge_map(1.5));
        CHECK_FALSE(replay(run.journal).is_shown_the_same);
    }
    const PressRun run;
    std::string text = read_file(run.journal).value();
    const std::size_t at = text.find("-0.5");
    REQUIRE(at != text.npos);
    text.replace(at, 4, "-0.51");
    REQUIRE(write_file(run.journal, text).ok());
    CHECK_FALSE(replay(run.journal).is_shown_the_same);
}
