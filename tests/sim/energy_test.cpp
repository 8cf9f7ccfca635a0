// SPDX-License-Identifier: MIT
// What ductile does after a solve (rebounds, moves, reshapes) adds no kinetic energy and no
// momentum, on pairs that close by more than their size in a step: by then the bodies are
// elsewhere.
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/bullet_tolerance.h>
#include <support/near.h>

#include <array>
#include <cmath>
#include <vector>

using namespace ductile;
using namespace ductile::test;

namespace {

const int kPairs = kIsSanitized || !kIsDouble ? 12 : 160;

struct Sums {
    double energy = 0.0;
    Vec3 momentum = Vec3::Zero();
    double scale = 0.0;  ///< Sum of m |v|.
};

// From the outside: motion and mass of every body, not the ledger's own sums.
Sums sums_of(const Simulation& sim) {
    Sums sums;
    for (const ObjectId object : sim.objects()) {
        const BodyMotion m = sim.motion(object);
        const MassProperties mass = sim.engine().mass(sim.body(object));
        const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
        sums.energy += 0.5 * mass.mass * m.velocity_w.squaredNorm() +
                       0.5 * spin_b.dot(mass.inertia_b * spin_b);
        sums.momentum += mass.mass * m.velocity_w;
        sums.scale += mass.mass * m.velocity_w.norm();
    }
    return sums;
}

/// Bodies of 10 cm, each of another kind and material, that answer in the given way.
std::vector<std::shared_ptr<const BodyShape>> small_bodies(AfterDent after) {
    struct Kind {
        SolidKind solid;
        const char* material;
        double thickness;
    };
    std::vector<std::shared_ptr<const BodyShape>> out;
    for (const Kind& k : {Kind{SolidKind::Barrel, "lead", 0.0005},
                          {SolidKind::Sphere, "tin", 0.0},
                          {SolidKind::Box, "copper", 0.0},
                          {SolidKind::Capsule, "aluminium", 0.001},
                          {SolidKind::Cylinder, "lead", 0.0}}) {
        out.push_back(dentable(solid(k.solid, Vec3::Constant(0.1)), k.thickness,
                               find_material(k.material).value(), {.after = after}));
    }
    return out;
}

Vec3 random_vector(Rng& rng, double largest) {
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1), z = rng.uniform(-1, 1);
    return largest * Vec3(x, y, z);
}

DeformableDesc random_body(Rng& rng, double side, double speed) {
    const Vec3 axis = random_vector(rng, 1.0) + Vec3(0, 0, 2);
    DeformableDesc desc;
    desc.name = side < 0 ? "left" : "right";
    desc.pose_w.rotation = Eigen::AngleAxisd(rng.uniform(-3, 3), axis.normalized());
    desc.pose_w.translation = Vec3(0.125 * side, 0, 0) + random_vector(rng, 0.04);
    desc.velocity_w = Vec3(-side * speed, 0, 0);
    desc.spin_w = random_vector(rng, rng.uniform() < 0.5 ? 0.0 : 20.0);
    desc.restitution = rng.uniform(0.0, 0.6);
    return desc;
}

/// One random pair in flight, checked after every step.
void check_pair(std::span<const std::shared_ptr<const BodyShape>> shapes, int seed) {
    CAPTURE(seed);
    Rng rng(static_cast<std::uint64_t>(seed));
    BulletOptions world;
    world.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(world);
    Simulation sim(*engine, {});
    const double speed = rng.uniform(15.0, 60.0);  // 2 * 15 m/s * 1/240 s is more than 10 cm
    for (const double side : {-1.0, 1.0}) {
        const std::size_t kind = rng.next() % shapes.size();
        REQUIRE(sim.add_deformable(random_body(rng, side, speed), shapes[kind]).ok());
    }
    const Sums start = sums_of(sim);
    const double rounding = tolerance(1e-9, 1e-5);
    double before = start.energy, dissipated = 0.0;
    for (int i = 0; i < 60; ++i) {
        sim.step(1.0 / 240);
        const Sums now = sums_of(sim);
        const EnergyMarks& marks = engine->energy();
        const double engines_own = marks.forces + marks.contacts + marks.integration;
        REQUIRE(now.energy <= before + engines_own + rounding * start.energy);
        REQUIRE(now.energy <= 1.001 * start.energy);
        REQUIRE((now.momentum - start.momentum).norm() <= rounding * start.scale);
        REQUIRE(sim.ledger().dissipated >= dissipated);
        REQUIRE(std::abs(sim.ledger().gap()) <= rounding * start.energy);
        before = now.energy;
        dissipated = sim.ledger().dissipated;
    }
    CHECK(sim.report().incidents.empty());
}

/// An engine with its own idea of an impulse: what is to slow bodies down drives them apart.
struct WildEngine final : Engine {
    ScriptedEngine tame;

    Result<BodyId> add(const BodyDesc& body) override { return tame.add(body); }
    void remove(BodyId id) override { tame.remove(id); }
    bool has(BodyId id) const override { return tame.has(id); }
    void step(double dt) override { tame.step(dt); }
    std::span<const ContactBatch> batches() const override { return tame.batches(); }
    const EnergyMarks& energy() const override { return tame.energy(); }
    BodyMotion motion(BodyId id) const override { return tame.motion(id); }
    MassProperties mass(BodyId id) const override { return tame.mass(id); }
    void set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                    const Vec3& spin_w) override {
        tame.set_motion(id, pose_w, velocity_w, spin_w);
    }
    void set_restitution(BodyId id, double e) override { tame.set_restitution(id, e); }
    Result<double> reshape(BodyId id, const Reshape& change) override {
        return tame.reshape(id, change);
    }
    void apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) override {
        tame.apply_impulse(id, -100.0 * impulse_w, point_w);
    }
};

}  // namespace

TEST_CASE("pairs that close by more than their size in a step gain no energy and no momentum" *
          doctest::test_suite("long")) {
    for (const AfterDent after : {AfterDent::Slow, AfterDent::Move}) {
        const auto shapes = small_bodies(after);
        for (int seed = 0; seed < kPairs; ++seed) check_pair(shapes, seed);
    }
}

TEST_CASE("a dent in a body that spins freely keeps its angular momentum and adds no energy") {
    ScriptedEngine engine;
    Simulation sim(engine, {});
    DeformableDesc desc = body_desc("barrel", {}, {3, 1, -2});
    desc.spin_w = {4, 9, -3};
    const ObjectId id = sim.add_deformable(desc, barrel()).value();
    const auto angular = [&] {
        const BodyMotion m = sim.motion(id);
        return m.pose_w.direction(engine.mass(sim.body(id)).inertia_b *
                                  m.pose_w.inverse_direction(m.spin_w));
    };
    Rng rng(5);
    int limited = 0;
    for (int i = 0; i < 12; ++i) {
        DentHit dent;
        const double turn = rng.uniform(0, 6.28);
        dent.direction_b = -Vec3(std::cos(turn), 0, std::sin(turn));
        dent.position_b = -0.2925 * dent.direction_b + Vec3(0, rng.uniform(-0.3, 0.3), 0);
        dent.depth = 0.05;
        dent.radius = 0.2;
        REQUIRE(sim.schedule_hit(id, sim.time(), 0.0, dent).ok());
        const double withheld = sim.ledger().withheld;
        const Sums before = sums_of(sim);
        const Vec3 was = angular();
        const BodyMotion flying = sim.motion(id);
        sim.step(1e-9);  // so short that the engine's own turning does not count
        const Sums after = sums_of(sim);
        CHECK(after.energy <= before.energy * (1 + 1e-6));
        CHECK((after.momentum - before.momentum).norm() <= 1e-12 * before.scale);
        CHECK((angular() - was).norm() <= 1e-6 * was.norm());
        CHECK((sim.motion(id).centre_w - flying.centre_w - 1e-9 * flying.velocity_w).norm() <
              1e-14);
        limited += sim.ledger().withheld > withheld ? 1 : 0;
    }
    CHECK(sim.report().reshapes == 12);
    CHECK(limited > 0);
    CHECK(sim.ledger().reshape <= 1e-9 * sums_of(sim).energy);
}

TEST_CASE("what was dented while it turned has its shape's own inertia again once it sleeps") {
    const auto engine = BulletEngine::make();
    Simulation sim(*engine, {});
    REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
    Transform pose;
    pose.translation.y() = 0.5;
    DeformableDesc desc = body_desc("barrel", pose, Vec3::Zero());
    desc.spin_w = {0, 6, 0};
    const ObjectId id = sim.add_deformable(desc, barrel()).value();
    DentHit dent;
    dent.direction_b = {-1, 0, 0};
    dent.position_b = {0.2925, 0, 0};
    dent.depth = 0.1;
    dent.radius = 0.3;
    REQUIRE(sim.schedule_hit(id, 0.0, 0.0, dent).ok());
    sim.step(1.0 / 240);
    const auto inertia = [&] { return engine->mass(sim.body(id)).inertia_b.trace(); };
    const double limited = inertia();
    CHECK(sim.ledger().withheld > 0);
    int steps = 0;
    for (; steps < 4800 && !sim.motion(id).is_asleep; ++steps) sim.step(1.0 / 240);
    REQUIRE(sim.motion(id).is_asleep);
    CHECK(inertia() < limited);
    const double healed = inertia();
    const std::int64_t reshapes = sim.report().reshapes;
    for (int i = 0; i < 10; ++i) sim.step(1.0 / 240);
    CHECK(sim.motion(id).is_asleep);
    CHECK(inertia() == healed);
    CHECK(sim.report().reshapes == reshapes);
}

TEST_CASE("a wall that moves as it is told may carry along what hits it") {
    // The ball catches up with the wall at 6 m/s: where its rebound is lowered it goes on faster.
    ScriptedEngine engine;
    Simulation sim(engine, {});
    BodyDesc wall;
    wall.name = "wall";
    wall.motion = Motion::Kinematic;
    wall.collider = BoxCollider{Vec3(1, 4, 4)};
    wall.pose_w.translation.x() = 0.7;
    wall.velocity_w.x() = 10;
    const ObjectId pusher = sim.add_rigid(wall, 6.0).value();
    const auto shape =
        dentable(solid(SolidKind::Sphere, Vec3::Constant(0.4)), 0.0, find_material("lead").value());
    const ObjectId ball = sim.add_deformable(body_desc("ball", {}, {16, 0, 0}), shape).value();
    engine.script({.time = 0.001,
                   .a = sim.body(ball),
                   .b = sim.body(pusher),
                   .point_w = {0.2, 0, 0},
                   .normal_w = {1, 0, 0},
                   .velocity_w = {6, 0, 0}});
    sim.step(0.001);
    REQUIRE(sim.report().hits == 1);
    CHECK(sim.report().incidents.empty());
    CHECK(sim.motion(ball).velocity_w.x() > 10 - 0.2 * 6 + 0.05);
    CHECK(sim.motion(ball).velocity_w.x() <= 10);
    // What the dent took of the approach's energy, as seen by the wall, is what does not come back.
    REQUIRE(sim.ledger().layers.size() == 1);
    const LayerEnergy& dent = sim.ledger().layers[0];
    const double rebound = 6.0 * std::sqrt(1.0 - dent.work / dent.energy);
    CHECK(test::near(sim.motion(ball).velocity_w.x(), 10.0 - rebound, 1e-6));
    CHECK(sim.ledger().dissipated > 0);
    CHECK(std::abs(sim.ledger().gap()) <= 1e-9 * sim.ledger().start);
}

TEST_CASE("a rebound that would add energy is taken back and told of") {
    WildEngine engine;
    Simulation sim(engine, {});
    const ObjectId ball =
        sim.add_rigid(ball_desc(0.2, 7850, {0.49, 0, 0}, Vec3::Zero()), 0.7).value();
    const ObjectId target =
        sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), barrel()).value();
    engine.tame.script({.time = 0.01,
                        .a = sim.body(ball),
                        .b = sim.body(target),
                        .point_w = {0.29, 0, 0},
                        .normal_w = {-1, 0, 0},
                        .velocity_w = {-6, 0, 0},
                        .restitution = 0.9});  // more than the dent leaves
    sim.step(0.01);
    REQUIRE(sim.report().hits == 1);
    REQUIRE(sim.report().incidents.size() == 1);
    CHECK(sim.report().incidents[0].body == "barrel");
    CHECK(sim.report().incidents[0].what.find("would have added energy") != std::string::npos);
    CHECK(sim.ledger().withheld > 0);
    CHECK(sums_of(sim).energy <= engine.energy().after * (1 + 1e-12));
    CHECK(std::abs(sim.ledger().gap()) <= 1e-9 * sim.ledger().now);
}
