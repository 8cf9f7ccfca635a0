// SPDX-License-Identifier: MIT
// What engines tell of a sub-step is what happened in it.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("reported impulses are what a body felt, with friction along one way or two") {
    for (const bool has_two : {false, true}) {
        BulletOptions options;
        options.has_two_frictions = has_two;
        const auto engine = BulletEngine::make(options);
        REQUIRE(engine->add(floor_desc()).ok());
        BodyDesc d = piece_desc({0.4, 0.2, 0.4}, 1000, {0, 0.1006, 0});
        d.velocity_w = {3, 0, 2};
        d.spin_w = {0, 3, 0};
        const BodyId box = engine->add(d).value();
        const double dt = 1.0 / 240, mass = engine->mass(box).mass;
        Vec3 friction = Vec3::Zero();
        for (int i = 0; i < 60; ++i) {
            const Vec3 before = engine->motion(box).velocity_w;
            engine->step(dt);
            Vec3 impulse = Vec3::Zero();
            for (const Contact& c : engine->batches()[0].contacts) {
                impulse += c.normal_impulse * c.normal_w + c.friction_impulse_w;
                friction += c.friction_impulse_w;
            }
            const Vec3 gravity(0, -9.81 * dt, 0);
            const Vec3 felt = mass * (engine->motion(box).velocity_w - before - gravity);
            CHECK((impulse - felt).norm() < tolerance(1e-9, 1e-3));
        }
        CHECK(friction.x() < -1.0);
        CHECK(friction.z() < -1.0);
    }
}

TEST_CASE("a scripted engine's sub-step is its step, and ends at its time") {
    ScriptedEngine engine;
    double time = 0.0;
    for (const double dt : {0.01, 0.02, 0.005}) {
        time += dt;
        engine.step(dt);
        REQUIRE(engine.batches().size() == 1);
        CHECK(near(engine.batches()[0].time, time));
        CHECK(engine.batches()[0].dt == dt);
    }
}
