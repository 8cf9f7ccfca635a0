// SPDX-License-Identifier: MIT
// Bodies whose mesh changes while they live.
#include <ductile/deform/mesh_revision.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

RefineHit around(const Vec3& place) {
    RefineHit hit;
    hit.position_b = place;
    hit.radius = 0.12;
    hit.longest_edge = 0.012;
    return hit;
}

DentHit dent_at(const Vec3& place) {
    DentHit hit;
    hit.position_b = place;
    hit.direction_b = -Vec3(place.x(), 0, place.z()).normalized();
    hit.depth = 0.03;
    hit.radius = 0.1;
    return hit;
}

}  // namespace

TEST_CASE("a body is refined while it lives: surface, mass, collider and film follow") {
    ScriptedEngine engine;
    Simulation sim(engine, {});
    const auto shape = barrel();
    const ObjectId id = sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    Recorder recorder(30.0);
    recorder.watch(id, "barrel", shape->asset, false);
    const MassProperties mass = engine.mass(sim.body(id));
    REQUIRE(sim.schedule_hit(id, 0.005, 0.0, dent_at({0.29, 0.1, 0})).ok());
    REQUIRE(sim.schedule_hit(id, 0.025, 0.0, around({0.29, 0.1, 0})).ok());
    REQUIRE(sim.schedule_hit(id, 0.025, 0.0, dent_at({0.29, 0.16, 0})).ok());
    REQUIRE(sim.schedule_hit(id, 0.045, 0.0, around({0, 0.1, 0.29})).ok());
    recorder.capture(sim);
    std::uint64_t revision = sim.state(id).revision();
    for (int i = 0; i < 6; ++i) {
        sim.step(0.01);
        recorder.capture(sim);
        CHECK(sim.state(id).revision() >= revision);
        revision = sim.state(id).revision();
        const std::vector<Vec3> replayed =
            shape_at(sim.state(id).shape(), sim.journal(id), sim.time());
        REQUIRE(std::equal(replayed.begin(), replayed.end(), sim.state(id).points().begin(),
                           sim.state(id).points().end()));
        std::vector<std::int32_t> ids;
        for (const ColliderPiece& piece : engine.pieces(sim.body(id))) ids.push_back(piece.id);
        CHECK(ids == sim.cut(id).active);
    }
    CHECK(sim.report().incidents.empty());
    CHECK(sim.journal(id).hits().size() == 4);
    CHECK(sim.state(id).points().size() > shape->rest().size() + 100);
    CHECK(engine.mass(sim.body(id)).mass == mass.mass);

    const Recording film = std::move(recorder).finish(sim);
    for (const std::vector<Vec3>& points : film.bodies[0].shapes) {
        CHECK(points.size() == sim.state(id).points().size());
    }
    CHECK(film.bodies[0].asset->surface.points.size() == sim.state(id).points().size());
    CHECK(film.bodies[0].shapes[0] == film.bodies[0].asset->surface.points);

    // Without its mesh records the body is what it would have been without them.
    for (const std::int64_t hit : mesh_hits(sim.journal(id))) REQUIRE(sim.remove_hit(id, hit));
    sim.step(0.01);
    CHECK(sim.state(id).points().size() == shape->rest().size());
    Journal dents = sim.journal(id);
    const std::vector<Vec3> plain = shape_at(*shape, dents, sim.time());
    CHECK(std::equal(plain.begin(), plain.end(), sim.state(id).points().begin()));
}

TEST_CASE("a film goes back to the first mesh when a refinement is taken out") {
    ScriptedEngine engine;
    Simulation sim(engine, {});
    const auto shape = barrel();
    const ObjectId id = sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    Recorder recorder(30.0);
    recorder.watch(id, "barrel", shape->asset, false);
    REQUIRE(sim.schedule_hit(id, 0.0, 0.0, around({0.29, 0.1, 0})).ok());
    sim.step(0.01);
    recorder.capture(sim);
    REQUIRE(sim.remove_hit(id, 1));
    sim.step(0.01);
    recorder.capture(sim);
    const Recording film = std::move(recorder).finish(sim);
    for (const std::vector<Vec3>& points : film.bodies[0].shapes) {
        CHECK(points.size() == shape->rest().size());
    }
}

TEST_CASE("a refinement that asks for too much is told of, and the body goes on") {
    ScriptedEngine engine;
    Simulation sim(engine, {});
    const auto shape = barrel();
    const ObjectId id = sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    RefineHit endless = around({0, 0, 0});
    endless.radius = 10.0;
    endless.longest_edge = 1e-5;
    REQUIRE(sim.schedule_hit(id, 0.0, 0.0, endless).ok());
    REQUIRE(sim.schedule_hit(id, 0.0, 0.0, dent_at({0.29, 0.1, 0})).ok());
    sim.step(0.01);
    CHECK(sim.report().fallbacks == 1);
    CHECK(sim.journal(id).hits().size() == 1);
    CHECK(sim.state(id).points().size() == shape->rest().size());
    CHECK(sim.state(id).revision() > 0);
}

TEST_CASE("a stack stays still while one of its bodies is refined") {
    const auto engine = BulletEngine::make();
    Simulation sim(*engine, {});
    REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
    const auto block = dentable(solid(SolidKind::Box, Vec3(0.4, 0.4, 0.4), 0.1), 0.0,
                                find_material("steel").value());
    std::vector<ObjectId> stack;
    for (int i = 0; i < 3; ++i) {
        Transform pose;
        pose.translation.y() = 0.2 + 0.402 * i;
        stack.push_back(sim.add_deformable(body_desc("block", pose, Vec3::Zero()), block).value());
    }
    for (int i = 0; i < 120; ++i) sim.step(1.0 / 240);
    RefineHit hit = around({0.2, 0, 0});
    hit.longest_edge = 0.03;
    REQUIRE(sim.schedule_hit(stack[1], sim.time(), 0.0, hit).ok());
    double fastest = 0.0;
    for (int i = 0; i < 120; ++i) {
        sim.step(1.0 / 240);
        for (const ObjectId id : stack) {
            fastest = std::max(fastest, sim.motion(id).velocity_w.norm());
        }
    }
    CHECK(sim.state(stack[1]).points().size() > block->rest().size());
    CHECK(sim.report().incidents.empty());
    CHECK(fastest < 0.1);
    CHECK(test::near(sim.motion(stack[2]).pose_w.translation.y(), 1.0, 0.02));
}
