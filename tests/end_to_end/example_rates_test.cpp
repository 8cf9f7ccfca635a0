// SPDX-License-Identifier: MIT
// Example poses must not depend on the time step: the same first impact at four step rates, each
// with several arrival phases, so that the touch falls everywhere within a step.
#include <ductile/deform/example/example_deformer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/scene/builtin_rigs.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/phases.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> rigged_body(const char* rig_name, double mass) {
    const LoadedRigFile file = load_builtin_rig(*find_builtin_rig(rig_name));
    REQUIRE(file.ok());
    const auto built = build_rig(file.rig);
    REQUIRE(built.ok());
    const auto rig = example_rig(built.value(), file.rig.weight_options.threshold);
    REQUIRE(rig.ok());
    auto shape = make_body_shape(
        built.value().asset,
        {.material = find_material("steel").value(), .thickness = 0.0012, .mass = mass},
        {make_example_deformer({}, rig.value())});
    REQUIRE(shape.ok());
    return std::move(shape).value();
}

/// Lowest and highest of what runs gave.
struct Extremes {
    double low = kInfinity, high = -kInfinity;
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    double relative() const { return (high - low) / (high + low); }
};

// How much the first impact gives of all poses together, over the whole body.
double first_impact(const BodyShape& shape, const Journal& journal) {
    REQUIRE_FALSE(journal.hits().empty());
    const auto& hit = std::get<ExampleHit>(journal.hits()[0].record);
    Journal alone;
    alone.add(0.0, 0.0, hit);
    std::vector<double> posed;
    for (const ExampleRow& row : rows_at(shape, alone, 1.0))
        posed.push_back(1.0 - row.rest_share());
    return shape.data<ExampleData>()->area_mean(posed);
}

using Start = std::function<ObjectId(Simulation&, double flight)>;

Extremes sweep_phases(const BodyShape& shape, const Start& start) {
    Extremes found;
    for (const double rate : {60.0, 120.0, 240.0, 1000.0}) {
        for (int phase = 0; phase < phase_count(2); ++phase) {
            BulletOptions world;
            world.gravity = Vec3::Zero();
            const auto engine = BulletEngine::make(world);
            Simulation sim(*engine, {});
            const ObjectId id = start(sim, 0.03 + (phase + 0.5) / phase_count(2) / rate);
            for (int i = 0; i < std::ceil(0.075 * rate); ++i) sim.step(1.0 / rate);
            found.add(first_impact(shape, sim.journal(id)));
        }
    }
    return found;
}

}  // namespace

TEST_CASE("a ball in a car's side makes the same of its poses at every rate and arrival phase" *
          doctest::test_suite("long")) {
    const auto shape = rigged_body("car", 1100.0);
    const Extremes e = sweep_phases(*shape, [&](Simulation& sim, double flight) {
        const double radius = 0.4, speed = 14.0;
        const double reach = shape->box.upper.x() + radius;
        REQUIRE(sim.add_rigid(
                       ball_desc(radius, 3000, {reach + speed * flight, 0.0, 0.1}, {-speed, 0, 0}),
                       std::sqrt(12.0) * radius)
                    .ok());
        return sim.add_deformable(body_desc("car", {}, Vec3::Zero()), shape).value();
    });
    MESSAGE("ball in a car's side: " << e.low << " to " << e.high << ", +-" << 100 * e.relative()
                                     << " %");
    CHECK(e.low > 0.005);
    CHECK(e.relative() <= 0.02);
}

TEST_CASE("a barrel that lands makes the same of its poses at every rate and arrival phase") {
    const auto shape = rigged_body("barrel", 0.0);
    for (const double tilt_deg : {0.0, 30.0}) {
        const Extremes e = sweep_phases(*shape, [&](Simulation& sim, double flight) {
            const double speed = 6.0;
            REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
            Transform pose;
            pose.rotation = Quat(Eigen::AngleAxisd(tilt_deg * kPi / 180.0, Vec3::UnitZ()));
            double lowest = kInfinity;
            for (const Vec3& p : shape->rest()) lowest = std::min(lowest, pose.point(p).y());
            pose.translation.y() = speed * flight - lowest;
            return sim.add_deformable(body_desc("barrel", pose, Vec3(0, -speed, 0)), shape).value();
        });
        MESSAGE("barrel tilted by " << tilt_deg << " degrees: " << e.low << " to " << e.high
                                    << ", +-" << 100 * e.relative() << " %");
        CHECK(e.low > 0.005);
        CHECK(e.relative() <= 0.05);
    }
}

TEST_CASE("a car whose roof is flattened where it stands keeps its wheels where they are" *
          doctest::test_suite("long")) {
    const auto shape = rigged_body("car", 1100.0);
    const auto engine = BulletEngine::make({});
    const SimOptions options;
    Simulation sim(*engine, options);
    REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
    Transform pose;
    pose.translation.y() = 0.002 - shape->box.lower.y();
    const ObjectId id = sim.add_deformable(body_desc("car", pose, Vec3::Zero()), shape).value();
    const auto run = [&](double seconds) {
        for (int i = 0; i < 240 * seconds; ++i) sim.step(1.0 / 240.0);
        std::vector<Vec3> places;
        for (const Vec3& p : sim.state(id).points())
            places.push_back(sim.motion(id).pose_w.point(p));
        return places;
    };
    const std::vector<Vec3> before = run(1.5);
    ExampleHit hit;
    hit.position_b = {0, 0.7, 0};
    hit.radius = 10.0;
    hit.changes = {{"roof flattened", 1.0}};
    REQUIRE(sim.schedule_hit(id, sim.time(), 0.28, hit).ok());
    const std::vector<Vec3> after = run(1.0);
    double wheels = 0.0, roof = 0.0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        const double moved = (after[v] - before[v]).norm();
        roof = std::max(roof, moved);
        const bool is_on_floor = shape->rest()[v].y() < shape->box.lower.y() + 0.02;
        if (is_on_floor) wheels = std::max(wheels, moved);
    }
    MESSAGE("wheels moved by " << 1e3 * wheels << " mm, the roof by " << 1e3 * roof << " mm");
    CHECK(roof > 0.3);
    CHECK(wheels < options.contact_tolerance * shape->size);
}
