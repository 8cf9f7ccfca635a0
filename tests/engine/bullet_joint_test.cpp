// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A post that cannot move and an arm of 1 m that is tied to its origin, along x.
struct Arm {
    std::unique_ptr<BulletEngine> engine;
    BodyId post, arm;
    JointId joint;
    double about_tie = 0.0;  ///< The arm's inertia about the tie, axis z.

    Arm(const Vec3& gravity, double moment_limit, double force_limit, double spin) {
        BulletOptions options;
        options.gravity = gravity;
        options.solver_iterations = 50;
        engine = BulletEngine::make(options);
        BodyDesc d;
        d.name = "post";
        d.motion = Motion::Static;
        d.collider = BoxCollider{{0.1, 0.1, 0.1}};
        post = engine->add(d).value();
        BodyDesc a = piece_desc({1.0, 0.1, 0.1}, 1000, {0.5, 0, 0});
        a.velocity_w = {0, 0.5 * spin, 0};
        a.spin_w = {0, 0, spin};
        arm = engine->add(a).value();
        joint = engine
                    ->add_joint({.a = post,
                                 .b = arm,
                                 .frame_w = {},
                                 .force_limit = force_limit,
                                 .moment_limit = moment_limit,
                                 .bodies_collide = false})
                    .value();
        about_tie = a.mass.inertia_b(2, 2) + a.mass.mass * 0.25;
    }
    double angle() const {
        const Vec3 x = engine->motion(arm).pose_w.direction(Vec3::UnitX());
        return std::atan2(x.y(), x.x());
    }
};

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("below its limits a joint is rigid and carries the load") {
    Arm a({0, -9.81, 0}, kInfinite, kInfinite, 0.0);
    for (int i = 0; i < 480; ++i) a.engine->step(1.0 / 240);
    const double mass = a.engine->mass(a.arm).mass;
    const JointState state = a.engine->joint(a.joint);
    CHECK(std::abs(a.angle()) < 2e-3);
    CHECK(a.engine->motion(a.arm).centre_w.x() == doctest::Approx(0.5).epsilon(1e-3));
    CHECK(state.impulse_w.y() == doctest::Approx(mass * 9.81 / 240).epsilon(0.01));
    CHECK(state.angular_impulse_w.z() == doctest::Approx(0.5 * mass * 9.81 / 240).epsilon(0.02));
    CHECK(!state.is_yielding);
}

TEST_CASE("a plastic hinge stops after I w^2 / (2 M) radians and stays there, at any rate") {
    const double spin = 3.0, moment = 60.0;
    for (const int rate : {60, 240, 1000}) {
        Arm a(Vec3::Zero(), moment, kInfinite, spin);
        const double expected = a.about_tie * spin * spin / (2.0 * moment);
        REQUIRE(expected > 0.2);
        bool has_yielded = false;
        for (int i = 0; i < rate; ++i) {
            a.engine->step(1.0 / rate);
            has_yielded |= a.engine->joint(a.joint).is_yielding;
            CHECK(a.engine->joint(a.joint).angular_impulse_w.cwiseAbs().maxCoeff() <=
                  moment / rate * (1 + 1e-6));
        }
        INFO("rate ", rate);
        CHECK(has_yielded);
        CHECK(a.angle() == doctest::Approx(expected).epsilon(4.0 / rate + 0.005));
        CHECK(a.engine->joint(a.joint).angle == doctest::Approx(a.angle()).epsilon(0.01));
        CHECK(!a.engine->joint(a.joint).is_yielding);
        const double held = a.angle();
        for (int i = 0; i < rate; ++i) a.engine->step(1.0 / rate);
        CHECK(std::abs(a.angle() - held) < 1e-3);
        // It yielded but did not come off.
        const Vec3 end = a.engine->motion(a.arm).pose_w.point({-0.5, 0, 0});
        CHECK(end.norm() < 2e-3);
    }
}

TEST_CASE("a joint that cannot carry the weight sinks at the rate its moment allows") {
    const double mass = 10.0, weight_moment = 0.5 * mass * 9.81;
    SUBCASE("just above: holds") {
        Arm a({0, -9.81, 0}, 1.1 * weight_moment, kInfinite, 0.0);
        for (int i = 0; i < 240; ++i) a.engine->step(1.0 / 240);
        CHECK(std::abs(a.angle()) < 5e-3);
    }
    SUBCASE("half: turns with half the torque left") {
        Arm a({0, -9.81, 0}, 0.5 * weight_moment, kInfinite, 0.0);
        const double t = 0.2;
        for (int i = 0; i < 48; ++i) a.engine->step(1.0 / 240);
        const double expected = -0.5 * (0.5 * weight_moment / a.about_tie) * t * t;
        CHECK(a.angle() == doctest::Approx(expected).epsilon(0.05));
        CHECK(a.engine->joint(a.joint).is_yielding);
    }
}

TEST_CASE("a tie with a force limit slides and stays") {
    BulletOptions options;
    options.gravity = {0, -9.81, 0};
    const auto engine = BulletEngine::make(options);
    BodyDesc d;
    d.motion = Motion::Static;
    d.collider = BoxCollider{{0.1, 0.1, 0.1}};
    const BodyId post = engine->add(d).value();
    const BodyId ball = engine->add(ball_desc(0.1, 1000, Vec3::Zero())).value();
    const double weight = engine->mass(ball).mass * 9.81;
    JointDesc j{.a = post, .b = ball, .frame_w = {}};
    j.force_limit = 0.75 * weight;
    const JointId joint = engine->add_joint(j).value();
    for (int i = 0; i < 48; ++i) engine->step(1.0 / 240);
    const double fallen = -engine->motion(ball).pose_w.translation.y();
    CHECK(fallen == doctest::Approx(0.5 * 0.25 * 9.81 * 0.04).epsilon(0.05));
    CHECK(engine->joint(joint).is_yielding);
    engine->remove_joint(joint);
    for (int i = 0; i < 24; ++i) engine->step(1.0 / 240);
    CHECK(-engine->motion(ball).pose_w.translation.y() > fallen + 0.04);
}

TEST_CASE("two free bodies on a yielding joint keep their momentum") {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(options);
    BodyDesc d = piece_desc({0.4, 0.1, 0.1}, 1000, {-0.2, 0, 0});
    const BodyId a = engine->add(d).value();
    d.pose_w.translation = {0.2, 0, 0};
    d.velocity_w = {0, 1, 0.3};
    d.spin_w = {0.5, 0, 4};
    const BodyId b = engine->add(d).value();
    const JointId joint =
        engine->add_joint({.a = a, .b = b, .frame_w = {}, .moment_limit = 2.0}).value();
    const std::vector ids{a, b};
    const Momentum before = momentum(*engine, ids);
    engine->step(1.0 / 240);
    const Momentum after = momentum(*engine, ids);
    CHECK((after.linear - before.linear).norm() <= tolerance(1e-12, 1e-6) * before.scale);
    CHECK(engine->joint(joint).is_yielding);
    for (int i = 0; i < 240; ++i) engine->step(1.0 / 240);
    const Momentum late = momentum(*engine, ids);
    CHECK((late.linear - before.linear).norm() <= tolerance(1e-11, 1e-5) * before.scale);
    CHECK((late.angular - before.angular).norm() <= 2e-2 * before.scale);
    CHECK(engine->joint(joint).angle > 0.05);
}

TEST_CASE("a reshape in the middle of a yielding joint does not jolt it") {
    // The same hinge, once with a body whose centre of mass frame is moved to and fro each step.
    const auto run = [](bool is_shaken) {
        Arm a(Vec3::Zero(), 60.0, kInfinite, 3.0);
        const MassProperties rest = a.engine->mass(a.arm);
        for (int i = 0; i < 240; ++i) {
            a.engine->step(1.0 / 240);
            if (!is_shaken) continue;
            MassProperties mass = rest;
            mass.centre_b.y() = i % 2 == 0 ? 1e-3 : 0.0;
            Reshape change;
            change.mass = &mass;
            REQUIRE(a.engine->reshape(a.arm, change).ok());
        }
        CHECK(a.engine->motion(a.arm).pose_w.point({-0.5, 0, 0}).norm() < 2e-3);
        return a.angle();
    };
    CHECK(run(true) == doctest::Approx(run(false)).epsilon(0.01));
}

TEST_CASE("joints go with their bodies, and impossible ones are refused") {
    Arm a(Vec3::Zero(), 10.0, kInfinite, 0.0);
    JointDesc j{.a = a.post, .b = a.arm, .frame_w = {}};
    j.moment_limit = -1;
    CHECK(!a.engine->add_joint(j).ok());
    j.moment_limit = NAN;
    CHECK(!a.engine->add_joint(j).ok());
    j.moment_limit = 1;
    j.frame_w.translation.x() = NAN;
    CHECK(!a.engine->add_joint(j).ok());
    CHECK(!a.engine->add_joint({.a = a.post, .b = a.post, .frame_w = {}}).ok());
    CHECK(!a.engine->add_joint({.a = a.post, .b = BodyId{77}, .frame_w = {}}).ok());
    a.engine->remove(a.arm);
    CHECK(a.engine->world().getNumConstraints() == 0);
    a.engine->step(1.0 / 240);
}
