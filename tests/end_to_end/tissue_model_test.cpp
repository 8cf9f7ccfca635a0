// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/run_frames.h>
#include <ductile/scene/scene_file.h>
#include <ductile/scene/tissue_model.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;

namespace {

constexpr const char* kSoftCube = R"({
  "duration": 0.2,
  "bodies": { "cube": {
    "solid": { "kind": "box", "size": [0.02, 0.02, 0.02], "resolution": 0.004 }, "mass": 1,
    "position": [0, 0.03, 0], "tissue": { "layout": "box" } } } })";

struct SoftRun {
    Recording recording;
    std::vector<PreparedBody> bodies;
    Vec3 last = Vec3::Zero();
};

SoftRun run_text(const std::string& text, std::vector<std::string> overrides = {}) {
    const LoadedScene loaded = parse_scene(text, "test", overrides);
    for (const Error& error : loaded.errors) FAIL(error.text());
    SoftRun out;
    out.bodies = prepare_bodies(loaded.scene).value();
    const auto engine = BulletEngine::make(engine_options<BulletOptions>(loaded.scene));
    Simulation simulation(*engine, loaded.scene.simulation);
    Recorder recorder(loaded.scene.frame_rate);
    const auto ids = populate(loaded.scene, out.bodies, simulation, recorder);
    REQUIRE(ids.ok());
    REQUIRE(run_frames(loaded.scene, simulation, recorder).ok());
    out.last = simulation.motion(ids.value()[0]).pose_w.translation;
    out.recording = std::move(recorder).finish(simulation);
    return out;
}

std::string wrong_with(const std::string& field) {
    std::string text = kSoftCube;
    text.insert(text.find("\"mass\""), field + ", ");
    const LoadedScene loaded = parse_scene(text, "test");
    return loaded.errors.empty() ? "" : loaded.errors[0].what;
}

}  // namespace

TEST_CASE("a body with tissue is drawn as its skin, which is filmed as it deforms") {
    const SoftRun run = run_text(kSoftCube);
    REQUIRE(run.bodies[0].model.tissue);
    const Box skin = bounds(run.bodies[0].asset()->surface.points);
    CHECK(test::near(skin.diagonal(), 0.04 * std::sqrt(3.0)));
    const RecordedBody& body = run.recording.bodies[0];
    CHECK(body.shapes.size() > 3);
    CHECK(body.shapes.back().size() == body.asset->surface.points.size());
    CHECK(run.last.y() < 0.03);
    CHECK(run.last.y() > 0.015);
}

TEST_CASE("the same body as a rigid one has the skin's size and the whole weight") {
    const std::vector<std::string> rigid = {"bodies.cube.tissue.is_rigid=true",
                                            "bodies.cube.tissue.mass=0.5"};
    const SoftRun run = run_text(kSoftCube, rigid);
    CHECK_FALSE(run.bodies[0].model.tissue);
    CHECK(test::near(run.bodies[0].model.mass.mass, 1.5));
    CHECK(std::holds_alternative<BoxCollider>(run.bodies[0].model.collider));
    CHECK(run.recording.bodies[0].shapes.size() == 1);
}

TEST_CASE("a driven body goes along its keys against gravity") {
    const std::string text = R"({ "duration": 0.5, "gravity": [0, -9.81, 0], "bodies": { "arm": {
      "solid": { "kind": "box", "size": [0.1, 0.1, 0.1] }, "position": [0, 1, 0], "drive": {},
      "keys": [{ "time": 0, "position": [0, 1, 0] }, { "time": 0.4, "position": [0.2, 1.1, 0] }]
    } } })";
    CHECK((run_text(text).last - Vec3(0.2, 1.1, 0)).norm() < 1e-6);
}

TEST_CASE("coats and drives that make no sense are refused with a message") {
    CHECK(wrong_with(R"("layers": { "dent": {} })").find("layers or a soft coat") !=
          std::string::npos);
    CHECK(wrong_with(R"("motion": "static", "drive": {})").find("dynamic") != std::string::npos);
    CHECK(wrong_with(R"("drive": { "free_axes": "w" })").find("xyz") != std::string::npos);
    CHECK(wrong_with(R"("drive": { "in_step_with": "nobody" })").find("nobody") !=
          std::string::npos);
    std::string text = kSoftCube;
    text.replace(text.find("\"box\""), 5, "\"sphere\"");
    const LoadedScene loaded = parse_scene(text, "test");
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.errors[0].what.find("needs a box") != std::string::npos);
}

TEST_CASE("nothing leaves a coat with more energy than it struck it with, however fast") {
    struct Case {
        double size, thickness, stiffness, speed;
        int step_rate;
    };
    // A body goes through all of the coat in a part, and back in the next.
    for (const Case& c :
         {Case{0.01020939649348439, 0.004013316000279096, 219044.32122911664, 300, 60},
          Case{0.021342407553339347, 0.011872640883125032, 986839.4421020136, 174, 960}}) {
        CAPTURE(c.size);
        const std::string text = fmt::format(
            R"({{ "duration": 0.05, "frame_rate": 60, "step_rate": {}, "gravity": [0, 0, 0],
              "ground": {{ "is_on": false }}, "bodies": {{
              "coated": {{ "solid": {{ "kind": "capsule", "size": [{}, {}, {}] }}, "material": "steel",
                "tissue": {{ "thickness": {}, "stiffness": {}, "damping": 0, "layers": 1 }} }},
              "striker": {{ "solid": {{ "kind": "box", "size": [{}, {}, {}] }}, "material": "steel",
                "position": [{}, {}, {}], "velocity": [{}, 0, 0] }} }} }})",
            c.step_rate, c.size, c.size, c.size, c.thickness, c.stiffness, 0.5 * c.size,
            0.5 * c.size, 0.5 * c.size, -3.1 * c.size, 0.1 * c.size, 0.05 * c.size, c.speed);
        const LoadedScene loaded = parse_scene(text, "test");
        for (const Error& error : loaded.errors) FAIL(error.text());
        const auto bodies = prepare_bodies(loaded.scene).value();
        const auto engine = BulletEngine::make(engine_options<BulletOptions>(loaded.scene));
        Simulation simulation(*engine, loaded.scene.simulation);
        Recorder recorder(loaded.scene.frame_rate);
        REQUIRE(populate(loaded.scene, bodies, simulation, recorder).ok());
        REQUIRE(run_frames(loaded.scene, simulation, recorder).ok());
        const EnergyLedger& books = simulation.ledger();
        const double left = books.now / books.start, held_back = books.withheld / books.start;
        MESSAGE(left, " of the energy is left, ", held_back, " was held back");
        CHECK(books.now <=
              books.start + books.gained + std::max(0.0, books.integration) + 1e-6 * books.start);
    }
}

TEST_CASE("a bone that is a capsule collides as one, and others do if they are told to") {
    const auto collider_of = [](const std::string& more) {
        const std::string text =
            R"({ "duration": 1, "bodies": { "bone": { "material": "plastic",
            "solid": { "kind": "capsule", "size": [0.02, 0.06, 0.02] }, "position": [0, 1, 0])" +
            more + " } } }";
        const LoadedScene loaded = parse_scene(text, "test");
        for (const Error& error : loaded.errors) FAIL(error.text());
        return prepare_bodies(loaded.scene).value()[0].model.collider;
    };
    CHECK(std::holds_alternative<PieceCollider>(collider_of("")));
    CHECK(std::holds_alternative<PieceCollider>(
        collider_of(R"(, "collider": "pieces", "tissue": {})")));
    for (const char* more : {R"(, "tissue": {})", R"(, "collider": "capsule")"}) {
        const Collider made = collider_of(more);
        REQUIRE(std::holds_alternative<CapsuleCollider>(made));
        CHECK(test::near(std::get<CapsuleCollider>(made).radius, 0.01));
        CHECK(test::near(std::get<CapsuleCollider>(made).length, 0.04));
    }
    CHECK(wrong_with(R"("collider": "capsule")") ==
          "only a capsule as wide as deep collides as one");
}

TEST_CASE("a heap of soft bodies has the same bits at any number of threads") {
    const LoadedScene loaded = parse_scene(R"({ "duration": 0.25, "bodies": { "cube": {
        "solid": { "kind": "box", "size": [0.05, 0.05, 0.05] }, "material": "plastic",
        "tissue": { "thickness": 0.02, "stiffness": 2e4 }, "position": [-0.05, 0.06, -0.05],
        "velocity": [0, -1, 0],
        "copies": { "count": [2, 3, 2], "spacing": [0.09, 0.1, 0.09], "jitter": [0.01, 0, 0.01],
                    "tilt_deg": 30 } } } })",
                                           "test");
    for (const Error& error : loaded.errors) FAIL(error.text());
    const auto bodies = prepare_bodies(loaded.scene).value();
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const auto engine = BulletEngine::make(engine_options<BulletOptions>(loaded.scene));
        Simulation simulation(*engine, loaded.scene.simulation);
        Recorder recorder(loaded.scene.frame_rate);
        REQUIRE(populate(loaded.scene, bodies, simulation, recorder).ok());
        REQUIRE(run_frames(loaded.scene, simulation, recorder).ok());
        hashes.push_back(simulation.state_hash());
    }
    CHECK(hashes[1] == hashes[0]);
    CHECK(hashes[2] == hashes[0]);
}
