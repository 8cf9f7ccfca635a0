// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/json_text.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <support/reason.h>
#include <unistd.h>

#include <functional>

using namespace ductile;

namespace {

/// What went wrong, if anything did: doctest evaluates messages of what passed too.
const char* const kScene = R"({
  "name": "two", "duration": 0.5, "frame_rate": 10, "step_rate": 40,
  "bodies": {
    "ball": {"solid": {"kind": "sphere", "size": [0.2, 0.2, 0.2]}, "position": [0, 3, 0]},
    "drum": {"solid": {"kind": "cylinder", "size": [0.6, 0.9, 0.6]}, "thickness": 0.002,
             "layers": {"dent": {}}, "position": [0, 1, 0], "spin": [0.3, 1, 0],
             "copies": {"count": [2, 1, 1], "spacing": [2, 1, 1]}}
  },
  "hits": [
    {"body": "drum-1", "frame": 1,
     "dent": {"position": [0.3, 0, 0], "direction": [-1, 0, 0], "depth": 0.04, "radius": 0.15}},
    {"body": "drum-2", "time": 0.2, "duration": 0.2,
     "dent": {"position": [0, 0.2, 0.3], "direction": [0, 0, -1], "depth": 0.02, "radius": 0.1}}
  ]
})";

/// A run without physics: marks by hand on bodies that fly straight.
struct WrittenRun {
    Scene scene;
    std::vector<PreparedBody> bodies;
    JournalFile file;
    std::uint64_t hash_halfway = 0;  ///< Of the shapes at `time_halfway`, in the middle of a fade.
    double time_halfway = 0.0;
};

WrittenRun make_run() {
    WrittenRun run;
    const LoadedScene loaded = parse_scene(kScene, "two.json");
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    REQUIRE(loaded.ok());
    run.scene = loaded.scene;
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(run.scene);
    REQUIRE(bodies.ok());
    run.bodies = std::move(bodies).value();
    ScriptedEngine engine;
    Simulation simulation(engine, run.scene.simulation);
    Recorder recorder(run.scene.frame_rate);
    const Result<std::vector<ObjectId>> ids = populate(run.scene, run.bodies, simulation, recorder);
    REQUIRE(ids.ok());
    for (int i = 1; i <= 20; ++i) {
        simulation.step(1.0 / run.scene.step_rate);
        if (i != 12) continue;
        run.time_halfway = simulation.time();
        run.hash_halfway = simulation.shape_hash();
    }
    run.file = take_journals(run.scene, run.bodies, ids.value(), simulation).value();
    return run;
}

const WrittenRun& the_run() {
    static const WrittenRun run = make_run();
    return run;
}

/// A file that is gone when the test is over.
struct TemporaryFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("ductile-journal-" + std::to_string(::getpid()) + ".json");
    ~TemporaryFile() { std::filesystem::remove(path); }
};

Json written() {
    const TemporaryFile file;
    REQUIRE(write_journals(file.path, the_run().file).ok());
    return parse_json(read_file(file.path).value(), "journal").value();
}

/// What reading a changed journal is answered with; "" if it is taken.
std::string complaint(const std::string& text) {
    const TemporaryFile file;
    REQUIRE(write_file(file.path, text).ok());
    const Result<JournalFile> read = read_journals(file.path);
    return read ? "" : read.error().text();
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

JournalFile& without_hits(JournalFile& file) {
    for (BodyJournal& body : file.bodies) body.journal = Journal();
    return file;
}

}  // namespace

TEST_CASE("a journal comes back from its file with the same bits") {
    const WrittenRun& run = the_run();
    const TemporaryFile file;
    REQUIRE(write_journals(file.path, run.file).ok());
    const Result<JournalFile> read = read_journals(file.path);
    REQUIRE_MESSAGE(read.ok(), test::reason(read));
    CHECK(read.value().time == run.file.time);
    CHECK(read.value().shape_hash == run.file.shape_hash);
    CHECK(scene_text(read.value().scene) == scene_text(run.scene));
    REQUIRE(read.value().bodies.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const Transform& a = run.file.bodies[i].pose_w;
        const Transform& b = read.value().bodies[i].pose_w;
        CHECK(read.value().bodies[i].name == run.bodies[i].name);
        CHECK(a.translation == b.translation);
        CHECK(a.rotation.coeffs() == b.rotation.coeffs());
    }
    const std::string first = read_file(file.path).value();
    REQUIRE(write_journals(file.path, read.value()).ok());
    CHECK(read_file(file.path).value() == first);
}

TEST_CASE("what could not be read back is not written, and named") {
    const auto refusal = [](const std::function<void(JournalFile&)>& change) {
        const TemporaryFile file;
        JournalFile changed = the_run().file;
        change(changed);
        const Status written = write_journals(file.path, changed);
        CHECK_FALSE(std::filesystem::exists(file.path));
        return written ? "" : written.error().text();
    };
    CHECK(contains(refusal([](JournalFile& f) { f.time = 1e12; }), "/time"));
    CHECK(contains(refusal([](JournalFile& f) { f.bodies[0].pose_w.translation.x() = kInfinity; }),
                   "/bodies/ball/pose/position/0"));
    DentHit absurd;
    absurd.radius = 1e7;
    CHECK(contains(refusal([&](JournalFile& f) { f.bodies[1].journal.add(0, 0, absurd); }),
                   "/bodies/drum-1/hits/2/dent/radius: 10000000 is outside the range"));
    CHECK(contains(refusal([](JournalFile& f) {
                       f.bodies[1].journal.repair({0, kInfinity, 1});
                   }),
                   "/bodies/drum-1/repairs/duration"));
}

TEST_CASE("a replay gives the run's shapes at the end, and in the middle of a fade") {
    const WrittenRun& run = the_run();
    CHECK(replay_shapes(run.file, run.bodies, run.file.time).value().shape_hash ==
          run.file.shape_hash);
    CHECK(replay_shapes(run.file, run.bodies, run.time_halfway).value().shape_hash ==
          run.hash_halfway);
    CHECK(run.hash_halfway != run.file.shape_hash);
}

TEST_CASE("before the first hit a replay shows every body at rest") {
    const WrittenRun& run = the_run();
    const ReplayedShapes shapes = replay_shapes(run.file, run.bodies, 0.0).value();
    REQUIRE(shapes.surfaces.size() == run.bodies.size());
    for (std::size_t i = 0; i < run.bodies.size(); ++i) {
        CHECK(shapes.surfaces[i] == run.bodies[i].asset()->surface.points);
    }
}

TEST_CASE("without its only hit, or wholly repaired, a body is as new and the other as dented") {
    const WrittenRun& run = the_run();
    const ReplayedShapes full = replay_shapes(run.file, run.bodies, 1.0).value();
    const std::vector<Vec3>& rest = run.bodies[1].asset()->surface.points;
    REQUIRE(full.surfaces[1] != rest);

    JournalFile removed = run.file;
    REQUIRE(removed.bodies[1].journal.remove(1));
    CHECK(replay_shapes(removed, run.bodies, 1.0).value().surfaces[1] == rest);
    CHECK(replay_shapes(removed, run.bodies, 1.0).value().surfaces[2] == full.surfaces[2]);

    JournalFile repaired = run.file;
    repaired.bodies[1].journal.repair({0.5, 0.0, 1.0});
    CHECK(replay_shapes(repaired, run.bodies, 1.0).value().surfaces[1] == rest);
    CHECK(replay_shapes(repaired, run.bodies, 0.4).value().surfaces[1] == full.surfaces[1]);
    CHECK(replay_shapes(repaired, run.bodies, 1.0).value().surfaces[2] == full.surfaces[2]);
    JournalFile empty = run.file;
    CHECK(replay_shapes(without_hits(empty), run.bodies, 1.0).value().shape_hash ==
          replay_shapes(run.file, run.bodies, 0.0).value().shape_hash);
}

TEST_CASE("a journal cut off anywhere is refused") {
    const std::string text = json_text(written());
    REQUIRE(complaint(text).empty());
    const std::size_t last = text.find_last_of('}');
    for (std::size_t length = 0; length <= last; length += 97) {
        CHECK_MESSAGE(!complaint(text.substr(0, length)).empty(), length);
    }
    CHECK(!complaint(text.substr(0, last)).empty());
}

TEST_CASE("a journal edited wrongly is refused with the place of the mistake") {
    struct Case {
        const char* where;
        std::function<void(Json&)> change;
    };
    const Case cases[] = {
        {"#/ductile_journal", [](Json& j) { j["ductile_journal"] = 2; }},
        {"not a ductile journal", [](Json& j) { j.erase("ductile_journal"); }},
        {"not a ductile journal", [](Json& j) { j = Json::array(); }},
        {"#/time: is missing", [](Json& j) { j.erase("time"); }},
        {"#/time", [](Json& j) { j["time"] = "late"; }},
        {"#/shape_hash: is missing", [](Json& j) { j.erase("shape_hash"); }},
        {"#/shape_hash", [](Json& j) { j["shape_hash"] = "12"; }},
        {"#/shape_hash", [](Json& j) { j["shape_hash"] = 12; }},
        {"#/shape_hash", [](Json& j) { j["shape_hash"] = "0123456789abcdeg"; }},
        {"#/extra", [](Json& j) { j["extra"] = 1; }},
        {"#/scene: is missing", [](Json& j) { j.erase("scene"); }},
        {"#/scene", [](Json& j) { j["scene"] = 3; }},
        {"#/scene/bodies", [](Json& j) { j["scene"]["bodies"] = Json::object(); }},
        {"#/scene/gravity", [](Json& j) { j["scene"]["gravity"] = nullptr; }},
        {"#/bodies", [](Json& j) { j.erase("bodies"); }},
        {"#/bodies", [](Json& j) { j["bodies"] = "drum"; }},
        {"#/bodies/drum-1", [](Json& j) { j["bodies"]["drum-1"] = 3; }},
        {"#/bodies/drum-2: is missing", [](Json& j) { j["bodies"].erase("drum-2"); }},
        {"#/bodies/ghost", [](Json& j) { j["bodies"]["ghost"] = j["bodies"]["drum-1"]; }},
        {"#/bodies/ball/hits",
         [](Json& j) { j["bodies"]["ball"]["hits"] = j["bodies"]["drum-1"]["hits"]; }},
        {"#/bodies/drum-1/pose: is missing", [](Json& j) { j["bodies"]["drum-1"].erase("pose"); }},
        {"#/bodies/drum-1/pose", [](Json& j) { j["bodies"]["drum-1"]["pose"]["turn_w"] = 0.1; }},
        {"#/bodies/drum-1/hits/0",
         [](Json& j) { j["bodies"]["drum-1"]["hits"][0]["dent"]["depth"] = -1; }},
        {"#/bodies/drum-1/hits/0",
         [](Json& j) { j["bodies"]["drum-1"]["hits"][0]["dent"]["depth"] = nullptr; }},
        {"#/bodies/drum-1/hits/0",
         [](Json& j) {
             j["bodies"]["drum-1"]["hits"][0]["dent"]["direction"] = {0, 0, 0};
         }},
        {"#/bodies/drum-1/hits/0: a hit needs exactly one record",
         [](Json& j) { j["bodies"]["drum-1"]["hits"][0].erase("dent"); }},
        {"#/bodies/drum-1/hits/1",
         [](Json& j) {
             Json& hits = j["bodies"]["drum-1"]["hits"];
             hits.push_back(Json(hits[0]));
         }},
        {"#/bodies/drum-1/repairs/0/amount",
         [](Json& j) {
             j["bodies"]["drum-1"]["repairs"] = Json::array();
             j["bodies"]["drum-1"]["repairs"].push_back(
                 {{"time", 0}, {"duration", 0}, {"amount", 5}});
         }},
    };
    const Json good = written();
    for (const Case& c : cases) {
        Json changed = good;
        c.change(changed);
        const std::string message = complaint(json_text(changed));
        CHECK_MESSAGE(contains(message, c.where), c.where << " expected, found: " << message);
    }
}

TEST_CASE("a NaN in a journal is refused, and so is a file that is not there") {
    std::string text = json_text(written());
    const std::size_t at = text.find("\"depth\": ");
    REQUIRE(at != std::string::npos);
    CHECK(!complaint(text.replace(at, 10, "\"depth\": NaN, \"x\": 1")).empty());
    CHECK(!read_journals("/nonexistent/journal.json").ok());
    CHECK(!read_journals(std::filesystem::temp_directory_path()).ok());
}

TEST_CASE("what a journal lacks of soft coats is told, of rigid twins there is nothing to tell") {
    const auto notes = [](const std::string& tissue) {
        const LoadedScene loaded = parse_scene(
            R"({ "bodies": { "stone": { "position": [3, 1, 0] }, "cube": { "position": [0, 1, 0],
                 "tissue": )" +
                tissue + "} } }",
            "t");
        REQUIRE(loaded.ok());
        return journal_notes(loaded.scene);
    };
    const std::vector<std::string> soft = notes("{}");
    REQUIRE(soft.size() == 1);
    CHECK(contains(soft[0], "cube at rest"));
    CHECK(notes(R"({ "is_rigid": true })").empty());
    CHECK(journal_notes(the_run().scene).empty());
}
