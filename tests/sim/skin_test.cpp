// SPDX-License-Identifier: MIT
// Bodies with a skin: bent ones that are struck, seen by the engine and by recordings.
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> post() {
    return dentable(solid(SolidKind::Cylinder, Vec3(0.3, 2.0, 0.3), 0.04), 0.003,
                    find_material("steel").value());
}

/// Turns the upper end about z: from +y towards -x.
BendHit bent_over(double angle_deg) {
    BendHit hit;
    hit.position_b = {0, -0.2, 0};
    hit.angle_deg = angle_deg;
    hit.length = 0.4;
    return hit;
}

struct SkinnedWorld {
    ScriptedEngine engine;
    Simulation sim{engine, {}};
    ObjectId ball, target;

    explicit SkinnedWorld(const std::shared_ptr<const BodyShape>& shape) {
        ball = sim.add_rigid(ball_desc(0.2, 7850, {5, 0, 0}, Vec3::Zero()), 0.7).value();
        DeformableDesc desc = body_desc("post", {}, Vec3::Zero());
        desc.motion = Motion::Static;
        target = sim.add_deformable(desc, shape).value();
    }
    void strike(double time, const Vec3& place, const Vec3& normal, double speed) {
        Transform beside;
        beside.translation = place - 0.2 * normal;
        engine.set_motion(sim.body(ball), beside, Vec3::Zero(), Vec3::Zero());
        engine.script({.time = time,
                       .a = sim.body(ball),
                       .b = sim.body(target),
                       .point_w = place,
                       .normal_w = normal,
                       .velocity_w = speed * normal});
    }
};

}  // namespace

TEST_CASE("a bent body is not a dented one, and its collider turns with it") {
    const auto shape = post();
    SkinnedWorld w(shape);
    const std::size_t before = w.sim.cut(w.target).active.size();
    REQUIRE(w.sim.schedule_hit(w.target, 0.0, 0.0, bent_over(90)).ok());
    w.sim.step(0.01);
    const BodyState& state = w.sim.state(w.target);
    REQUIRE_FALSE(state.frames().empty());
    // The upper end lies to the side now, as far from the bend as it stood above it.
    Box box = bounds(state.points());
    CHECK(box.lower.x() < -0.7);
    CHECK(box.upper.y() < 0.4);
    CHECK(std::equal(shape->rest().begin(), shape->rest().end(), state.unskinned().begin()));
    // Pieces in the part that only turned are as good as they were: only the bend needs finer ones.
    CHECK(w.sim.cut(w.target).active.size() <= before + 24);
    const ColliderError error = collider_error(shape->pieces, w.sim.cut(w.target), state.points(),
                                               shape->triangles(), state.frames());
    CHECK(error.outside < 0.02 * shape->size);
}

TEST_CASE("a whole turn of a body by its skin splits no piece") {
    const auto shape = post();
    SkinnedWorld w(shape);
    const std::size_t before = w.sim.cut(w.target).active.size();
    BendHit turn = bent_over(90);
    turn.position_b = {0, -1.5, 0};  // below all of it: the body turns as one
    turn.length = 0.3;
    REQUIRE(w.sim.schedule_hit(w.target, 0.0, 0.0, turn).ok());
    w.sim.step(0.01);
    CHECK(bounds(w.sim.state(w.target).points()).upper.y() < -0.9);
    CHECK(w.sim.cut(w.target).active.size() == before);
}

TEST_CASE("an impact on a bent body dents it where it was struck, as deep as on a straight one") {
    const auto shape = post();
    const auto depth = [&](bool is_bent) {
        SkinnedWorld w(shape);
        if (is_bent) REQUIRE(w.sim.schedule_hit(w.target, 0.0, 0.0, bent_over(90)).ok());
        w.sim.step(0.01);
        // The upper part's side: at (0.15, 0.6, 0) when straight.
        Vec3 place(0.15, 0.6, 0), normal(-1, 0, 0);
        if (is_bent) {
            const SkinFrame frame = bend_frame(bent_over(90), place, 1.0);
            place = frame.point(place);
            normal = frame.linear * normal;
        }
        w.strike(0.02, place, normal, 8.0);
        for (int i = 0; i < 3; ++i) w.sim.step(0.01);
        const std::size_t hits = is_bent ? 2 : 1;
        REQUIRE(w.sim.journal(w.target).hits().size() == hits);
        const DentHit& dent = std::get<DentHit>(w.sim.journal(w.target).hits().back().record);
        // In the rest frame, wherever it was struck.
        CHECK((dent.position_b - Vec3(0.15, 0.6, 0)).norm() < 0.1);
        CHECK(dent.direction_b.x() < -0.9);
        const std::vector<double> moved =
            displacement(w.sim.state(w.target).unskinned(), shape->rest());
        const std::vector<Vec3> replayed = shape_at(*shape, w.sim.journal(w.target), w.sim.time());
        CHECK(std::equal(replayed.begin(), replayed.end(), w.sim.state(w.target).points().begin()));
        return *std::max_element(moved.begin(), moved.end());
    };
    CHECK(test::near(depth(true), depth(false), 0.05));
}

TEST_CASE("a recording of a bent body keeps what damage is measured on") {
    const auto shape = post();
    SkinnedWorld w(shape);
    Recorder recorder(30.0);
    recorder.watch(w.target, "post", shape->asset, true);
    recorder.capture(w.sim);
    REQUIRE(w.sim.schedule_hit(w.target, 0.0, 0.0, bent_over(60)).ok());
    w.sim.step(0.01);
    recorder.capture(w.sim);
    const Recording film = std::move(recorder).finish(w.sim);
    REQUIRE(film.bodies[0].shapes.size() == 2);
    CHECK(film.bodies[0].shapes[1] != film.bodies[0].shapes[0]);
    CHECK(film.bodies[0].unskinned_shape(1) == film.bodies[0].shapes[0]);
    REQUIRE(film.hits.size() == 1);
    CHECK(film.hits[0].kind == "bend");
    CHECK(film.hits[0].unit == "deg");
    CHECK(film.hits[0].size == 60.0);
}
