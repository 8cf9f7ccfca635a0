// SPDX-License-Identifier: MIT
// Whole runs on the real engine: the laws that must hold whatever falls where.
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/sim/ledger.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/bullet_tolerance.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// Barrels fall on a floor while a ball flies into them.
struct Pile {
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation sim{*engine, {}};
    std::vector<ObjectId> barrels;

    Pile(const std::shared_ptr<const BodyShape>& shape, int count, double turned = 0.0) {
        REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
        for (int i = 0; i < count; ++i) {
            Transform pose;
            pose.rotation = Eigen::AngleAxisd(0.7 * i + turned, Vec3(1, 0.3, 0.2).normalized());
            pose.translation = {0.65 * (i % 3), 1.0 + 0.8 * i, 0.2 * (i % 2)};
            barrels.push_back(
                sim.add_deformable(body_desc("barrel", pose, {0, -4, 0}), shape).value());
        }
        REQUIRE(sim.add_rigid(ball_desc(0.3, 7850, {4, 1.0, 0}, {-12, 2, 0}), 0.6).ok());
    }
};

std::uint64_t run_pile(const std::shared_ptr<const BodyShape>& shape, int threads) {
    ThreadLimit limit(threads);
    Pile pile(shape, 4);
    for (int i = 0; i < 120; ++i) pile.sim.step(1.0 / 120);
    CHECK(pile.sim.report().hits > 0);
    return pile.sim.state_hash();
}

}  // namespace

TEST_CASE("twenty runs, and runs on one, two and eight threads, give the same state hash") {
    const auto shape = barrel();
    const std::uint64_t first = run_pile(shape, 0);
    for (int i = 1; i < (kIsSanitized ? 2 : 20); ++i) CHECK(run_pile(shape, 0) == first);
    for (int threads : {1, 2, 8}) CHECK(run_pile(shape, threads) == first);
}

TEST_CASE("the energy ledger closes and dissipates, step after step") {
    Pile pile(barrel(), 4);
    double dissipated = 0.0, most = 0.0;
    for (int i = 0; i < 240; ++i) {
        pile.sim.step(1.0 / 240);
        const EnergyLedger& ledger = pile.sim.ledger();
        most = std::max(most, ledger.now);
        CHECK(ledger.dissipated >= dissipated);
        CHECK(std::abs(ledger.gap()) <= 1e-9 * most);
        dissipated = ledger.dissipated;
    }
    CHECK(dissipated > 100.0);
    // Energy made by the solver is booked, and small.
    CHECK(pile.sim.ledger().gained < 0.02 * dissipated);
}

TEST_CASE("reshaping moves the engine's books by just what it says") {
    // Kinetic energy from the outside: motion and mass of every body, not the ledger's own sums.
    Pile pile(barrel(), 3);
    for (int i = 0; i < 120; ++i) {
        pile.sim.step(1.0 / 120);
        double kinetic = 0.0;
        for (ObjectId id : pile.sim.objects()) {
            const BodyMotion m = pile.engine->motion(pile.sim.body(id));
            const MassProperties mass = pile.engine->mass(pile.sim.body(id));
            if (m.is_asleep || (m.velocity_w.isZero() && m.spin_w.isZero())) continue;
            const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
            kinetic += 0.5 * mass.mass * m.velocity_w.squaredNorm() +
                       0.5 * spin_b.dot(mass.inertia_b * spin_b);
        }
        CHECK(test::near(kinetic, pile.sim.ledger().now, tolerance(1e-9, 1e-5)));
    }
    CHECK(pile.sim.report().reshapes > 0);
}

TEST_CASE("no dented surface has a point that is not finite or beyond its total limit") {
    Pile pile(barrel(), 4);
    for (int i = 0; i < 240; ++i) pile.sim.step(1.0 / 120);
    for (ObjectId id : pile.barrels) {
        const BodyState& state = pile.sim.state(id);
        double limit = 0.0;
        for (const Hit& hit : pile.sim.journal(id).hits()) {
            limit = std::max(limit, std::get<DentHit>(hit.record).total_limit);
        }
        for (double d : displacement(state.points(), state.shape().rest())) {
            REQUIRE(std::isfinite(d));
            REQUIRE(d <= limit * (1 + 1e-12));
        }
    }
    CHECK(pile.sim.report().fallbacks == 0);
}

TEST_CASE("no hit turns a triangle that faced it, though others are still on their way in") {
    const auto shape = barrel();
    for (const double turned : {0.0, 0.5, 1.0}) {
        CAPTURE(turned);
        Pile pile(shape, 4, turned);
        for (int i = 0; i < 240; ++i) pile.sim.step(1.0 / 120);
        for (ObjectId id : pile.barrels) {
            std::vector<Vec3> points(shape->rest().begin(), shape->rest().end());
            for (const Hit& hit : pile.sim.journal(id).hits()) {
                const std::vector<Vec3> before = points;
                press_dent(points, shape->rest(), std::get<DentHit>(hit.record), 1.0);
                const Vec3& along = std::get<DentHit>(hit.record).direction_b;
                for (const Triangle& t : shape->triangles()) {
                    const Vec3 was = area_vector(before, t);
                    const bool faced = was.dot(along) < -1e-3 * was.norm();  // and not edge-on
                    if (faced) REQUIRE(area_vector(points, t).dot(along) < 0);
                }
            }
        }
    }
}

TEST_CASE("a ball moved into its dent is not pushed out by the collider") {
    const auto shape = barrel();
    BulletOptions still;
    still.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(still);
    Simulation sim(*engine, {});
    const ObjectId target =
        sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    DentHit dent;
    dent.position_b = {0.2925, 0, 0};
    dent.direction_b = {-1, 0, 0};
    dent.depth = 0.06;
    dent.radius = 0.2;
    REQUIRE(sim.schedule_hit(target, 0, 0, dent).ok());
    for (int i = 0; i < 3; ++i) sim.step(1.0 / 120);

    // The ball fits the dent: put it as deep as the dented surface allows.
    const double radius = 0.08;
    const SurfaceQuery surface(sim.state(target).points(), shape->triangles());
    double x = 0.2925 + radius;
    while (surface.closest_point({x - 0.001, 0, 0}).distance > radius) x -= 0.001;
    CHECK(x < 0.2925 + radius - 0.04);
    const ObjectId ball =
        sim.add_rigid(ball_desc(radius, 7850, {x + 0.001, 0, 0}, Vec3::Zero()), 2 * radius).value();
    for (int i = 0; i < 60; ++i) sim.step(1.0 / 120);
    const double pushed =
        (engine->motion(sim.body(ball)).pose_w.translation - Vec3(x, 0, 0)).norm();
    CHECK(pushed < 0.012);
}

TEST_CASE("a body that is not hit is not touched, and sleeps") {
    const auto engine = BulletEngine::make();
    Simulation sim(*engine, {});
    REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
    Transform pose;
    pose.translation.y() = 0.4405;
    const ObjectId id =
        sim.add_deformable(body_desc("barrel", pose, Vec3::Zero()), barrel()).value();
    for (int i = 0; i < 600; ++i) sim.step(1.0 / 120);
    CHECK(engine->motion(sim.body(id)).is_asleep);
    CHECK(sim.report().hits == 0);
    CHECK(sim.report().reshapes == 0);
    CHECK(sim.state(id).revision() == 0);
}

TEST_CASE("a stack under a running fade stays as still as a plain one") {
    const auto block = dentable(solid(SolidKind::Box, Vec3(0.5, 0.3, 0.5), 0.05), 0.0,
                                find_material("steel").value());
    const auto fastest_turn = [&](bool fading) {
        const auto engine = BulletEngine::make();
        Simulation sim(*engine, {});
        REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
        std::vector<ObjectId> stack;
        for (int i = 0; i < 3; ++i) {
            Transform pose;
            pose.translation.y() = 0.151 + 0.3005 * i;
            stack.push_back(
                sim.add_deformable(body_desc("block", pose, Vec3::Zero()), block).value());
        }
        double fastest = 0.0;
        for (int i = 0; i < 360; ++i) {
            if (fading && i == 60) {
                for (ObjectId id : stack) {
                    DentHit side;  // on a side face: what stands does not lose its footing
                    side.position_b = {0.25, 0, 0};
                    side.direction_b = {-1, 0, 0};
                    side.depth = 0.03;
                    side.radius = 0.12;
                    REQUIRE(sim.schedule_hit(id, sim.time(), 2.0, side).ok());
                }
            }
            sim.step(1.0 / 120);
            for (ObjectId id : stack)
                fastest = std::max(fastest, engine->motion(sim.body(id)).spin_w.norm());
        }
        if (fading) CHECK(sim.report().reshapes > 300);
        return fastest;
    };
    const double plain = fastest_turn(false), fading = fastest_turn(true);
    MESSAGE("fastest turn: plain " << plain << " rad/s, fading " << fading << " rad/s");
    CHECK(fading <= 3.0 * std::max(plain, 1e-3));
}
