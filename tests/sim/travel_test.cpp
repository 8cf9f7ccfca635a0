// SPDX-License-Identifier: MIT
// What gives way is followed: bodies go on into the room that shapes give up, as they give it up.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr double kSpeed = 8.0, kRadius = 0.15;
constexpr double kMostRebound = 0.3;

// Deep enough to last many steps.
std::shared_ptr<const BodyShape> soft_block() {
    static const auto asset = solid(SolidKind::Box, Vec3(0.8, 0.4, 0.8), 0.02);
    DentOptions options;
    options.exaggerate = 12.0;
    return dentable(asset, 0.0, find_material("copper").value(), options);
}

std::unique_ptr<Engine> weightless_engine() {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    return BulletEngine::make(options);
}

/// One step of a ball that meets the upper face of a block.
struct Met {
    double time = 0.0;  ///< Since the first step after the touch [s].
    double ball = 0.0;  ///< How far the ball has come, its lowest point against the old face [m].
    double surface = 0.0;  ///< How deep the face is under it [m].
    double momentum = 0.0;
};

std::vector<Met> meet(double rate, Motion motion) {
    const auto engine = weightless_engine();
    Simulation sim(*engine, {});
    DeformableDesc desc = body_desc("block", {}, Vec3::Zero());
    desc.motion = motion;
    desc.margin = 0.0;
    const ObjectId block = sim.add_deformable(desc, soft_block()).value();
    const ObjectId ball =
        sim.add_rigid(
               ball_desc(kRadius, 7850, {0, 0.2 + kRadius + 0.031 * kSpeed, 0}, {0, -kSpeed, 0}),
               2 * std::sqrt(3.0) * kRadius)
            .value();
    std::vector<Met> out;
    for (int i = 0; i < static_cast<int>(0.12 * rate); ++i) {
        sim.step(1.0 / rate);
        if (sim.report().hits == 0) continue;
        Met met;
        met.time = out.empty() ? 0.0 : out.back().time + 1.0 / rate;
        const Transform to_block = sim.motion(block).pose_w.inverse();
        met.ball = 0.2 - (to_block.point(sim.motion(ball).pose_w.translation).y() - kRadius);
        for (const Vec3& p : sim.state(block).points()) {
            if (std::hypot(p.x(), p.z()) < 0.03 && p.y() > -0.1) {
                met.surface = std::max(met.surface, 0.2 - p.y());
            }
        }
        for (const ObjectId id : {ball, block}) {
            const double mass = engine->mass(sim.body(id)).mass;
            met.momentum += mass * sim.motion(id).velocity_w.y();
        }
        out.push_back(met);
    }
    CHECK(std::abs(sim.ledger().gap()) < 1e-6 * sim.ledger().dissipated);
    return out;
}

double deepest(const std::vector<Met>& all) {
    double depth = 0.0;
    for (const Met& met : all) depth = std::max(depth, met.surface);
    return depth;
}

}  // namespace

TEST_CASE("no surface is ahead of what presses it, at any rate, against what moves and what not" *
          doctest::test_suite("long")) {
    const double cell = 0.25 * soft_block()->edge;
    for (const Motion motion : {Motion::Static, Motion::Dynamic}) {
        for (const double rate : {60.0, 240.0, 1000.0, 4000.0}) {
            CAPTURE(rate);
            const std::vector<Met> all = meet(rate, motion);
            REQUIRE(all.size() > 2);
            const double depth = deepest(all);
            CHECK(depth > 0.02);
            // Until it has come to rest the ball sits in the hollow; then it may leave, which a
            // long step lets it do at once.
            const double duration = 2.0 * depth / kSpeed;
            const double left = duration < 1.0 / rate ? kMostRebound * kSpeed / rate : 0.0;
            for (const Met& met : all) {
                if (met.time > duration) break;
                CAPTURE(met.time);
                CHECK(met.surface - met.ball < cell + left);
            }
        }
    }
}

TEST_CASE("a dent takes twice its depth over the speed, and slows evenly") {
    const std::vector<Met> all = meet(4000.0, Motion::Static);
    const double depth = deepest(all), duration = 2.0 * depth / kSpeed;
    for (const Met& met : all) {
        if (met.time > duration) break;
        const double left = 1.0 - met.time / duration;
        CHECK(test::within(met.surface, depth * (1.0 - left * left), 1e-9 * depth));
        CHECK(test::within(met.ball, depth * (1.0 - left * left), 1e-9 * depth));
    }
}

TEST_CASE("on their way into each other bodies keep their momentum") {
    const std::vector<Met> all = meet(1000.0, Motion::Dynamic);
    for (const Met& met : all) {
        CHECK(test::near(met.momentum, all.front().momentum, 1e-9));
    }
}

TEST_CASE("two that meet head-on stay in touch and share the way") {
    const auto engine = weightless_engine();
    Simulation sim(*engine, {});
    const auto shape = soft_block();
    Transform left, right;
    left.translation = {-0.5, 0, 0};
    right.translation = {0.5, 0, 0};
    const ObjectId a = sim.add_deformable(body_desc("left", left, {15, 0, 0}), shape).value();
    const ObjectId b = sim.add_deformable(body_desc("right", right, {-15, 0, 0}), shape).value();
    bool has_met = false;
    for (int i = 0; i < 60; ++i) {
        sim.step(1.0 / 960.0);
        if (sim.report().hits == 0) continue;
        has_met = true;
        CHECK(std::abs(sim.motion(a).centre_w.x() + sim.motion(b).centre_w.x()) < 2e-3);
    }
    CHECK(has_met);
}

TEST_CASE("two cars that meet at 15 m/s go on into each other, with no gap between them") {
    const auto shape =
        dentable(solid(SolidKind::Car, SolidOptions{.kind = SolidKind::Car}.size, 0.12), 0.0009,
                 find_material("steel").value());
    const double half = 0.5 * (shape->box.upper - shape->box.lower).z();
    for (const double rate : {60.0, 240.0}) {
        CAPTURE(rate);
        const auto engine = weightless_engine();
        Simulation sim(*engine, {});
        Transform left, right;
        left.translation = {0, 0, -half - 0.1};
        right.translation = {0, 0, half + 0.1};
        right.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitY()));
        const ObjectId a = sim.add_deformable(body_desc("a", left, {0, 0, 15}), shape).value();
        const ObjectId b = sim.add_deformable(body_desc("b", right, {0, 0, -15}), shape).value();
        for (int i = 0; i < static_cast<int>(0.08 * rate); ++i) {
            sim.step(1.0 / rate);
            if (sim.report().hits == 0) continue;
            const SurfaceQuery other(sim.state(b).points(), shape->triangles());
            const Transform to_other = sim.motion(b).pose_w.inverse() * sim.motion(a).pose_w;
            double gap = kInfinity;
            for (const Vec3& p : sim.state(a).points()) {
                gap = std::min(gap, other.closest_point(to_other.point(p)).distance);
            }
            CHECK(gap < 0.25 * shape->edge);
        }
        REQUIRE(sim.report().hits >= 2);
        CHECK(sim.motion(b).centre_w.z() - sim.motion(a).centre_w.z() < 2.0 * half - 0.15);
        CHECK(std::abs(sim.ledger().gap()) < 1e-6 * sim.ledger().dissipated);
    }
}
