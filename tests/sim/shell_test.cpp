// SPDX-License-Identifier: MIT
// Metal shells in a world: time steps, travel against what does not move, replay, threads.
#include <ductile/core/parallel.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/shell/shell_deformer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/phases.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> shell_of(std::shared_ptr<const SurfaceAsset> asset,
                                          double thickness, double mass,
                                          std::vector<std::shared_ptr<const Deformer>> layers) {
    auto shape = make_body_shape(std::move(asset),
                                 {.material = find_material("steel").value(),
                                  .thickness = thickness,
                                  .mass = mass,
                                  .pieces = {}},
                                 std::move(layers));
    REQUIRE(shape.ok());
    return shape.value();
}

std::shared_ptr<const BodyShape> shell_barrel() {
    static const auto shape = shell_of(solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585)), 0.0012,
                                       0.0, {make_shell_deformer({.sub_shells = 64})});
    return shape;
}

std::shared_ptr<const BodyShape> shell_car() {
    static const auto shape = shell_of(solid(SolidKind::Car, Vec3::Zero(), 0.11), 0.003, 1000.0,
                                       {make_shell_deformer({.sub_shells = 100})});
    return shape;
}

std::unique_ptr<Engine> shell_world() {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    return BulletEngine::make(options);
}

// A ball of 33 kg on the barrel's side; it touches `flight` seconds after the start.
ObjectId throw_ball(Simulation& sim, double flight, double speed) {
    const double radius = 0.1;
    const ObjectId barrel =
        sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shell_barrel()).value();
    const double x = 0.585 / 2 + radius + speed * flight;
    REQUIRE(sim.add_rigid(ball_desc(radius, 7850, {x, 0.02, 0}, {-speed, 0, 0}),
                          std::sqrt(12.0) * radius)
                .ok());
    return barrel;
}

struct ShellDamage {
    double depth = 0.0, volume = 0.0;
};
ShellDamage shell_damage(const BodyState& state) {
    const std::vector<double> areas = vertex_areas(state.shape().rest(), state.shape().triangles());
    const std::vector<double> moved = displacement(state.points(), state.shape().rest());
    ShellDamage damage;
    for (std::size_t v = 0; v < moved.size(); ++v) {
        damage.depth = std::max(damage.depth, moved[v]);
        damage.volume += areas[v] * moved[v];
    }
    return damage;
}

struct ShellSpread {
    double low = kInfinity, high = -kInfinity;
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    double relative() const { return (high - low) / (high + low); }
};

// Where the foremost point of a car is, along its way.
double nose_of(const Simulation& sim, ObjectId id) {
    double nose = -kInfinity;
    for (const Vec3& p : sim.state(id).points()) {
        nose = std::max(nose, sim.motion(id).pose_w.point(p).z());
    }
    return nose;
}

ObjectId drive_into_wall(Simulation& sim, double flight) {
    const double length = natural_size(SolidKind::Car).z();
    Transform pose;
    pose.translation.z() = -15.6 * flight - 0.5 * length;
    const ObjectId car =
        sim.add_deformable(body_desc("car", pose, Vec3(0, 0, 15.6)), shell_car()).value();
    BodyDesc wall = floor_desc();
    wall.name = "wall";
    wall.collider = BoxCollider{Vec3(8, 8, 1)};
    wall.pose_w.translation.z() = 0.5;
    REQUIRE(sim.add_rigid(wall, 11.0).ok());
    return car;
}

}  // namespace

TEST_CASE("a ball crumples a barrel alike at every rate and arrival phase") {
    const int phases = phase_count(kIsSanitized ? 1 : 4);
    ShellSpread depth, volume;
    for (const double rate : {60.0, 120.0, 240.0, 1000.0}) {
        for (int phase = 0; phase < phases; ++phase) {
            const auto engine = shell_world();
            Simulation sim(*engine, {});
            const double flight = 0.02 + (phase + 0.5) / phases / rate;
            const ObjectId id = throw_ball(sim, flight, 6.0);
            for (int i = 0; i < int(std::ceil(0.12 * rate)); ++i) sim.step(1.0 / rate);
            const ShellDamage damage = shell_damage(sim.state(id));
            depth.add(damage.depth);
            volume.add(damage.volume);
        }
    }
    MESSAGE("depth " << depth.low << ".." << depth.high << " m, volume " << volume.low << ".."
                     << volume.high << " m^3");
    CHECK(depth.low > 0.01);
    CHECK(depth.relative() < 0.01);
    CHECK(volume.relative() < 0.01);
}

TEST_CASE("a car crushes by half a metre against a wall, alike at every rate, and stays at it") {
    const int phases = phase_count(kIsSanitized ? 1 : 5);
    const double length = natural_size(SolidKind::Car).z();
    ShellSpread depth, volume, gap;
    for (const double rate : {60.0, 120.0, 240.0, 1000.0}) {
        for (int phase = 0; phase < phases; ++phase) {
            const auto engine = shell_world();
            Simulation sim(*engine, {});
            const double flight = 0.02 + (phase + 0.5) / phases / rate;
            const ObjectId id = drive_into_wall(sim, flight);
            for (int i = 0; i < int(std::ceil(0.14 * rate)); ++i) {
                sim.step(1.0 / rate);
                // While it goes in, nose and wall are together, from the step on in which the
                // engine sees them touch.
                const auto hits = sim.journal(id).hits();
                if (hits.empty() || sim.time() > hits[0].time + hits[0].duration) continue;
                gap.add(nose_of(sim, id) / length);
            }
            const ShellDamage damage = shell_damage(sim.state(id));
            depth.add(damage.depth);
            volume.add(damage.volume);
            CHECK(sim.ledger().withheld < 0.005 * 0.5 * 1000.0 * 15.6 * 15.6);
        }
    }
    MESSAGE("depth " << depth.low << ".." << depth.high << " m, volume " << volume.low << ".."
                     << volume.high << " m^3, nose before and behind the wall " << -100 * gap.low
                     << " and " << 100 * gap.high << " % of the car");
    CHECK(gap.low > -0.007);  // 0.8 % where the rebound counts before the nose has given in
    CHECK(gap.high < 0.01);
    CHECK(depth.low > 0.35);
    CHECK(depth.high < 0.85);
    CHECK(depth.relative() < 0.05);
    CHECK(volume.relative() < 0.05);
}

TEST_CASE("a crumpled shell is replayed, taken back and run on any threads to the same bits") {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 8}) {
        ThreadLimit limit(threads);
        const auto engine = shell_world();
        Simulation sim(*engine, {});
        const ObjectId id = throw_ball(sim, 0.02, 8.0);
        for (int i = 0; i < 30; ++i) sim.step(1.0 / 240.0);
        REQUIRE(sim.journal(id).hits().size() >= 1);
        const BodyState& state = sim.state(id);
        const std::vector<Vec3> again = shape_at(state.shape(), sim.journal(id), sim.time());
        CHECK(std::memcmp(again.data(), state.points().data(), again.size() * sizeof(Vec3)) == 0);
        hashes.push_back(sim.state_hash());
        while (!sim.journal(id).hits().empty()) {
            CHECK(sim.remove_hit(id, sim.journal(id).hits()[0].id));
        }
        sim.step(1.0 / 240.0);
        CHECK(std::memcmp(state.shape().rest().data(), sim.state(id).points().data(),
                          again.size() * sizeof(Vec3)) == 0);
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
}

TEST_CASE("a dent layer prints what struck into the sheet that the shell bent") {
    const auto shape = shell_of(solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585)), 0.0012, 0.0,
                                {make_dent_deformer({}), make_shell_deformer({.share = 0.8})});
    const auto engine = shell_world();
    Simulation sim(*engine, {});
    const ObjectId id = sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    REQUIRE(
        sim.add_rigid(ball_desc(0.1, 7850, {0.585 / 2 + 0.15, 0.02, 0}, {-6, 0, 0}), 0.35).ok());
    for (int i = 0; i < 30; ++i) sim.step(1.0 / 240.0);
    int shells = 0, dents = 0;
    for (const Hit& hit : sim.journal(id).hits()) {
        shells += std::holds_alternative<ShellHit>(hit.record);
        dents += std::holds_alternative<DentHit>(hit.record);
    }
    CHECK(shells == 1);
    CHECK(dents == 1);
}
