// SPDX-License-Identifier: MIT
// Bodies with example poses in a simulation: struck, seen by the engine, recorded.
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/rigged.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

struct RiggedWorld {
    ScriptedEngine engine;
    Simulation sim{engine, {}};
    ObjectId ball, target;

    explicit RiggedWorld(const std::shared_ptr<const BodyShape>& shape) {
        ball = sim.add_rigid(ball_desc(0.2, 7850, {5, 0, 0}, Vec3::Zero()), 0.7).value();
        target = sim.add_deformable(body_desc("post", {}, Vec3::Zero()), shape).value();
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
    const BodyState& state() const { return sim.state(target); }
};

}  // namespace

TEST_CASE("a pose that turns all handles alike adds no piece") {
    for (const double angle : {30.0, 90.0, 150.0, 179.0}) {
        const auto shape = rigged_post({}, false, angle);
        RiggedWorld w(shape);
        const std::size_t before = w.sim.cut(w.target).active.size();
        REQUIRE(
            w.sim.schedule_hit(w.target, 0.0, 0.0, example_hit({0, 0, 0}, {{"turned", 1e2}}, 1e3))
                .ok());
        w.sim.step(0.01);
        const Quat turn(Eigen::AngleAxisd(angle * kPi / 180.0, Vec3::UnitZ()));
        for (std::size_t v = 0; v < shape->rest().size(); ++v) {
            REQUIRE((w.state().points()[v] - turn * shape->rest()[v]).norm() < 1e-4);
        }
        CHECK(w.sim.cut(w.target).active.size() == before);
    }
}

TEST_CASE("a struck body turns to its poses, and replays to the bit") {
    for (const bool has_dents : {false, true}) {
        const auto shape = rigged_post({}, has_dents);
        RiggedWorld w(shape);
        w.strike(0.01, {-0.2, 0.8, 0}, {1, 0, 0}, 14.0);
        for (int i = 0; i < 60; ++i) w.sim.step(0.01);
        w.strike(w.sim.time() + 0.01, {-0.2, 0.2, 0}, {1, 0, 0}, 14.0);
        for (int i = 0; i < 60; ++i) w.sim.step(0.01);
        const std::span<const Hit> hits = w.sim.journal(w.target).hits();
        const auto is_example = [](const Hit& h) { return record_name(h.record) == "example"; };
        CHECK(std::count_if(hits.begin(), hits.end(), is_example) == 2);
        CHECK(std::size_t(std::count_if(hits.begin(), hits.end(), is_example)) ==
              (has_dents ? hits.size() - 2 : hits.size()));
        const auto replayed = shape_at(*shape, w.sim.journal(w.target), w.sim.time());
        CHECK(std::equal(replayed.begin(), replayed.end(), w.state().points().begin()));
        const ColliderError error =
            collider_error(shape->pieces, w.sim.cut(w.target), w.state().points(),
                           shape->triangles(), w.state().frames());
        CHECK(error.outside < 0.025 * shape->size);
        CHECK(w.sim.cut(w.target).looks.waiting.empty());
    }
}

TEST_CASE("within a fade the collider goes on by its points alone, whoever looks on") {
    const auto shape = rigged_post();
    const auto run = [&](bool is_watched, int threads) {
        const ThreadLimit limit(threads);
        const auto engine = BulletEngine::make({});
        Simulation sim(*engine, {});
        const ObjectId post =
            sim.add_deformable(body_desc("post", {}, Vec3(0, -1, 0)), shape).value();
        for (int k = 0; k < 3; ++k) {
            REQUIRE(sim.schedule_hit(post, 0.1 * k, 0.28,
                                     example_hit({-0.2, 0.8 - 0.4 * k, 0}, {{"bent", 0.02}}))
                        .ok());
        }
        for (int i = 0; i < 240; ++i) {
            sim.step(1.0 / 240.0);
            if (!is_watched) continue;
            const auto surface = shape_at(*shape, sim.journal(post), sim.time());
            REQUIRE(std::equal(surface.begin(), surface.end(), sim.state(post).points().begin()));
        }
        const SimReport& report = sim.report();
        CHECK(report.light_reshapes > 20);
        CHECK(report.reshapes - report.light_reshapes < 10);
        const auto replayed = shape_at(*shape, sim.journal(post), sim.time());
        CHECK(std::equal(replayed.begin(), replayed.end(), sim.state(post).points().begin()));
        // What was weighed is the surface as it is.
        const MassProperties now = engine->mass(sim.body(post));
        CHECK((now.centre_b - shape->mass_of(replayed).value().centre_b).norm() <
              1e-12 * shape->size);
        return sim.state_hash();
    };
    const std::uint64_t hash = run(false, 1);
    CHECK(run(true, 1) == hash);
    CHECK(run(false, 2) == hash);
    CHECK(run(true, 8) == hash);
}

TEST_CASE("while a shape gives way the body bounces less, and as before once it has") {
    ExampleOptions options;
    options.recovery = 0.1;
    RiggedWorld w(rigged_post(options));
    const double own = body_desc("", {}, Vec3::Zero()).restitution;
    const auto restitution = [&] { return w.engine.restitution(w.sim.body(w.target)); };
    CHECK(restitution() == own);
    w.strike(0.01, {-0.2, 0.8, 0}, {1, 0, 0}, 14.0);
    w.sim.step(0.01);
    w.sim.step(0.01);
    const double lowest = restitution();
    CHECK(lowest < own);
    double before = lowest;
    for (int i = 0; i < 100; ++i) {
        w.sim.step(0.01);
        CHECK(restitution() >= before);
        CHECK(restitution() <= own);
        before = restitution();
    }
    CHECK(restitution() == own);
}

TEST_CASE("a hit by hand names poses that the body has") {
    RiggedWorld w(rigged_post());
    const Status fine =
        w.sim.schedule_hit(w.target, 0.0, 0.0, example_hit({0, 1, 0}, {{"flat", 0.5}}));
    REQUIRE_FALSE(fine.ok());
    CHECK(fine.error().where == "/example/changes/flat");
    Journal foreign;
    foreign.add(0.0, 0.0, example_hit({0, 1, 0}, {{"flat", 0.5}}));
    CHECK_FALSE(w.sim.restore_journal(w.target, foreign).ok());
}

TEST_CASE("a recording keeps the shares of example poses") {
    const auto shape = rigged_post();
    RiggedWorld w(shape);
    Recorder recorder(30.0);
    recorder.watch(w.target, "post", shape->asset, false);
    recorder.capture(w.sim);
    REQUIRE(
        w.sim.schedule_hit(w.target, 0.0, 0.0, example_hit({0, 0, 0}, {{"pushed", 9}}, 1e3)).ok());
    w.sim.step(0.01);
    recorder.capture(w.sim);
    const Recording film = std::move(recorder).finish(w.sim);
    const RecordedBody& body = film.bodies[0];
    REQUIRE(body.poses.size() == 3);
    REQUIRE(body.shares.size() == 2);
    CHECK(body.shares[0].empty());
    REQUIRE(body.shares[1].size() == 3 * shape->rest().size());
    CHECK(body.shares[1][1] == 255);
    CHECK(film.hits[0].kind == "example");
}

TEST_CASE("a pose that fades in moves no free body's centre, and leaves its momentum") {
    BulletOptions weightless;
    weightless.gravity = Vec3::Zero();
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const auto engine = BulletEngine::make(weightless);
        Simulation sim(*engine, {});
        const auto shape = rigged_post();
        const Vec3 velocity(3.0, -1.0, 0.5);
        const ObjectId id = sim.add_deformable(body_desc("post", {}, velocity), shape).value();
        const Vec3 start = sim.motion(id).centre_w;
        REQUIRE(sim.schedule_hit(id, 0.0, 0.2, example_hit({0, 1, 0}, {{"pushed", 0.7}})).ok());
        for (int i = 1; i <= 60; ++i) {
            sim.step(1.0 / 240.0);
            const BodyMotion now = sim.motion(id);
            CHECK((now.centre_w - start - sim.time() * velocity).norm() < 1e-12 * i * shape->size);
            CHECK((now.velocity_w - velocity).norm() < 1e-12 * velocity.norm());
            CHECK(now.spin_w.norm() < 1e-12);
        }
        double moved = 0.0;
        for (std::size_t v = 0; v < shape->rest().size(); ++v) {
            moved = std::max(moved, (sim.state(id).points()[v] - shape->rest()[v]).norm());
        }
        CHECK(moved > 0.05 * shape->size);
        hashes.push_back(sim.state_hash());
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
}

TEST_CASE("a body that crumples bounces less than one that does not") {
    std::vector<double> rebounds;
    for (const double yield_speed : {1e3, 0.75}) {
        ExampleOptions options;
        options.yield_speed = yield_speed;
        const auto engine = BulletEngine::make({});
        Simulation sim(*engine, {});
        REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
        Transform pose;
        pose.translation.y() = 1.1;
        DeformableDesc desc = body_desc("post", pose, Vec3(0, -8, 0));
        desc.restitution = 0.5;
        const ObjectId id = sim.add_deformable(desc, rigged_post(options)).value();
        double rebound = 0.0;
        for (int i = 0; i < 60; ++i) {
            sim.step(1.0 / 240.0);
            rebound = std::max(rebound, sim.motion(id).velocity_w.y());
        }
        CHECK(sim.journal(id).is_empty() == (yield_speed > 1.0));
        rebounds.push_back(rebound);
    }
    CHECK(rebounds[0] > 2.0);
    CHECK(rebounds[1] < 0.7 * rebounds[0]);
}

TEST_CASE("rows stay barycentric, and momentum what it was, through impacts that overlap") {
    BulletOptions weightless;
    weightless.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(weightless);
    Simulation sim(*engine, {});
    const auto shape = rigged_post();
    const Vec3 velocity(2.0, 1.0, -0.5);
    const ObjectId id = sim.add_deformable(body_desc("post", {}, velocity), shape).value();
    for (int k = 0; k < 6; ++k) {
        const Vec3 place(k % 2 ? 0.2 : -0.2, 0.9 - 0.3 * k, 0);
        REQUIRE(sim.schedule_hit(id, 0.02 * k, 0.15,
                                 example_hit(place, {{"bent", 0.8}, {"pushed", k % 3 - 0.7}}))
                    .ok());
    }
    const double mass = shape->mass.mass;
    for (int i = 0; i < 80; ++i) {
        sim.step(1.0 / 240.0);
        for (const ExampleRow& row : sim.state(id).rows()) {
            double sum = 0.0;
            for (const double s : row.shares) {
                REQUIRE(s >= 0.0);
                sum += s;
            }
            REQUIRE(row.rest_share() >= -1e-12);
            REQUIRE(std::abs(sum + row.rest_share() - 1.0) <= 1e-12);
        }
        const Vec3 momentum = mass * sim.motion(id).velocity_w;
        CHECK((momentum - mass * velocity).norm() <= 1e-12 * mass * velocity.norm());
    }
    CHECK(sim.report().reshapes > 6);
}
