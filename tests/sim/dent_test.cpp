// SPDX-License-Identifier: MIT
// Dents in the shape of what hits, through the whole step.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const SurfaceAsset> mirrored(const SurfaceAsset& asset) {
    auto copy = std::make_shared<SurfaceAsset>(asset);
    for (Vec3& p : copy->surface.points) p.x() = -p.x();
    for (Triangle& t : copy->surface.triangles) std::swap(t[1], t[2]);
    return copy;
}

BulletOptions weightless() {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    return options;
}

Material copper() { return find_material("copper").value(); }

double deepest(const BodyState& state) {
    const std::vector<double> moved = displacement(state.points(), state.shape().rest());
    return *std::max_element(moved.begin(), moved.end());
}

// A ball that strikes the upper face of a block, at an angle from straight down, coming from +x.
struct Collision {
    ScriptedEngine engine;
    Simulation sim;
    ObjectId ball, block;
    Quat turn;

    Collision(std::shared_ptr<const BodyShape> shape, double degrees, double speed,
              const Quat& turned = Quat::Identity())
        : sim(engine, {}), turn(turned) {
        Transform pose;
        pose.rotation = turn;
        BodyDesc desc = ball_desc(0.1, 500, turn * Vec3(0, 0.3, 0), Vec3::Zero());
        desc.pose_w.rotation = turn;
        ball = sim.add_rigid(desc, 0.35).value();
        block =
            sim.add_deformable(body_desc("block", pose, Vec3::Zero()), std::move(shape)).value();
        strike(0.01, degrees, speed);
    }
    void strike(double time, double degrees, double speed) {
        const double t = degrees * kPi / 180.0;
        const Vec3 middle_w = sim.motion(block).pose_w.translation;
        engine.script({.time = time,
                       .a = sim.body(ball),
                       .b = sim.body(block),
                       .point_w = middle_w + turn * Vec3(0, 0.2, 0),
                       .normal_w = turn * Vec3(0, -1, 0),
                       .velocity_w = turn * (speed * Vec3(-std::tan(t), -1, 0))});
    }
    const DentHit& hit(std::size_t i = 0) const {
        REQUIRE(sim.journal(block).hits().size() > i);
        return std::get<DentHit>(sim.journal(block).hits()[i].record);
    }
};

// Deep enough for a mesh of that resolution: shapes are looked at here, not depths.
std::shared_ptr<const BodyShape> block(DentOptions options = {}) {
    static const auto asset = solid(SolidKind::Box, Vec3(0.8, 0.4, 0.8), 0.02);
    options.exaggerate = 12.0;
    return dentable(asset, 0.0, copper(), options);
}

}  // namespace

TEST_CASE("two equal balls head-on dent as mirror images") {
    const auto left = solid(SolidKind::Sphere, Vec3::Constant(0.5), 0.03);
    const auto engine = BulletEngine::make(weightless());
    Simulation sim(*engine, {});
    Transform a, b;
    a.translation = Vec3(-0.4, 0, 0);
    b.translation = Vec3(0.4, 0, 0);
    const ObjectId first = sim.add_deformable(body_desc("left", a, {6, 0, 0}),
                                              dentable(left, 0.0, copper(), {.exaggerate = 5.0}))
                               .value();
    const ObjectId second =
        sim.add_deformable(body_desc("right", b, {-6, 0, 0}),
                           dentable(mirrored(*left), 0.0, copper(), {.exaggerate = 5.0}))
            .value();
    for (int i = 0; i < 60; ++i) sim.step(1.0 / 480.0);
    const std::span<const Vec3> p = sim.state(first).points(), q = sim.state(second).points();
    double worst = 0.0;
    for (std::size_t v = 0; v < p.size(); ++v) {
        worst = std::max(worst, (p[v] - Vec3(-q[v].x(), q[v].y(), q[v].z())).norm());
    }
    CHECK(worst < 1e-9);
    CHECK(deepest(sim.state(first)) > 0.02);
}

TEST_CASE("turning the whole scene turns the result") {
    Collision plain(block(), 35.0, 3.0);
    Collision turned(block(), 35.0, 3.0,
                     Quat(Eigen::AngleAxisd(0.9, Vec3(1, -2, 0.5).normalized())));
    for (int i = 0; i < 3; ++i) {
        plain.sim.step(0.01);
        turned.sim.step(0.01);
    }
    const std::span<const Vec3> p = plain.sim.state(plain.block).points(),
                                q = turned.sim.state(turned.block).points();
    double worst = 0.0;
    for (std::size_t v = 0; v < p.size(); ++v) worst = std::max(worst, (p[v] - q[v]).norm());
    CHECK(worst < 1e-9);
    CHECK(plain.hit().map.has_value());
}

TEST_CASE("a glancing impact leans its dent the way it went, and changes with its angle smoothly" *
          doctest::test_suite("long")) {
    double last_x = 0.0, last_depth = 0.0;
    for (double degrees = 0.0; degrees < 79.0; degrees += 3.0) {
        Collision impact(block(), degrees, 3.0);
        for (int i = 0; i < 3; ++i) impact.sim.step(0.01);
        const DentHit& hit = impact.hit();
        CHECK(test::within(hit.slant_deg, degrees, 1e-6));
        const BodyState& state = impact.sim.state(impact.block);
        const double cosine = std::cos(degrees * kPi / 180.0);
        double x = 0.0, down = 0.0;
        for (std::size_t v = 0; v < state.points().size(); ++v) {
            const Vec3 moved = state.points()[v] - state.shape().rest()[v];
            x = std::min(x, moved.x());
            down = std::min(down, moved.y());
            CHECK(moved.x() <= 1e-12);  // it came from +x: nothing goes back there
        }
        CHECK(-down <= hit.depth * cosine * (1 + 1e-9));
        if (degrees > 0) {
            CHECK(x < 0.0);
            CHECK(std::abs(x - last_x) < 0.45 * hit.depth);
            CHECK(test::near(down * cosine, last_depth, 0.2));
        }
        last_x = x;
        last_depth = down * cosine;  // the speed along the way is 1 / cosine
    }
}

TEST_CASE("an impact that grows in two steps leaves what one impact of that strength leaves") {
    Collision twice(block(), 0.0, 1.5), once(block(), 0.0, 2.5);
    twice.strike(0.02, 0.0, 2.5);
    for (int i = 0; i < 4; ++i) {
        twice.sim.step(0.01);
        once.sim.step(0.01);
    }
    REQUIRE(twice.sim.journal(twice.block).hits().size() == 2);
    const double one = deepest(once.sim.state(once.block));
    CHECK(test::near(deepest(twice.sim.state(twice.block)), one, 0.1));
}

TEST_CASE("repeated impacts at one place go deeper, ever less, and never past the limit") {
    // Of lead, struck hard enough to be seen as it is. The collider holds the ball up where the
    // surface was at rest: the hollow below is found all the same.
    DentOptions options;
    options.total_limit = 0.05;
    const auto asset = solid(SolidKind::Box, Vec3(0.5, 0.4, 0.5), 0.01);
    Collision impact(dentable(asset, 0.0, find_material("lead").value(), options), 0.0, 20.0);
    std::vector<double> depths;
    for (int k = 0; k < 12; ++k) {
        for (int i = 0; i < 20; ++i)
            impact.sim.step(0.01);  // long enough to be an impact of its own
        depths.push_back(deepest(impact.sim.state(impact.block)));
        Transform above;
        above.translation = impact.sim.motion(impact.block).pose_w.translation + Vec3(0, 0.4, 0);
        impact.engine.set_motion(impact.sim.body(impact.ball), above, Vec3::Zero(), Vec3::Zero());
        impact.strike(0.2 * (k + 1) + 0.01, 0.0, 20.0);
    }
    for (std::size_t k = 1; k < depths.size(); ++k) {
        CAPTURE(k);
        CHECK(depths[k] > depths[k - 1]);
        const double slack = 0.05 * depths[0];
        if (k > 1) CHECK(depths[k] - depths[k - 1] < depths[k - 1] - depths[k - 2] + slack);
    }
    // Each presses the same volume: the second as far as the root of two has it.
    CHECK(test::near(depths[1] / depths[0], std::sqrt(2.0), 0.1));
    CHECK(depths.back() > 2.0 * depths[0]);
    CHECK(depths.back() < 0.05);
    // The limit takes some of it, which the report says.
    CHECK(impact.sim.report().limited > 0);
}

TEST_CASE("what goes into a dent does not come back, and momentum stays") {
    const auto run = [](AfterDent after) {
        struct Outcome {
            double parting, momentum, gap, dissipated;
        };
        const auto engine = BulletEngine::make(weightless());
        Simulation sim(*engine, {});
        DentOptions options;
        options.after = after;
        DeformableDesc desc = body_desc("block", {}, Vec3::Zero());
        desc.restitution = 0.64;  // with the ball's, which is 1: 0.8
        const auto shape = block(options);
        const ObjectId target = sim.add_deformable(desc, shape).value();
        const BodyDesc ball = ball_desc(0.15, 7850, {0, 0.6, 0}, {0, -8, 0});
        const ObjectId id = sim.add_rigid(ball, 0.5).value();
        for (int i = 0; i < 60; ++i) sim.step(1.0 / 480.0);
        REQUIRE(sim.report().hits > 0);
        const double up = engine->motion(sim.body(id)).velocity_w.y();
        const double down = engine->motion(sim.body(target)).velocity_w.y();
        return Outcome{up - down, ball.mass.mass * up + shape->mass.mass * down, sim.ledger().gap(),
                       sim.ledger().dissipated};
    };
    const auto left = run(AfterDent::Leave);
    const auto slow = run(AfterDent::Slow);
    const auto moved = run(AfterDent::Move);
    CHECK(test::near(left.parting, 0.8 * 8, 0.1));
    CHECK(slow.parting < 0.3 * left.parting);  // copper: e is 0.22 at 8 m/s
    CHECK(slow.parting >= -1e-9);
    CHECK(test::near(slow.momentum, left.momentum, 1e-9));
    CHECK(test::near(moved.momentum, left.momentum, 1e-6));
    CHECK(slow.dissipated > left.dissipated);
    CHECK(std::abs(slow.gap) < 1e-6 * slow.dissipated);
}

TEST_CASE("a projectile that is moved lies in its dent") {
    for (const AfterDent after : {AfterDent::Slow, AfterDent::Move}) {
        const auto engine = BulletEngine::make(weightless());
        Simulation sim(*engine, {});
        DentOptions options;
        options.after = after;
        DeformableDesc desc = body_desc("block", {}, Vec3::Zero());
        desc.motion = Motion::Static;
        const ObjectId target = sim.add_deformable(desc, block(options)).value();
        const ObjectId ball =
            sim.add_rigid(ball_desc(0.15, 7850, {0, 0.6, 0}, {0, -8, 0}), 0.5).value();
        double lowest = 1.0;
        for (int i = 0; i < 60; ++i) {
            sim.step(1.0 / 480.0);
            lowest = std::min(lowest, engine->motion(sim.body(ball)).pose_w.translation.y());
        }
        const double depth = deepest(sim.state(target));
        CHECK(depth > 0.02);
        if (after == AfterDent::Move) CHECK(test::near(lowest, 0.35 - depth, 0.03));
        if (after == AfterDent::Slow) CHECK(lowest > 0.35 - 0.3 * depth);
    }
}
