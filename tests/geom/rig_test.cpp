// SPDX-License-Identifier: MIT
#include <ductile/geom/rig.h>

#include <doctest/doctest.h>

#include <functional>
#include <limits>

using namespace ductile;

namespace {

/// Two points, a bone and two cage corners over a surface of two points, with one pose.
Rig whole_rig() {
    Rig rig;
    rig.handles = {{"a", HandleKind::Point, Vec3(0, 0, 0)},
                   {"b", HandleKind::Bone, Vec3(1, 0, 0), Vec3(2, 0, 0)},
                   {"c", HandleKind::Cage, Vec3(0, 1, 0)},
                   {"d", HandleKind::Cage, Vec3(0, 2, 0)}};
    rig.cage_faces = {{2, 3, 3}};
    rig.weights.start = {0, 2, 3};
    rig.weights.handle = {0, 2, 1};
    rig.weights.weight = {0.25, 0.75, 1.0};
    rig.poses = {{"bent", std::vector<Transform>(4)}};
    rig.cell = 0.1;
    return rig;
}

}  // namespace

TEST_CASE("a whole rig passes, and its rows are read as written") {
    const Rig rig = whole_rig();
    CHECK(check_rig(rig, 2).ok());
    CHECK(rig.weights.size() == 2);
    CHECK(rig.weights.handles_of(0)[1] == 2);
    CHECK(rig.weights.weights_of(1)[0] == 1.0);
}

TEST_CASE("what is wrong with a rig is said in a message") {
    struct Fault {
        const char* message;
        std::function<void(Rig&)> make;
    };
    const Fault faults[] = {
        {"needs a handle", [](Rig& r) { r.handles.clear(); }},
        {"needs a name", [](Rig& r) { r.handles[0].name = ""; }},
        {"called 'a'", [](Rig& r) { r.handles[1].name = "a"; }},
        {"not finite",
         [](Rig& r) { r.handles[0].place.x() = std::numeric_limits<double>::quiet_NaN(); }},
        {"no length", [](Rig& r) { r.handles[1].tip = r.handles[1].place; }},
        {"no cage corner", [](Rig& r) { r.cage_faces[0][0] = 0; }},
        {"names handle 9", [](Rig& r) { r.cage_faces[0][0] = 9; }},
        {"twice",
         [](Rig& r) {
             r.cage_faces[0] = {2, 2, 3};
         }},
        {"follow each other",
         [](Rig& r) {
             r.weights.start = {0, 3, 2};
         }},
        {"follow each other", [](Rig& r) { r.weights.start.clear(); }},
        {"follow each other", [](Rig& r) { r.weights.weight.pop_back(); }},
        {"name handle 4", [](Rig& r) { r.weights.handle[1] = 4; }},
        {"ascending", [](Rig& r) { r.weights.handle[1] = 0; }},
        {"not in (0, 1]", [](Rig& r) { r.weights.weight[0] = -0.25; }},
        {"sum to", [](Rig& r) { r.weights.weight[0] = 0.2; }},
        {"of 1 points for a surface of 2",
         [](Rig& r) {
             r.weights.start = {0, 2};
             r.weights.handle.pop_back();
             r.weights.weight.pop_back();
         }},
        {"cell", [](Rig& r) { r.cell = -1.0; }},
        {"of 3 handles", [](Rig& r) { r.poses[0].moves.pop_back(); }},
        {"no rotation", [](Rig& r) { r.poses[0].moves[1].rotation.coeffs() *= 1.1; }},
        {"finite move", [](Rig& r) { r.poses[0].moves[1].translation.y() = kInfinity; }},
        {"65 poses", [](Rig& r) { r.poses.resize(65, r.poses[0]); }},
    };
    for (const Fault& fault : faults) {
        Rig rig = whole_rig();
        fault.make(rig);
        const Status ok = check_rig(rig, 2);
        REQUIRE_MESSAGE(!ok.ok(), fault.message);
        CHECK_MESSAGE(ok.error().text().find(fault.message) != std::string::npos,
                      ok.error().text());
    }
}
