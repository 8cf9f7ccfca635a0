// SPDX-License-Identifier: MIT
// Springs on Bullet, against the damped oscillator.
#include <ductile/deform/bend/bend_spring.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/joint_spring.h>

#include <Eigen/Cholesky>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

BodyDesc spring_box(const Vec3& size, const Vec3& centre) {
    BodyDesc desc;
    desc.collider = BoxCollider{size};
    desc.mass = box_mass(size, 1000.0);
    desc.pose_w.translation = centre;
    return desc;
}

std::unique_ptr<BulletEngine> engine_without_weight() {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    options.solver_iterations = 50;
    return BulletEngine::make(options);
}

/// Two bodies, tied at the origin, and a spring between them.
template <class Spring>
struct SprungBodies {
    std::unique_ptr<BulletEngine> engine = engine_without_weight();
    Spring spring;

    SprungBodies(const BodyDesc& first, const BodyDesc& second, double stiffness, double damping,
                 JointDesc tie) {
        spring.a = tie.a = engine->add(first).value();
        spring.b = tie.b = engine->add(second).value();
        spring.place_b = -second.pose_w.translation;
        spring.stiffness = stiffness;
        spring.damping = damping;
        REQUIRE(engine->add_joint(tie).ok());
    }
    void step(double dt) {
        push_spring(*engine, spring, dt);
        engine->step(dt);
    }
};

JointDesc free_turn() {
    JointDesc tie;
    tie.moment_limit = 0.0;
    return tie;
}

JointDesc free_slide() {
    JointDesc tie;
    tie.slide_limit = 10.0;
    return tie;
}

struct SprungPair : SprungBodies<JointSpring> {
    SprungPair(const BodyDesc& first, const BodyDesc& second, double stiffness, double damping)
        : SprungBodies(first, second, stiffness, damping, free_turn()) {}
    double angle() const {
        const Quat a = engine->motion(spring.a).pose_w.rotation;
        return turn_vector(a.conjugate() * engine->motion(spring.b).pose_w.rotation).z();
    }
    double offset() const { return angle(); }
};

/// Two bodies that slide along x, beside or through their centres.
struct SlidingPair : SprungBodies<SlideSpring> {
    SlidingPair(const BodyDesc& first, const BodyDesc& second, double stiffness, double damping)
        : SprungBodies(first, second, stiffness, damping, free_slide()) {
        spring.place_a = -first.pose_w.translation;
    }
    double slide() const { return slide_state(*engine, spring).slide; }
    double offset() const { return slide(); }
    /// Linear, and angular about the origin.
    Eigen::Matrix<double, 6, 1> momentum() const {
        Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
        for (const BodyId id : {spring.a, spring.b}) {
            const BodyMoment m = engine->moment(id);
            const Vec3 linear = m.velocity_w / m.inverse_mass;
            sum.head<3>() += linear;
            sum.tail<3>() += m.centre_w.cross(linear) + m.inverse_inertia_w.ldlt().solve(m.spin_w);
        }
        return sum;
    }
};

/// The mean time between two passes through zero, both upwards [s].
template <class Pair>
double swing_time(Pair& pair, double dt, int swings) {
    double first = -1.0, last = 0.0, before = pair.offset();
    int passes = 0;
    for (int i = 1; passes <= swings && i < 100'000; ++i) {
        pair.step(dt);
        const double now = pair.offset();
        if (before < 0 && now >= 0) {
            last = dt * (i - now / (now - before));
            if (passes++ == 0) first = last;
        }
        before = now;
    }
    return (last - first) / swings;
}

}  // namespace

TEST_CASE("two bodies joined at their centres swing as the oscillator does, at any step") {
    const Vec3 size(0.3, 0.2, 0.25);
    const BodyDesc first = spring_box(size, Vec3::Zero());
    BodyDesc second = spring_box(2.0 * size, Vec3::Zero());
    const double turned = 0.3, spin = 0.8;
    second.pose_w.rotation = Quat(Eigen::AngleAxisd(turned, Vec3::UnitZ()));
    second.spin_w = {0, 0, spin};
    const double inertia =
        relative_inertia(first.mass.inertia_b(2, 2), second.mass.inertia_b(2, 2));
    const double stiffness = 30.0 * inertia;
    const double critical = 2.0 * std::sqrt(stiffness * inertia);
    for (const double damping : {0.0, 0.1 * critical, critical, 3.0 * critical}) {
        for (const double rate : {10.0, 60.0, 240.0, 1000.0}) {
            SprungPair pair(first, second, stiffness, damping);
            for (int i = 1; i <= static_cast<int>(2 * rate); ++i) {
                pair.step(1.0 / rate);
                const SpringState exact =
                    spring_after({inertia, damping, stiffness}, {turned, spin}, 0.0, i / rate);
                if (i % static_cast<int>(rate / 10) != 0) continue;
                CAPTURE(rate);
                CAPTURE(damping);
                CHECK(std::abs(pair.angle() - exact.offset) < 1e-6);
            }
        }
    }
}

TEST_CASE("two bars joined at their ends swing at the oscillator's frequency") {
    const Vec3 size(1.0, 0.06, 0.06);
    const double inertia = box_mass(size, 1000.0).inertia_b(2, 2);
    const double stiffness = 40.0 * inertia;
    // Folding alike, each of two free bars turns about its own centre.
    const double expected = 2.0 * kPi / std::sqrt(2.0 * stiffness / inertia);
    for (const double rate : {240.0, 480.0, 1000.0}) {
        BodyDesc left = spring_box(size, {-0.5, 0, 0}), right = spring_box(size, {0.5, 0, 0});
        right.spin_w = {0, 0, 0.5};
        left.spin_w = {0, 0, -0.5};
        SprungPair pair(left, right, stiffness, 0.0);
        CAPTURE(rate);
        CHECK(test::near(swing_time(pair, 1.0 / rate, 6), expected, 0.01));
    }
}

TEST_CASE("an arm on a post swings about the post at the oscillator's frequency") {
    const Vec3 size(1.0, 0.06, 0.06);
    const MassProperties mass = box_mass(size, 1000.0);
    const double inertia = mass.inertia_b(2, 2) + 0.25 * mass.mass;
    const double stiffness = 40.0 * inertia;
    const double expected = 2.0 * kPi / std::sqrt(stiffness / inertia);
    for (const double rate : {240.0, 480.0, 1000.0}) {
        BodyDesc post = spring_box({0.05, 0.05, 0.05}, {0, -0.5, 0});
        post.motion = Motion::Static;
        BodyDesc arm = spring_box(size, {0.5, 0, 0});
        arm.spin_w = {0, 0, 0.5};
        arm.velocity_w = {0, 0.25, 0};
        SprungPair pair(post, arm, stiffness, 0.0);
        CAPTURE(rate);
        CHECK(test::near(swing_time(pair, 1.0 / rate, 6), expected, 0.01));
    }
}

TEST_CASE("a sliding spring between two bodies moves them as the oscillator does, at any step") {
    const BodyDesc first = spring_box({0.2, 0.2, 0.2}, {-1, 0, 0});
    BodyDesc second = spring_box({0.3, 0.3, 0.3}, {1, 0, 0});
    second.velocity_w = {0.4, 0, 0};
    const double mass = relative_inertia(first.mass.mass, second.mass.mass);
    const double stiffness = 30.0 * mass, critical = 2.0 * std::sqrt(stiffness * mass);
    for (const double damping : {0.0, 0.2 * critical, critical, 3.0 * critical}) {
        for (const double rate : {10.0, 60.0, 240.0, 1000.0}) {
            SlidingPair pair(first, second, stiffness, damping);
            pair.spring.rest = -0.2;
            for (int i = 1; i <= static_cast<int>(2 * rate); ++i) {
                pair.step(1.0 / rate);
                const SpringState exact =
                    spring_after({mass, damping, stiffness}, {0.2, 0.4}, 0.0, i / rate);
                CAPTURE(rate);
                CAPTURE(damping);
                CHECK(std::abs(pair.slide() + 0.2 - exact.offset) < 1e-6);
            }
        }
    }
}

TEST_CASE("a spring beside the centres of what slides keeps its frequency and all momentum") {
    // The way lies beside both centres: the joint keeps the boxes from turning against each other.
    const Vec3 size(0.2, 0.3, 0.25);
    BodyDesc first = spring_box(size, {-0.4, 0.3, 0.1}), second = spring_box(size, {0.5, 0.3, 0.1});
    first.velocity_w = {-0.2, 0, 0};
    second.velocity_w = {0.2, 0, 0};
    const double mass = 0.5 * first.mass.mass, stiffness = 40.0 * mass;
    SlidingPair pair(first, second, stiffness, 0.0);
    const auto before = pair.momentum();
    push_spring(*pair.engine, pair.spring, 1.0 / 240);
    const double scale = first.mass.mass * 0.2;
    CHECK(pair.engine->motion(pair.spring.b).velocity_w != second.velocity_w);
    CHECK((pair.momentum() - before).norm() <= 1e-12 * scale);
    for (const double rate : {240.0, 480.0, 1000.0}) {
        SlidingPair swinging(first, second, stiffness, 0.0);
        CAPTURE(rate);
        CHECK(test::near(swing_time(swinging, 1.0 / rate, 6), 2.0 * kPi / std::sqrt(40.0), 0.01));
    }
}

TEST_CASE("a sliding spring that is pushed too far yields, and rests where it was pushed to") {
    BodyDesc post = spring_box({0.1, 0.1, 0.1}, {-0.5, 0, 0});
    post.motion = Motion::Static;
    BodyDesc head = spring_box({0.2, 0.2, 0.2}, {0.5, 0, 0});
    head.velocity_w = {-3.0, 0, 0};
    const double mass = head.mass.mass, stiffness = 400.0 * mass;
    const double damping = 0.5 * std::sqrt(stiffness * mass);
    SlidingPair elastic(post, head, stiffness, damping), plastic(post, head, stiffness, damping);
    plastic.spring.force_limit = 0.05 * stiffness;
    for (int i = 0; i < 2000; ++i) {
        elastic.step(1.0 / 480);
        plastic.step(1.0 / 480);
    }
    CHECK(std::abs(elastic.slide()) < 1e-6);
    CHECK(elastic.spring.rest == 0.0);
    CHECK(plastic.slide() < -0.02);
    CHECK(test::near(plastic.slide(), plastic.spring.rest, 0.01));
}

TEST_CASE("however stiff, a sliding spring bears no more than its force, at any rate") {
    BodyDesc post = spring_box({0.1, 0.1, 0.1}, {-0.5, 0, 0});
    post.motion = Motion::Static;
    BodyDesc head = spring_box({0.2, 0.2, 0.2}, {0.5, 0, 0});
    head.velocity_w = {-3.0, 0, 0};
    const double force = 400.0, expected = head.mass.mass * 9.0 / (2.0 * force);
    for (const double stiffness : {1e6, 1e12}) {
        for (const double rate : {60.0, 240.0, 1000.0}) {
            SlidingPair pair(post, head, stiffness, 1e-3 * stiffness);
            pair.spring.force_limit = force;
            for (int i = 0; i < static_cast<int>(rate); ++i) pair.step(1.0 / rate);
            CAPTURE(stiffness);
            CAPTURE(rate);
            CHECK(test::near(-pair.slide(), expected, 0.03));
        }
    }
}

TEST_CASE("a spring that is pushed too far yields, and rests where it was pushed to") {
    const Vec3 size(0.3, 0.2, 0.25);
    BodyDesc second = spring_box(size, Vec3::Zero());
    second.spin_w = {0, 0, 6.0};
    const BodyDesc first = spring_box(size, Vec3::Zero());
    const double inertia = 0.5 * first.mass.inertia_b(2, 2), stiffness = 100.0 * inertia;
    SprungPair elastic(first, second, stiffness, 0.5 * std::sqrt(stiffness * inertia));
    SprungPair plastic(first, second, stiffness, 0.5 * std::sqrt(stiffness * inertia));
    plastic.spring.moment_limit = 0.2 * stiffness;
    for (int i = 0; i < 2000; ++i) {
        elastic.step(1.0 / 480);
        plastic.step(1.0 / 480);
    }
    CHECK(std::abs(elastic.angle()) < 1e-3);
    CHECK(plastic.angle() > 0.05);
    CHECK(test::near(plastic.angle(), plastic.spring.rest_b.z(), 0.02));
}
