// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <algorithm>
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

    Arm(const Vec3& gravity, double moment_limit, double force_limit, double spin)
        : Arm(gravity, spin, {.force_limit = force_limit, .moment_limit = moment_limit}) {}

    /// `tie` names everything but the bodies.
    Arm(const Vec3& gravity, double spin, JointDesc tie) {
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
        tie.a = post;
        tie.b = arm;
        joint = engine->add_joint(tie).value();
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
    CHECK(test::near(a.engine->motion(a.arm).centre_w.x(), 0.5, 1e-3));
    CHECK(test::near(state.impulse_w.y(), mass * 9.81 / 240, 0.01));
    CHECK(test::near(state.angular_impulse_w.z(), 0.5 * mass * 9.81 / 240, 0.02));
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
        CHECK(test::near(a.angle(), expected, 0.01));
        CHECK(test::near(a.engine->joint(a.joint).angle, a.angle(), 0.01));
        CHECK(!a.engine->joint(a.joint).is_yielding);
        const double held = a.angle();
        for (int i = 0; i < rate; ++i) a.engine->step(1.0 / rate);
        CHECK(std::abs(a.angle() - held) < 1e-3);
        // It yielded but did not come off.
        const Vec3 end = a.engine->motion(a.arm).pose_w.point({-0.5, 0, 0});
        CHECK(end.norm() < 2e-3);
    }
}

TEST_CASE("a hinge that is jolted across its turn takes no more than its moment") {
    const double spin = 6.0, moment = 60.0;
    for (const int rate : {240, 1000, 4000}) {
        Arm a(Vec3::Zero(), moment, kInfinite, spin);
        const double expected = a.about_tie * spin * spin / (2.0 * moment);
        double most = 0.0;
        for (int i = 0; i < rate; ++i) {
            if (i == rate / 50) a.engine->apply_angular_impulse(a.arm, {0.0, 0.02, 0.0});
            a.engine->step(1.0 / rate);
            if (i > rate / 25) {
                most = std::max(most, rate * a.engine->joint(a.joint).angular_impulse_w.norm());
            }
        }
        INFO("rate ", rate);
        CHECK(most < 1.01 * moment);
        CHECK(test::near(a.angle(), expected, 0.02));
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
        CHECK(test::near(a.angle(), expected, 0.05));
        CHECK(a.engine->joint(a.joint).is_yielding);
    }
}

TEST_CASE("a joint yields by the size of the moment, whichever way its frame lies") {
    const double mass = 10.0, weight_moment = 0.5 * mass * 9.81;
    for (const double turned : {0.0, 0.4, kPi / 4}) {
        // The moment lies between two axes of the frame.
        const Transform frame{Quat(Eigen::AngleAxisd(turned, Vec3::UnitX())), Vec3::Zero()};
        CAPTURE(turned);
        // It turns a little: a joint that is overloaded from rest gives way about an axis of its
        // frame first, keeps to that, and holds up to 9 % more.
        const double spin = -1e-3;
        Arm weak({0, -9.81, 0}, spin, {.frame_w = frame, .moment_limit = 0.9 * weight_moment});
        Arm strong({0, -9.81, 0}, spin, {.frame_w = frame, .moment_limit = 1.1 * weight_moment});
        for (int i = 0; i < 48; ++i) {
            weak.engine->step(1.0 / 240);
            strong.engine->step(1.0 / 240);
        }
        const double expected = 0.2 * spin - 0.5 * (0.1 * weight_moment / weak.about_tie) * 0.04;
        CHECK(test::near(weak.angle(), expected, 0.1));
        CHECK(std::abs(strong.angle()) < 5e-3);
    }
}

TEST_CASE("a joint is as strong about each axis as it was made") {
    const double weight_moment = 0.5 * 10.0 * 9.81;
    // A bar that is weak about y and strong about z, where the weight bends it, and turned over.
    for (const bool is_turned_over : {false, true}) {
        const double angle = is_turned_over ? kPi / 2 : 0.0;
        Arm a({0, -9.81, 0}, 0.0,
              {.frame_w = {Quat(Eigen::AngleAxisd(angle, Vec3::UnitX())), Vec3::Zero()},
               .moment_limit = 2.0 * weight_moment,
               .axis_strength = {1.0, 0.2, 1.0}});
        for (int i = 0; i < 48; ++i) a.engine->step(1.0 / 240);
        CHECK((std::abs(a.angle()) > 0.05) == is_turned_over);
    }
}

TEST_CASE("below its yield impulse a joint leaves no trace, above it the angle grows from 0") {
    const double moment = 60.0, spin = 3.0;
    const Arm still(Vec3::Zero(), kInfinite, kInfinite, 0.0);
    const double impact = still.about_tie * spin;
    double last = 0.0;
    for (const double share : {1.2, 1.02, 0.98, 0.9, 0.5, 0.0}) {
        CAPTURE(share);
        const double rest = std::max(0.0, 1.0 - share) * spin;
        const double expected = still.about_tie * rest * rest / (2.0 * moment);
        double lowest = kInfinite, highest = 0.0;
        for (const int rate : {240, 480, 1000, 2000}) {
            Arm a(Vec3::Zero(), spin, {.moment_limit = moment, .yield_impulse = share * impact});
            bool has_yielded = false;
            for (int i = 0; i < rate; ++i) {
                a.engine->step(1.0 / rate);
                has_yielded |= a.engine->joint(a.joint).is_yielding;
            }
            const double angle = a.engine->joint(a.joint).angle;
            CHECK(has_yielded == (share < 1.0 - moment / rate / impact));
            lowest = std::min(lowest, angle);
            highest = std::max(highest, angle);
            CHECK(std::abs(angle - expected) < 0.02 * spin * spin * still.about_tie / moment);
            // At rest for a while: all of it is there for the next impact.
            CHECK(a.engine->joint(a.joint).yield_impulse_left == share * impact);
        }
        if (share > 1.0) CHECK(highest < 1e-6);
        CHECK(lowest >= last - 1e-9);
        last = highest;
    }
    CHECK(last > 0.2);
}

TEST_CASE("a joint that hardens, or is damped, stops where its work says") {
    const double spin = 3.0, moment = 40.0;
    const Arm still(Vec3::Zero(), kInfinite, kInfinite, 0.0);
    const double energy = 0.5 * still.about_tie * spin * spin;
    for (const int rate : {240, 1000}) {
        CAPTURE(rate);
        const double hardening = 100.0;
        Arm hard(Vec3::Zero(), spin, {.moment_limit = moment, .hardening = hardening});
        const double drag = 20.0;
        Arm slow(Vec3::Zero(), spin, {.moment_limit = moment, .damping = drag});
        for (int i = 0; i < rate; ++i) {
            hard.engine->step(1.0 / rate);
            slow.engine->step(1.0 / rate);
        }
        // M q + h q^2 / 2 = energy.
        const double root = std::sqrt(moment * moment + 2.0 * hardening * energy);
        CHECK(test::near(hard.angle(), (root - moment) / hardening, 6.0 / rate));
        // I w' = -M - c w, until w = 0.
        const double inertia = still.about_tie;
        const double way = inertia * spin / drag -
                           inertia * moment / (drag * drag) * std::log1p(drag * spin / moment);
        CHECK(test::near(slow.angle(), way, 6.0 / rate));
    }
}

TEST_CASE("a joint locks at its largest angle, and can be bent back") {
    for (const int rate : {120, 1000}) {
        CAPTURE(rate);
        Arm a(Vec3::Zero(), 3.0, {.moment_limit = 5.0, .angle_limit = 0.3});
        double furthest = 0.0;
        for (int i = 0; i < rate; ++i) {
            a.engine->step(1.0 / rate);
            furthest = std::max(furthest, a.angle());
        }
        CHECK(test::near(furthest, 0.3, 0.005));
        CHECK(test::near(a.angle(), 0.3, 0.005));
        a.engine->apply_impulse(a.arm, {0, -6, 0}, a.engine->motion(a.arm).centre_w);
        for (int i = 0; i < rate; ++i) a.engine->step(1.0 / rate);
        CHECK(a.angle() < 0.2);
        const Quat turn = a.engine->joint(a.joint).turn;
        CHECK((turn * Vec3::UnitX() - Vec3(std::cos(a.angle()), std::sin(a.angle()), 0)).norm() <
              1e-6);
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
    CHECK(test::near(fallen, 0.5 * 0.25 * 9.81 * 0.04, 0.05));
    CHECK(engine->joint(joint).is_yielding);
    engine->remove_joint(joint);
    for (int i = 0; i < 24; ++i) engine->step(1.0 / 240);
    CHECK(-engine->motion(ball).pose_w.translation.y() > fallen + 0.04);
}

TEST_CASE("a slide stops after m v^2 / (2 F), at any rate, and holds all else") {
    const double speed = 2.0, force = 100.0;
    for (const int rate : {60, 240, 1000}) {
        Arm a(Vec3::Zero(), 0.0, {.slide_limit = 1.0, .slide_force = force});
        const double mass = a.engine->mass(a.arm).mass;
        const double expected = mass * speed * speed / (2.0 * force);
        REQUIRE(expected > 0.1);
        // Beside the tie's axis, so that it would turn where the joint lets it.
        a.engine->apply_impulse(a.arm, {mass * speed, 0, 0},
                                a.engine->motion(a.arm).centre_w + Vec3(0, 0.05, 0));
        for (int i = 0; i < rate; ++i) a.engine->step(1.0 / rate);
        CAPTURE(rate);
        CHECK(test::near(a.engine->joint(a.joint).slide, expected, 4.0 / rate + 0.01));
        CHECK(!a.engine->joint(a.joint).is_yielding);
        const Transform pose = a.engine->motion(a.arm).pose_w;
        CHECK(test::near(pose.translation.x() - 0.5, a.engine->joint(a.joint).slide, 1e-3));
        CHECK(std::abs(a.angle()) < 2e-3);
        CHECK(std::hypot(pose.translation.y(), pose.translation.z()) < 2e-3);
        const double held = a.engine->joint(a.joint).slide;
        for (int i = 0; i < rate; ++i) a.engine->step(1.0 / rate);
        CHECK(test::near(a.engine->joint(a.joint).slide, held, 1e-3));
    }
}

TEST_CASE("a slide locks at its limit, in and out, and comes back from there") {
    for (const double force : {0.0, 20.0}) {
        for (const double way : {-1.0, 1.0}) {
            Arm a(Vec3::Zero(), 0.0, {.slide_limit = 0.15, .slide_force = force, .slide = 0.05});
            CHECK(test::near(a.engine->joint(a.joint).slide, 0.05, kBulletRounding));
            const double mass = a.engine->mass(a.arm).mass;
            const auto push = [&](double speed) {
                a.engine->apply_impulse(a.arm, {mass * speed, 0, 0},
                                        a.engine->motion(a.arm).centre_w);
            };
            push(4.0 * way);
            double furthest = 0.0;
            for (int i = 0; i < 240; ++i) {
                a.engine->step(1.0 / 240);
                furthest = std::max(furthest, way * a.engine->joint(a.joint).slide);
            }
            CAPTURE(force);
            CAPTURE(way);
            CHECK(test::near(furthest, 0.15, 1e-3));
            CHECK(test::near(way * a.engine->joint(a.joint).slide, 0.15, 1e-3));
            push(-0.5 * way);
            for (int i = 0; i < 24; ++i) a.engine->step(1.0 / 240);
            CHECK(way * a.engine->joint(a.joint).slide < 0.14);
        }
    }
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
    CHECK(test::near(run(true), run(false), 0.01));
}

TEST_CASE("joints go with their bodies, and impossible ones are refused") {
    Arm a(Vec3::Zero(), 10.0, kInfinite, 0.0);
    JointDesc j{.a = a.post, .b = a.arm, .frame_w = {}};
    j.moment_limit = -1;
    CHECK(!a.engine->add_joint(j).ok());
    j.moment_limit = NAN;
    CHECK(!a.engine->add_joint(j).ok());
    j.moment_limit = 1;
    for (double JointDesc::*const number :
         {&JointDesc::yield_impulse, &JointDesc::hardening, &JointDesc::damping,
          &JointDesc::slide_limit, &JointDesc::slide_force}) {
        for (const double wrong : {-1.0, double(NAN), kInfinite}) {
            JointDesc bad = j;
            bad.*number = wrong;
            CHECK(!a.engine->add_joint(bad).ok());
        }
    }
    j.angle_limit = 0;
    CHECK(!a.engine->add_joint(j).ok());
    j.angle_limit = 1;
    j.axis_strength.y() = 0;
    CHECK(!a.engine->add_joint(j).ok());
    j.axis_strength.y() = 1;
    j.frame_w.translation.x() = NAN;
    CHECK(!a.engine->add_joint(j).ok());
    CHECK(!a.engine->add_joint({.a = a.post, .b = a.post, .frame_w = {}}).ok());
    CHECK(!a.engine->add_joint({.a = a.post, .b = BodyId{77}, .frame_w = {}}).ok());
    a.engine->remove(a.arm);
    CHECK(a.engine->world().getNumConstraints() == 0);
    a.engine->step(1.0 / 240);
}
