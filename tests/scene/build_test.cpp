// SPDX-License-Identifier: MIT
#include <ductile/engine/scripted_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <scene/shipped_scenes.h>
#include <support/near.h>
#include <support/reason.h>
#include <support/skip.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// What went wrong, if anything did: doctest evaluates messages of what passed too.
Scene scene_of(const std::string& text) {
    const LoadedScene loaded = parse_scene(text, "test.json");
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    REQUIRE(loaded.ok());
    return loaded.scene;
}

std::vector<PreparedBody> prepared(const Scene& scene) {
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
    REQUIRE_MESSAGE(bodies.ok(), test::reason(bodies));
    return std::move(bodies).value();
}

/// A scene in a world without physics.
struct World {
    std::vector<PreparedBody> bodies;
    ScriptedEngine engine;
    Simulation simulation;
    Recorder recorder;
    std::vector<ObjectId> ids;

    explicit World(const Scene& scene)
        : bodies(prepared(scene)),
          simulation(engine, scene.simulation),
          recorder(scene.frame_rate) {
        Result<std::vector<ObjectId>> added = populate(scene, bodies, simulation, recorder);
        REQUIRE_MESSAGE(added.ok(), test::reason(added));
        ids = added.value();
    }
};

void run_ten_steps(const SceneInfo& info) {
    LoadedScene loaded = load_scene(info.path);
    REQUIRE_MESSAGE(loaded.ok(), info.path);
    const bool has_rig =
        std::any_of(loaded.scene.bodies.begin(), loaded.scene.bodies.end(),
                    [](const SceneBody& body) { return body.layers.example.has_value(); });
    // Rigs take seconds, under the sanitizers many: one of these scenes does for all here.
    if (has_rig && info.name != "example-dock") return;
    for (SceneBody& body : loaded.scene.bodies) {
        // Coarse, for the sanitizers' sake; the command runs them as they are.
        body.solid.resolution = 0.12 * solid_size(body.solid).norm();
        body.pieces.tolerance = 0.5;
    }
    World world(loaded.scene);
    CHECK(world.ids.size() == static_cast<std::size_t>(body_count(loaded.scene)));
    for (int i = 0; i < 10; ++i) world.simulation.step(1.0 / loaded.scene.step_rate);
    CHECK_MESSAGE(world.simulation.report().incidents.empty(), info.path);
    for (const ObjectId id : world.ids) {
        CHECK(world.simulation.motion(id).pose_w.translation.allFinite());
    }
}

const char* const kDrums = R"({"bodies": {"drum": {
    "solid": {"kind": "cylinder", "size": [0.6, 0.9, 0.6]}, "thickness": 0.002,
    "layers": {"dent": {}}, "position": [0, 2, 0],
    "copies": {"count": [4, 1, 1], "spacing": [2, 1, 1]},
    "colours": [[1, 0, 0], [0, 0, 1]]}}})";

}  // namespace

TEST_CASE("copies share their shape, and their paint where the colour is the same") {
    const std::vector<PreparedBody> drums = prepared(scene_of(kDrums));
    REQUIRE(drums.size() == 4);
    for (const PreparedBody& drum : drums) CHECK(drum.shape() == drums[0].shape());
    CHECK(drums[0].asset() == drums[2].asset());
    CHECK(drums[1].asset() == drums[3].asset());
    CHECK(drums[0].asset() != drums[1].asset());
    CHECK(drums[0].asset()->render.looks[0].base_colour == Vec3(1, 0, 0));
    CHECK(drums[1].asset()->render.looks[0].base_colour == Vec3(0, 0, 1));
    CHECK(drums[3].name == "drum-4");
    CHECK(drums[3].placement.pose_w.translation == Vec3(6, 2, 0));
}

TEST_CASE("bodies alike but for place and colour share a shape, others do not") {
    const std::vector<PreparedBody> bodies = prepared(scene_of(R"({"bodies": {
        "a": {"layers": {"dent": {}}, "position": [0, 2, 0]},
        "b": {"layers": {"dent": {}}, "position": [3, 2, 0], "colours": [[0, 1, 0]]},
        "c": {"layers": {"dent": {"radius": 0.3}}, "position": [6, 2, 0]},
        "d": {"layers": {"dent": {}}, "position": [9, 2, 0], "mass": 7}}})"));
    CHECK(bodies[0].shape() == bodies[1].shape());
    CHECK(bodies[0].shape() != bodies[2].shape());
    CHECK(bodies[0].shape() != bodies[3].shape());
}

TEST_CASE("a body weighs what is asked for, or what its material makes of its volume") {
    const std::vector<PreparedBody> bodies = prepared(scene_of(R"({"bodies": {
        "plain": {"solid": {"kind": "box", "size": [1, 0.5, 2]}, "position": [0, 2, 0]},
        "asked": {"solid": {"kind": "box", "size": [1, 0.5, 2]}, "position": [3, 2, 0], "mass": 8},
        "dented": {"solid": {"kind": "box", "size": [1, 0.5, 2]}, "position": [6, 2, 0], "mass": 8,
                   "layers": {"dent": {}}}}})"));
    const MassProperties& plain = bodies[0].model.mass;
    const MassProperties& asked = bodies[1].model.mass;
    const double density = find_material("steel").value().density;
    CHECK(test::near(plain.mass, density * 1.0, 1e-9));
    CHECK(test::near(plain.inertia_b(0, 0), density * (0.25 + 4.0) / 12.0, 1e-9));
    CHECK(test::near(asked.mass, 8.0));
    CHECK(asked.inertia_b.isApprox(plain.inertia_b * (8.0 / plain.mass), 1e-12));
    CHECK(test::near(bodies[2].shape()->mass.mass, 8.0));
    CHECK(bodies[2].shape()->mass.inertia_b.isApprox(asked.inertia_b, 1e-9));
}

TEST_CASE("rigid balls and boxes collide as such, everything else by pieces") {
    const std::vector<PreparedBody> bodies = prepared(scene_of(R"({"bodies": {
        "ball": {"solid": {"kind": "sphere", "size": [0.4, 0.4, 0.4]}, "position": [0, 2, 0]},
        "egg": {"solid": {"kind": "sphere", "size": [0.4, 0.6, 0.4]}, "position": [2, 2, 0]},
        "box": {"solid": {"kind": "box", "size": [1, 0.5, 2]}, "position": [5, 2, 0]},
        "soft": {"solid": {"kind": "box", "size": [1, 0.5, 2]}, "position": [8, 2, 0],
                 "layers": {"dent": {}}},
        "floor": {"solid": {"kind": "box"}, "motion": "static", "collider": "half_space",
                  "position": [0, -3, 0]}}, "ground": {"is_on": false}})"));
    const auto* ball = std::get_if<SphereCollider>(&bodies[0].model.collider);
    REQUIRE(ball);
    CHECK(test::near(ball->radius, 0.2));
    CHECK(!bodies[0].shape());
    const auto* egg = std::get_if<PieceCollider>(&bodies[1].model.collider);
    REQUIRE(egg);
    CHECK(!egg->pieces.empty());
    CHECK(!bodies[1].shape());
    CHECK(std::holds_alternative<BoxCollider>(bodies[2].model.collider));
    CHECK(bodies[3].shape());
    CHECK(std::holds_alternative<HalfSpaceCollider>(bodies[4].model.collider));
}

TEST_CASE("a directed hit lands at its frame and not before") {
    Scene scene = scene_of(kDrums);
    SceneHit& hit = scene.hits.emplace_back();
    hit.body = "drum-2";
    hit.frame = 3;
    hit.record = RecordFields(DentHit{});
    hit.record.slot<DentHit>()->position_b = Vec3(0.3, 0, 0);
    hit.record.slot<DentHit>()->direction_b = Vec3(-1, 0, 0);
    hit.record.slot<DentHit>()->depth = 0.03;
    hit.record.slot<DentHit>()->radius = 0.15;
    World world(scene);
    const int per_frame = static_cast<int>(std::lround(scene.step_rate / scene.frame_rate));
    for (int step = 1; step <= 5 * per_frame; ++step) {
        world.simulation.step(1.0 / scene.step_rate);
        const bool is_due = step >= 3 * per_frame;
        CHECK(world.simulation.journal(world.ids[1]).hits().size() == (is_due ? 1 : 0));
    }
    const std::vector<double> moved = displacement(world.simulation.state(world.ids[1]).points(),
                                                   world.bodies[1].shape()->rest());
    const double deepest = *std::max_element(moved.begin(), moved.end());
    CHECK(deepest > 0.01);
    CHECK(deepest <= 0.03 + 1e-12);
    CHECK(world.simulation.journal(world.ids[0]).is_empty());
}

TEST_CASE("what cannot be made is named by its place in the scene") {
    Scene scene = scene_of(kDrums);
    scene.bodies[0].solid.resolution = 1e-9;
    const Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
    REQUIRE(!bodies.ok());
    CHECK(bodies.error().where == "#/bodies/drum");
    CHECK(!bodies.error().what.empty());
}

TEST_CASE("what a layer cannot be prepared with is named down to its field") {
    const Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene_of(
        R"({"bodies": {"wall": {"position": [0, 2, 0], "layers": {"fracture": {"most": 4}}}}})"));
    REQUIRE(!bodies.ok());
    CHECK(bodies.error().where == "#/bodies/wall/layers/fracture/pattern");
    CHECK(bodies.error().hint == "it must be 2 to 4; `most` allows more");
}

TEST_CASE("a hit on a body that is not there, or that is rigid, is refused by its number") {
    Scene scene = scene_of(R"({"bodies": {"ball": {"position": [0, 3, 0]}}})");
    SceneHit& hit = scene.hits.emplace_back();
    hit.time = 0.1;
    hit.record = RecordFields(DentHit{});
    for (const char* name : {"ball", "ghost"}) {
        scene.hits[0].body = name;
        const std::vector<PreparedBody> bodies = prepared(scene);
        ScriptedEngine engine;
        Simulation simulation(engine, scene.simulation);
        Recorder recorder(scene.frame_rate);
        const auto added = populate(scene, bodies, simulation, recorder);
        REQUIRE(!added.ok());
        CHECK(added.error().where == "#/hits/0");
    }
}

TEST_CASE("preparing tells how far it is, from nothing to all") {
    std::vector<double> shares;
    REQUIRE(prepare_bodies(scene_of(kDrums), [&](std::string_view stage, double share) {
                CHECK(stage == "prepare");
                shares.push_back(share);
            }).ok());
    REQUIRE(shares.size() >= 2);
    CHECK(shares.front() == 0.0);
    CHECK(shares.back() == 1.0);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
}

TEST_CASE("shipped scenes, one of those with rigs, run ten steps with every number finite") {
    for (const SceneInfo& info : shipped_scenes(Meshes::OfOurOwn)) run_ten_steps(info);
}

TEST_CASE("shipped scenes of real meshes without rigs run ten steps with every number finite") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    for (const SceneInfo& info : shipped_scenes(Meshes::Real)) run_ten_steps(info);
}

TEST_CASE("an engine gets what the scene says of gravity, sub-steps and sleep") {
    struct Options {
        Vec3 gravity = Vec3::Zero();
        std::int32_t sub_steps = 0, solver_iterations = 0;
        bool has_two_frictions = false;
        double sleep_speed = -1.0, sleep_spin = -1.0;
    };
    Scene scene;
    scene.gravity = {0, -1.6, 0};
    scene.sub_steps = 3;
    scene.solver_iterations = 20;
    scene.has_two_frictions = true;
    scene.sleep_speed = 0.0;
    scene.sleep_spin = 0.7;
    const Options options = engine_options<Options>(scene);
    CHECK(options.gravity == scene.gravity);
    CHECK(options.sub_steps == 3);
    CHECK(options.solver_iterations == 20);
    CHECK(options.has_two_frictions);
    CHECK(options.sleep_speed == 0.0);
    CHECK(options.sleep_spin == 0.7);
}

TEST_CASE("a colour is a coat of paint, on bare metal too") {
    const Scene scene = scene_of(R"({"bodies": {
        "bare": {"solid": {"kind": "box"}, "material": "steel", "position": [0, 2, 0]},
        "painted": {"solid": {"kind": "box"}, "material": "steel", "position": [4, 2, 0], "colours": [[0.8, 0.1, 0.1]]}}})");
    const auto bodies = prepare_bodies(scene);
    REQUIRE(bodies.ok());
    CHECK(bodies.value()[0].asset()->render.looks[0].metallic > 0.5);
    const Look& paint = bodies.value()[1].asset()->render.looks[0];
    CHECK(paint.metallic == 0.0);
    CHECK(paint.base_colour == Vec3(0.8, 0.1, 0.1));
}
