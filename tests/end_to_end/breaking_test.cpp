// SPDX-License-Identifier: MIT
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/record/shown_hash.h>
#include <ductile/scene/check_scene.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/run_frames.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <support/reason.h>
#include <support/temp_folder.h>

#include <algorithm>
#include <set>

using namespace ductile;

namespace {

// Dented by hand, then broken by a ball.
const char* const kBreakingWall = R"({
  "duration": 0.3, "frame_rate": 30, "step_rate": 240,
  "bodies": {
    "wall": {"solid": {"kind": "box", "size": [2, 1.5, 0.12], "resolution": 0.2}, "motion": "static",
             "position": [0, 0.75, 0], "material": "sandstone", "colours": [[0.4, 0.1, 0.1]],
             "layers": {"dent": {}, "fracture": {
               "pattern": {"kind": "bricks", "brick": [0.4, 0.25, 0.12]}, "strength": 0.2, "handed_on": 0.3,
               "anchored": [{"upper": [1e3, -0.6, 1e3]}]}}},
    "ball": {"solid": {"kind": "sphere", "size": [0.3, 0.3, 0.3]}, "material": "steel",
             "position": [0.1, 0.8, 0.9], "velocity": [0, 0, -15]}
  },
  "hits": [{"body": "wall", "time": 0.01, "dent": {"position": [0.5, 0.3, 0.06], "direction": [0, 0, -1],
                                                    "radius": 0.3, "depth": 0.02}},
           {"body": "wall", "time": 0.2, "fracture": {"position": [-0.7, 0.5, 0], "radius": 0.3}}]
})";

const char* const kStruckPane = R"({
  "duration": 0.15, "frame_rate": 30, "step_rate": 240,
  "bodies": {
    "pane": {"solid": {"kind": "box", "size": [1, 1, 0.02], "resolution": 0.4}, "motion": "static",
             "position": [0, 0.5, 0], "material": "glass",
             "layers": {"fracture": {
               "pattern": {"kind": "rings", "axis": [0, 0, 1], "cells": 60}, "about": "impact", "strength": 0.5,
               "anchored": [{"upper": [1e3, -0.3, 1e3]}]}}},
    "ball": {"solid": {"kind": "sphere", "size": [0.12, 0.12, 0.12]}, "material": "steel",
             "position": [0.2, 0.6, 0.4], "velocity": [0, 0, -15]}
  }
})";

const char* const kSnappingPost = R"({
  "duration": 0.3, "frame_rate": 30, "step_rate": 240,
  "bodies": {
    "post": {"solid": {"kind": "box", "size": [0.1, 2, 0.1], "resolution": 0.1}, "motion": "static",
             "position": [0, 1, 0], "material": "steel", "mass": 30,
             "layers": {
               "bend": {"strength": 900, "speed": 0.5, "makes_joints": false, "bones": {
                 "foot": {"from": [0, -1, 0], "to": [0, -0.5, 0], "is_anchored": true},
                 "pole": {"from": [0, -0.5, 0], "to": [0, 1, 0]}}},
               "fracture": {"pattern": {"cells": 12}, "strength": 1e6, "snap_angle_deg": 15}}},
    "ball": {"solid": {"kind": "sphere", "size": [0.26, 0.26, 0.26]}, "material": "steel",
             "position": [-0.4, 1.4, 0], "velocity": [10, 0, 0]}
  }
})";

/// How it went.
struct BrokenRun {
    Scene scene;
    std::vector<PreparedBody> bodies;
    JournalFile file;
    Recording recording;
    SimReport report;
};

BrokenRun run_breaking(const std::vector<std::string>& overrides = {},
                       const char* text = kBreakingWall) {
    BrokenRun run;
    const LoadedScene loaded = parse_scene(text, "scene", overrides, {});
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    REQUIRE(loaded.ok());
    run.scene = loaded.scene;
    auto bodies = prepare_bodies(run.scene);
    REQUIRE_MESSAGE(bodies.ok(), test::reason(bodies));
    run.bodies = std::move(bodies).value();
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(run.scene));
    Simulation simulation(*engine, run.scene.simulation);
    Recorder recorder(run.scene.frame_rate);
    const auto ids = populate(run.scene, run.bodies, simulation, recorder);
    REQUIRE_MESSAGE(ids.ok(), test::reason(ids));
    REQUIRE(run_frames(run.scene, simulation, recorder).ok());
    auto file = take_journals(run.scene, run.bodies, ids.value(), simulation);
    REQUIRE_MESSAGE(file.ok(), test::reason(file));
    run.file = std::move(file).value();
    run.report = simulation.report();
    run.recording = std::move(recorder).finish(simulation);
    return run;
}

const BrokenRun& broken_run() {
    static const BrokenRun run = run_breaking();
    return run;
}

/// How often things broke, and into how many parts, is decided by last digits: not how they add up.
std::size_t bodies_left(const BrokenRun& run) {
    CHECK(run.report.parts > run.report.breaks);
    return run.bodies.size() + static_cast<std::size_t>(run.report.parts - run.report.breaks);
}

std::vector<std::string> names_at(const JournalFile& file, std::span<const PreparedBody> bodies,
                                  double time) {
    const auto there = bodies_at(file, bodies, time);
    REQUIRE_MESSAGE(there.ok(), test::reason(there));
    std::vector<std::string> names;
    for (const PreparedBody& body : there.value().bodies) names.push_back(body.name);
    return names;
}

const BodyJournal& journal_of(const JournalFile& file, const std::string& name) {
    const auto at = std::find_if(file.bodies.begin(), file.bodies.end(),
                                 [&](const BodyJournal& body) { return body.name == name; });
    REQUIRE(at != file.bodies.end());
    return *at;
}

void check_replay(const BrokenRun& run) {
    test::TempFolder folder;
    REQUIRE(write_journals(folder.path / "journal.json", run.file).ok());
    const auto read = read_journals(folder.path / "journal.json");
    REQUIRE_MESSAGE(read.ok(), test::reason(read));
    const auto there = bodies_at(read.value(), run.bodies, read.value().time);
    REQUIRE_MESSAGE(there.ok(), test::reason(there));
    const auto shapes = replay_shapes(read.value(), there.value().bodies, read.value().time);
    REQUIRE_MESSAGE(shapes.ok(), test::reason(shapes));
    CHECK(shapes.value().shape_hash == run.file.shape_hash);
}

}  // namespace

TEST_CASE("a scene's wall breaks, and its journal replays to the same bits, parts included") {
    const BrokenRun& run = broken_run();
    CHECK(run.report.breaks > 0);
    CHECK(run.report.incidents.empty());
    test::TempFolder folder;
    REQUIRE(write_journals(folder.path / "journal.json", run.file).ok());
    const auto read = read_journals(folder.path / "journal.json");
    REQUIRE_MESSAGE(read.ok(), test::reason(read));
    const JournalFile& file = read.value();
    const auto there = bodies_at(file, run.bodies, file.time);
    REQUIRE_MESSAGE(there.ok(), test::reason(there));
    CHECK(there.value().bodies.size() == bodies_left(run));
    auto shapes = replay_shapes(file, there.value().bodies, file.time);
    REQUIRE_MESSAGE(shapes.ok(), test::reason(shapes));
    CHECK(shapes.value().shape_hash == file.shape_hash);
    const auto still =
        replay_still(file, there.value().bodies, std::move(shapes).value(), file.time);
    REQUIRE(still.ok());
    CHECK(shown_hash(still.value()) == file.shown_hash);
}

TEST_CASE("before it broke a replay has the whole, and without the break it never did") {
    const BrokenRun& run = broken_run();
    CHECK(names_at(run.file, run.bodies, 0.02) == std::vector<std::string>{"wall", "ball"});
    const std::vector<std::string> after = names_at(run.file, run.bodies, run.file.time);
    CHECK(std::find(after.begin(), after.end(), "wall") == after.end());
    CHECK(after.size() == bodies_left(run));
    JournalFile mended = run.file;
    for (BodyJournal& body : mended.bodies) {
        if (body.name != "wall") continue;
        std::vector<std::int64_t> breaks;
        for (const Hit& hit : body.journal.hits()) {
            if (std::holds_alternative<FractureHit>(hit.record)) breaks.push_back(hit.id);
        }
        for (const std::int64_t id : breaks) body.journal.remove(id);
    }
    CHECK(names_at(mended, run.bodies, run.file.time) == std::vector<std::string>{"wall", "ball"});
}

TEST_CASE("the film of a scene has parts in the whole's colour, each with its parent") {
    const BrokenRun& run = broken_run();
    REQUIRE(run.recording.bodies.size() ==
            run.bodies.size() + static_cast<std::size_t>(run.report.parts));
    std::set<std::string> names;
    for (const RecordedBody& body : run.recording.bodies) {
        CHECK(names.insert(body.name).second);
        if (body.parent < 0) continue;
        CHECK(body.name.starts_with("wall."));
        CHECK(body.asset->render.looks[0].base_colour == Vec3(0.4, 0.1, 0.1));
        CHECK(body.asset->render.looks.back().name == "inside");
    }
    for (const BodyJournal& body : run.file.bodies) {
        CHECK(body.parent.empty() == (body.name == "wall" || body.name == "ball"));
        if (!body.parent.empty()) CHECK(last_inherited(run.file.bodies, body) >= 2);
    }
}

TEST_CASE("a journal without a part that a break left is refused") {
    const BrokenRun& run = broken_run();
    JournalFile file = run.file;
    const std::string gone = names_at(file, run.bodies, file.time).back();
    std::erase_if(file.bodies, [&](const BodyJournal& body) { return body.name == gone; });
    const auto there = bodies_at(file, run.bodies, file.time);
    REQUIRE_FALSE(there.ok());
    CHECK(there.error().text().find(gone) != std::string::npos);
}

TEST_CASE("a hollow wall of sheet breaks, too, and replays to the same bits") {
    const BrokenRun run = run_breaking({"bodies.wall.thickness=0.01"});
    CHECK(run.report.breaks > 0);
    CHECK(run.report.incidents.empty());
    const auto there = bodies_at(run.file, run.bodies, run.file.time);
    REQUIRE_MESSAGE(there.ok(), test::reason(there));
    const auto shapes = replay_shapes(run.file, there.value().bodies, run.file.time);
    REQUIRE_MESSAGE(shapes.ok(), test::reason(shapes));
    CHECK(shapes.value().shape_hash == run.file.shape_hash);
}

TEST_CASE("a pattern about an impact is replayed to the same bits, and is open without the break") {
    const BrokenRun run = run_breaking({}, kStruckPane);
    CHECK(run.report.breaks > 0);
    CHECK(run.report.incidents.empty());
    check_replay(run);
    const BodyJournal& pane = journal_of(run.file, "pane");
    const std::optional<Vec3> centre = break_centre(pane.journal);
    REQUIRE(centre);
    CHECK((*centre - Vec3(0.2, 0.1, 0)).norm() < 0.05);
    JournalFile mended = run.file;
    for (BodyJournal& body : mended.bodies) {
        while (body.name == "pane" && !body.journal.is_empty()) {
            body.journal.remove(body.journal.hits()[0].id);
        }
    }
    CHECK(names_at(mended, run.bodies, 1.0) == std::vector<std::string>{"pane", "ball"});
}

TEST_CASE("a pattern that would leave nothing anchored lies about the middle, and replays so") {
    // Rings about the struck corner have no piece with its middle in the small box; those about
    // the middle have one.
    const BrokenRun run = run_breaking(
        {"bodies.pane.layers.fracture.anchored.0.lower=[-0.02,-0.02,-1]",
         "bodies.pane.layers.fracture.anchored.0.upper=[0.02,0.02,1]",
         "bodies.pane.layers.fracture.pattern.cells=12", "bodies.ball.position=[0.42,0.92,0.4]"},
        kStruckPane);
    REQUIRE(run.report.parts > 1);
    REQUIRE_FALSE(run.report.incidents.empty());
    CHECK(run.report.incidents[0].what.find("its pattern lies about its middle") == 0);
    CHECK(break_centre(journal_of(run.file, "pane").journal)->norm() < 1e-9);
    check_replay(run);
}

TEST_CASE("a post that bends and snaps is replayed to the same bits") {
    const BrokenRun run = run_breaking({}, kSnappingPost);
    CHECK(run.report.snaps == 1);
    CHECK(run.report.parts == 2);
    CHECK(run.report.incidents.empty());
    check_replay(run);
    for (const BodyJournal& body : run.file.bodies) {
        if (body.parent.empty()) continue;
        CHECK(std::any_of(
            body.journal.hits().begin(), body.journal.hits().end(),
            [](const Hit& hit) { return std::holds_alternative<JointHit>(hit.record); }));
    }
}

TEST_CASE("a scene says what cannot break") {
    const auto complaint = [](const std::vector<std::string>& overrides) {
        const LoadedScene loaded = parse_scene(kBreakingWall, "scene", overrides, {});
        return loaded.errors.empty() ? std::string() : loaded.errors[0].text();
    };
    CHECK(complaint({}).empty());
    CHECK(complaint({"bodies.wall.motion=dynamic"}).find("static") != std::string::npos);
    CHECK(complaint({"bodies.wall.layers.fracture.snap_angle_deg=20"}).find("bends") !=
          std::string::npos);
}
