// SPDX-License-Identifier: MIT
#include <ductile/engine/scripted_engine.h>
#include <ductile/scene/coarse_dents.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/reason.h>

using namespace ductile;

namespace {

struct Struck {
    std::vector<std::string> notes;
    std::vector<Incident> incidents;
    std::size_t hits = 0;
};

// A box of edges of about `resolution`, with a dent by hand.
Struck dented_box(double resolution, const std::string& dent, const std::string& layer = "{}") {
    const LoadedScene loaded = parse_scene(fmt::format(R"({{
  "duration": 0.1,
  "bodies": {{ "crate": {{ "solid": {{ "kind": "box", "size": [1, 1, 1], "resolution": {0} }},
                           "thickness": 0.002, "layers": {{ "dent": {2} }},
                           "position": [0, 0.5, 0] }} }},
  "hits": [ {{ "body": "crate", "time": 0, "dent": {1} }} ] }})",
                                                       resolution, dent, layer),
                                           "test.json");
    for (const Error& e : loaded.errors) MESSAGE(e.text());
    REQUIRE(loaded.ok());
    const Scene& scene = loaded.scene;
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
    REQUIRE_MESSAGE(bodies.ok(), test::reason(bodies));
    ScriptedEngine engine;
    Simulation simulation(engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    const auto ids = populate(scene, bodies.value(), simulation, recorder);
    REQUIRE_MESSAGE(ids.ok(), test::reason(ids));
    for (int i = 0; i < 10; ++i) simulation.step(1.0 / scene.step_rate);
    return {coarse_dent_notes(scene, bodies.value(), ids.value(), simulation),
            simulation.report().incidents, simulation.journal(ids.value()[0]).hits().size()};
}

// A mark of 12 cm across on the lid, (x, x) from the middle: 0.5 is a corner, which every box has.
Struck struck_box(double resolution, double depth = 0.02, double x = 0.5,
                  const std::string& layer = "{}") {
    return dented_box(resolution,
                      fmt::format(R"({{ "position": [{1}, 0.5, {1}], "radius": 0.06,
                                                    "depth": {0}, "direction": [0, -1, 0] }})",
                                  depth, x),
                      layer);
}

}  // namespace

TEST_CASE("a glancing dent whose middle lies beyond the body is seen by what it moves") {
    const Struck glancing = dented_box(0.05, R"({ "position": [0.9, 0.5, 0], "radius": 0.3,
        "depth": 0.02, "direction": [0, -1, 0], "slant_deg": 75, "from": [1, 0, 0] })");
    CHECK(glancing.hits == 1);
    CHECK(glancing.notes.empty());
}

TEST_CASE("a dent that a mesh is too coarse for is named, with a resolution that shows it") {
    const Struck coarse = struck_box(0.25);
    CHECK(coarse.hits == 1);
    const std::vector<std::string>& notes = coarse.notes;
    REQUIRE(notes.size() == 1);
    CAPTURE(notes[0]);
    CHECK(notes[0].find("crate: a dent is too narrow") == 0);
    CHECK(notes[0].find("0.12 m across") != std::string::npos);
    const std::size_t at = notes[0].find("solid.resolution = ");
    REQUIRE(at != std::string::npos);
    const double fitting = std::stod(notes[0].substr(at + 19));
    CHECK(fitting < 0.06 / 2);  // a third of the radius, or what 50,000 points allow
    // What it names is enough.
    const Struck fine = struck_box(fitting);
    CHECK(fine.hits == 1);
    CHECK(fine.notes.empty());
}

TEST_CASE("a wide dent that meets little of the body is not called narrow") {
    const Struck beside = dented_box(0.05, R"({ "position": [0.6, 0.5, 0.6], "radius": 0.2,
        "depth": 0.02, "direction": [0, -1, 0] })");
    CHECK(beside.hits == 1);
    REQUIRE(beside.notes.size() == 1);
    CAPTURE(beside.notes[0]);
    CHECK(beside.notes[0].find("crate: a dent is beside all but few points") == 0);
    CHECK(beside.notes[0].find("across") == std::string::npos);
}

TEST_CASE("a dent that is seen at half its depth is named with both, and with what shows it") {
    // Wide enough to move many points, deepest in the middle of a triangle.
    const char* dent = R"({ "position": [0.13, 0.5, 0.08], "radius": 0.3, "depth": 0.06,
        "direction": [0, -1, 0], "profile": "gaussian" })";
    const auto number_after = [](const std::string& text, const char* label) {
        const std::size_t at = text.find(label);
        REQUIRE_MESSAGE(at != std::string::npos, text);
        return std::stod(text.substr(at + std::string(label).size()));
    };
    double fitting = 1.0;
    bool is_named = false;
    for (const double resolution : {0.25, 0.2, 0.16}) {
        const Struck struck = dented_box(resolution, dent);
        REQUIRE(struck.hits == 1);
        REQUIRE(struck.notes.size() <= 1);
        if (struck.notes.empty() || struck.notes[0].find(" are seen") == std::string::npos)
            continue;
        is_named = true;
        const double shown = number_after(struck.notes[0], "long, and ");
        const double real = number_after(struck.notes[0], " m of ");
        CHECK(shown < 0.7 * real);
        CHECK(real < 0.0605);
        CHECK(real > 0.05);
        fitting = std::min(fitting, number_after(struck.notes[0], "solid.resolution = "));
    }
    REQUIRE(is_named);
    CHECK(dented_box(fitting, dent).notes.empty());
}

TEST_CASE("scratches are no dents to miss") { CHECK(struck_box(0.25, 1e-4).notes.empty()); }

TEST_CASE("a mark amid a large triangle says that the mesh has no point there") {
    const Struck struck = struck_box(0.5, 0.02, 0.13);
    CHECK(struck.hits == 0);
    REQUIRE(struck.incidents.size() == 1);
    CAPTURE(struck.incidents[0].what);
    CHECK(struck.incidents[0].what.find("longest_edge") != std::string::npos);
}

TEST_CASE(
    "a body that is made finer under its dents shows those that its mesh was too coarse for") {
    const Struck coarse = struck_box(0.25);
    REQUIRE(coarse.notes.size() == 1);
    CHECK(coarse.notes[0].find("layers.dent.refine.edges") != std::string::npos);
    const std::string layer = R"({ "refine": { "edges": 3 } })";
    const Struck fine = struck_box(0.25, 0.02, 0.5, layer);
    CHECK(fine.notes.empty());
    CHECK(fine.hits == 2);
    const Struck amid = struck_box(0.5, 0.02, 0.13, layer);
    CHECK(amid.incidents.empty());
    CHECK(amid.notes.empty());
    CHECK(amid.hits == 2);
}

TEST_CASE("what is proposed for a dent that is too faint is not what the body has already") {
    const Struck stingy =
        struck_box(0.25, 0.02, 0.5, R"({ "refine": { "edges": 3, "budget": 0 } })");
    REQUIRE(stingy.notes.size() == 1);
    CAPTURE(stingy.notes[0]);
    CHECK(stingy.notes[0].find("refine.edges = 6 and a budget above 0") != std::string::npos);
}
