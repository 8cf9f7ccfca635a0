// SPDX-License-Identifier: MIT
// Damage must not depend on the time step (design rule 3): the same impact at four step rates, each
// with many arrival phases, so that the touch falls everywhere within a step.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

using namespace ductile;
using namespace ductile::test;

namespace {

const int kPhases = kIsSanitized ? 2 : 40;

struct Damage {
    double depth = 0.0;   ///< Largest displacement [m].
    double volume = 0.0;  ///< Displacement integrated over the surface [m^3].
};

Damage damage_of(const BodyState& state) {
    const BodyShape& shape = state.shape();
    const std::vector<double> areas = vertex_areas(shape.rest(), shape.triangles());
    const std::vector<double> moved = displacement(state.points(), shape.rest());
    Damage damage;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        damage.depth = std::max(damage.depth, moved[i]);
        damage.volume += areas[i] * moved[i];
    }
    return damage;
}

struct Spread {
    double low = 1e300, high = -1e300;
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    /// Largest deviation from the middle, as a share of it.
    double relative() const { return (high - low) / (high + low); }
};

/// Runs `scene` at all rates and phases; the scene places things so that they touch `flight`
/// seconds after the start. Returns the spread of depth and of volume.
using Scene = std::function<ObjectId(Simulation&, double flight)>;

std::pair<Spread, Spread> sweep(const Scene& scene) {
    Spread depth, volume;
    for (double rate : {60.0, 120.0, 240.0, 1000.0}) {
        for (int phase = 0; phase < kPhases; ++phase) {
            BulletOptions world;
            world.gravity = Vec3::Zero();
            const auto engine = BulletEngine::make(world);
            Simulation sim(*engine, {});
            // At least one step apart at the start, and a share of a step that differs.
            const double flight = 0.03 + (phase + 0.5) / kPhases / rate;
            const ObjectId id = scene(sim, flight);
            const int steps = static_cast<int>(std::ceil(0.12 * rate));
            for (int i = 0; i < steps; ++i) sim.step(1.0 / rate);
            const Damage damage = damage_of(sim.state(id));
            depth.add(damage.depth);
            volume.add(damage.volume);
        }
    }
    return {depth, volume};
}

void print_spread(const std::string& name, const std::pair<Spread, Spread>& s) {
    MESSAGE(name << ": depth " << 1000 * s.first.low << ".." << 1000 * s.first.high << " mm (+-"
                 << 100 * s.first.relative() << " %), volume " << 1e6 * s.second.low << ".."
                 << 1e6 * s.second.high << " ml (+-" << 100 * s.second.relative() << " %)");
}

}  // namespace

TEST_CASE("a ball dents a barrel equally deep at every rate and arrival phase") {
    const auto shape = barrel();
    const auto spread = sweep([&](Simulation& sim, double flight) {
        const double radius = 0.2, speed = 3.0;
        const double reach = 0.585 / 2 + radius;
        REQUIRE(
            sim.add_rigid(ball_desc(radius, 7850, {reach + speed * flight, 0, 0}, {-speed, 0, 0}),
                          std::sqrt(12.0) * radius)
                .ok());
        return sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    });
    print_spread("ball on barrel", spread);
    CHECK(spread.first.low > 0.005);
    CHECK(spread.first.relative() <= 0.10);
}

TEST_CASE("an off-centre ball displaces the same volume at every rate and arrival phase") {
    const auto shape = barrel();
    const auto spread = sweep([&](Simulation& sim, double flight) {
        const double radius = 0.2, speed = 3.0;
        const double reach = std::sqrt(std::pow(0.585 / 2 + radius, 2) - 0.15 * 0.15);
        REQUIRE(sim.add_rigid(
                       ball_desc(radius, 7850, {reach + speed * flight, 0.1, 0.15}, {-speed, 0, 0}),
                       std::sqrt(12.0) * radius)
                    .ok());
        return sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    });
    print_spread("off-centre ball", spread);
    CHECK(spread.second.low > 0);
    CHECK(spread.second.relative() <= 0.20);
}

TEST_CASE("a barrel that lands flat is damaged alike at every rate and arrival phase") {
    // A drum's own rim is stiff: what it shows of a fall at this speed is too little to measure.
    const auto shape = barrel({.exaggerate = 4.0});
    const auto spread = sweep([&](Simulation& sim, double flight) {
        const double speed = 4.0;
        REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
        Transform pose;
        pose.translation.y() = 0.44 + speed * flight;
        return sim.add_deformable(body_desc("barrel", pose, {0, -speed, 0}), shape).value();
    });
    print_spread("flat landing", spread);
    CHECK(spread.second.low > 0);
    CHECK(spread.second.relative() <= 0.20);
}

TEST_CASE("a barrel that lands on its rim is damaged alike at every rate and arrival phase") {
    // A drum's own rim is stiff: what it shows of a fall at this speed is too little to measure.
    const auto shape = barrel({.exaggerate = 4.0});
    const auto spread = sweep([&](Simulation& sim, double flight) {
        const double speed = 4.0;
        REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
        Transform pose;
        pose.rotation = Eigen::AngleAxisd(0.5, Vec3::UnitX());
        double lowest = 1e300;
        for (const Vec3& p : shape->rest()) lowest = std::min(lowest, pose.direction(p).y());
        pose.translation.y() = -lowest + speed * flight;
        return sim.add_deformable(body_desc("barrel", pose, {0, -speed, 0}), shape).value();
    });
    print_spread("rim landing", spread);
    CHECK(spread.second.low > 0);
    CHECK(spread.second.relative() <= 0.20);
}

TEST_CASE("one impact is one hit, as deep, at 240, 2400 and 9600 steps per second") {
    struct Case {
        const char* name;
        std::shared_ptr<const BodyShape> shape;
        double reach;  ///< From the body's middle to the ball's.
    };
    const double radius = 0.1;
    const auto block = dentable(solid(SolidKind::Box, Vec3(0.4, 0.4, 0.4), 0.03), 0.0,
                                find_material("copper").value());
    const Case cases[] = {
        {"block", block, 0.2 + radius},
        {"barrel", barrel(), 0.585 / 2 + radius},
        {"deep", dentable(block->asset, 0.0, block->material, {.exaggerate = 8}), 0.2 + radius}};
    for (const Case& c : cases) {
        for (const Motion motion : {Motion::Dynamic, Motion::Static}) {
            for (const double speed : {2.0, 10.0}) {
                Spread depth;
                for (const double rate : {240.0, 2400.0, 9600.0}) {
                    BulletOptions world;
                    world.gravity = Vec3::Zero();
                    const auto engine = BulletEngine::make(world);
                    Simulation sim(*engine, {});
                    DeformableDesc desc = body_desc("body", {}, Vec3::Zero());
                    desc.motion = motion;
                    const ObjectId id = sim.add_deformable(desc, c.shape).value();
                    REQUIRE(sim.add_rigid(ball_desc(radius, 7850, {c.reach + 0.004 * speed, 0, 0},
                                                    {-speed, 0, 0}),
                                          std::sqrt(12.0) * radius)
                                .ok());
                    for (int i = 0; i < 0.04 * rate; ++i) sim.step(1.0 / rate);
                    CAPTURE(c.name);
                    CAPTURE(speed);
                    CAPTURE(rate);
                    CHECK(sim.journal(id).hits().size() == 1);
                    depth.add(damage_of(sim.state(id)).depth);
                }
                CHECK(depth.relative() < 0.03);
            }
        }
    }
}

TEST_CASE("rest in gravity is no impact at any rate, however low a body yields") {
    Material soft = find_material("tin").value();
    soft.yield_stress = 1e4;  // a step of gravity at 60 Hz is 0.16 m/s
    const auto shape = dentable(solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585)), 0.0012, soft);
    for (double rate : {60.0, 240.0}) {
        const auto engine = BulletEngine::make();
        Simulation sim(*engine, {});
        REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
        Transform pose;
        pose.translation.y() = 0.4401;
        const ObjectId id =
            sim.add_deformable(body_desc("barrel", pose, Vec3::Zero()), shape).value();
        for (int i = 0; i < 60; ++i) sim.step(1.0 / rate);
        CHECK(sim.state(id).revision() == 0);
    }
}
