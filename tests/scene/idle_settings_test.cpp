// SPDX-License-Identifier: MIT
#include <ductile/scene/idle_settings.h>
#include <ductile/scene/scene_file.h>

#include <doctest/doctest.h>

#include <string>

using namespace ductile;

namespace {

/// What is told of a box "a" with these fields, beside a driven "b"; one line each.
std::string notes_of(const std::string& fields) {
    const LoadedScene loaded = parse_scene(
        R"({ "duration": 2, "bodies": { "b": { "position": [5, 3, 0], "drive": {} },
             "a": { "position": [0, 3, 0], "solid": { "kind": "box", "size": [0.1, 0.1, 0.1] }, )" +
            fields + "} } }",
        "t");
    for (const Error& error : loaded.errors) FAIL(error.text());
    std::string out;
    for (const std::string& note : idle_settings(loaded.scene)) out += note + "\n";
    return out;
}

std::string of_coat(const std::string& fields) { return notes_of("\"tissue\": {" + fields + "}"); }
std::string of_drive(const std::string& fields) { return notes_of("\"drive\": {" + fields + "}"); }
std::string of_phase(const std::string& phase, const std::string& more = "") {
    return of_drive(R"("phases": [{ "time": 0.5, )" + phase + "}]" + more);
}

}  // namespace

TEST_CASE("what a coat does not use is told, with the reason") {
    CHECK(of_coat("") == "");
    CHECK(of_coat(R"("flow": 3, "yield_strain": 0.1, "thickness": 0.02, "spacing": 0.01)") == "");
    CHECK(of_coat(R"("flow": 3, "flow_limit": 0.2)") ==
          "a: tissue.flow, tissue.flow_limit have no effect: without yield_strain nothing flows\n");
    CHECK(of_coat(R"("per_edge": 4)") ==
          "a: tissue.per_edge has no effect: only the box layout has them\n");
    CHECK(of_coat(R"("layout": "box", "per_edge": 4, "extrusion": 1.5, "layers": 2)") == "");
    CHECK(
        of_coat(R"("layout": "box", "thickness": 0.02, "spacing": 0.01)") ==
        "a: tissue.thickness, tissue.spacing have no effect: the box layout goes by extrusion and "
        "per_edge\n");
    CHECK(of_coat(R"("layout": "chain", "thickness": 0.2, "layers": 4)") == "");
    CHECK(of_coat(R"("layout": "chain", "seed": 4)") ==
          "a: tissue.seed has no effect: a chain is one row of particles\n");
    CHECK(of_coat(R"("mass": 1, "density": 500)") ==
          "a: tissue.density has no effect: its mass is given\n");
}

TEST_CASE("of a rigid twin's coat shape and weight count, and each setting is told once") {
    CHECK(of_coat(R"("is_rigid": true, "thickness": 0.02, "density": 500)") == "");
    CHECK(of_coat(R"("is_rigid": true, "stiffness": 1e4, "flow": 3, "layers": 2)") ==
          "a: tissue.layers, tissue.stiffness, tissue.flow have no effect: it is rigid\n");
}

TEST_CASE("what a drive does not use is told, with the reason") {
    CHECK(of_drive("") == "");
    CHECK(of_drive(R"("in_step_with": "b", "in_step_axes": "xz")") == "");
    CHECK(of_drive(R"("in_step_axes": "xz")") ==
          "a: drive.in_step_axes has no effect: it is in step with nobody\n");
    CHECK(of_drive(R"("never_back": true)") ==
          "a: drive.never_back has no effect: no phase pushes with a force\n");
    CHECK(of_drive(R"("turns_freely": true, "moment_limit": 5)") ==
          "a: drive.moment_limit has no effect: it turns freely\n");
    CHECK(of_drive(R"("force_limit": 0)").find("force_limit of 0") != std::string::npos);
    CHECK(of_drive(R"("force_limit": 0, "free_axes": "xyz")") == "");
    CHECK(of_drive(R"("phases": [{ "time": 1.9 }, { "time": 2, "velocity": [1, 0, 0] }])") ==
          "a: drive.phases.1 has no effect: it begins when the scene has ended\n");
}

TEST_CASE("what a phase does not use is told by axes") {
    CHECK(of_phase(R"("velocity": [1, 0, 0], "force": [0, 1, 0], "spin": [0, 1, 0])",
                   R"(, "never_back": true)") == "");
    CHECK(of_phase(R"("velocity": [1, 2, 0], "force": [0, 1, 0])") ==
          "a: drive.phases.0.velocity.y has no effect: a force pushes along this axis\n");
    CHECK(of_phase(R"("velocity": [1, 2, 0])", R"(, "free_axes": "y")") ==
          "a: drive.phases.0.velocity.y has no effect: these axes are free\n");
    CHECK(of_phase(R"("velocity": [1, 2, 0])", R"(, "in_step_with": "b")") ==
          "a: drive.phases.0.velocity.y has no effect: along these axes it keeps in step\n");
    CHECK(of_phase(R"("is_off": true, "spin": [0, 1, 0])") ==
          "a: drive.phases.0.spin has no effect: it is off\n");
}

TEST_CASE("a start that a drive stops at once is told, one that it goes on with is not") {
    const std::string moving = R"("velocity": [0, 1, 0], "spin": [1, 0, 0], )";
    CHECK(notes_of(moving + R"("drive": {})")
              .starts_with("a: velocity.y, spin have no effect: its drive stops it"));
    CHECK(notes_of(moving + R"("drive": { "phases": [{ "is_off": true }] })") == "");
    CHECK(notes_of(moving + R"("drive": { "free_axes": "y", "turns_freely": true })") == "");
    CHECK(notes_of(moving +
                   R"("drive": { "phases": [{ "velocity": [0, 1, 0], "spin": [1, 0, 0] }] })") ==
          "");
}
