// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/yield_joint.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <array>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr double kRate = 100.0;  ///< Sub-steps per second.

/// Two bodies 1 m apart along x, tied halfway between, and the solver rows of their joint.
struct TiedPair {
    explicit TiedPair(const JointDesc& desc)
        : shape(1),
          a(1, nullptr, &shape, btVector3(1, 1, 1)),
          b(2, nullptr, &shape, btVector3(1, 2, 3)),
          joint(a, b, desc, Transform{Quat::Identity(), Vec3(0.5, 0, 0)},
                Transform{Quat::Identity(), Vec3(-0.5, 0, 0)}, {}, {}) {
        place_b({Quat::Identity(), Vec3(1, 0, 0)});
    }
    void place_b(const Transform& pose) { b.setCenterOfMassTransform(to_bt(pose)); }

    void ask() {
        btTypedConstraint::btConstraintInfo1 size;
        joint.getInfo1(&size);
        REQUIRE(size.m_numConstraintRows == 6);
        lower.fill(-SIMD_INFINITY);
        upper.fill(SIMD_INFINITY);
        for (auto* rows : {&linear_a, &angular_a, &linear_b, &angular_b}) rows->fill(0);
        btTypedConstraint::btConstraintInfo2 info{};
        info.fps = btScalar(kRate);
        info.erp = btScalar(0.2);
        info.m_J1linearAxis = linear_a.data();
        info.m_J1angularAxis = angular_a.data();
        info.m_J2linearAxis = linear_b.data();
        info.m_J2angularAxis = angular_b.data();
        info.rowskip = kSkip;
        info.m_constraintError = error.data();
        info.m_lowerLimit = lower.data();
        info.m_upperLimit = upper.data();
        joint.getInfo2(&info);
    }
    /// How fast a row's violation grows: what the solver brings to the row's error.
    double row_speed(int row) const {
        const auto dot = [&](const std::array<btScalar, 6 * kSkip>& rows, const btVector3& v) {
            return rows[row * kSkip] * v.x() + rows[row * kSkip + 1] * v.y() +
                   rows[row * kSkip + 2] * v.z();
        };
        return dot(linear_a, a.getLinearVelocity()) + dot(angular_a, a.getAngularVelocity()) +
               dot(linear_b, b.getLinearVelocity()) + dot(angular_b, b.getAngularVelocity());
    }
    double most(int row) const { return upper[row * kSkip]; }

    static constexpr int kSkip = 4;
    btSphereShape shape;
    btRigidBody a, b;
    YieldJoint joint;
    std::array<btScalar, 6 * kSkip> linear_a, angular_a, linear_b, angular_b, error, lower, upper;
};

}  // namespace

TEST_CASE("the rows of a joint see how both ends of the tie move against each other") {
    TiedPair pair(JointDesc{});
    pair.a.setLinearVelocity(btVector3(1, 0, 2));
    pair.a.setAngularVelocity(btVector3(0, 0, 3));
    pair.b.setLinearVelocity(btVector3(0, 4, 0));
    pair.b.setAngularVelocity(btVector3(0, 5, 0));
    pair.ask();
    // At the tie: a moves by (1, 1.5, 2), b by (0, 4, 2.5); b spins by (0, 5, -3) against a.
    // Without a moment before, the first angular row lies along that.
    CHECK(test::near(pair.row_speed(0), 1.0, kBulletRounding));
    CHECK(test::near(pair.row_speed(1), -2.5, kBulletRounding));
    CHECK(test::near(pair.row_speed(2), -0.5, kBulletRounding));
    CHECK(test::near(pair.row_speed(3), -std::sqrt(34.0), kBulletRounding));
    CHECK(std::abs(pair.row_speed(4)) < tolerance(1e-14, 1e-5));
    CHECK(std::abs(pair.row_speed(5)) < tolerance(1e-14, 1e-5));
    for (int row = 0; row < 6; ++row) CHECK(pair.most(row) == SIMD_INFINITY);
}

TEST_CASE("a row carries its limit times the sub-step, and about each axis what that holds") {
    JointDesc desc{.force_limit = 50, .moment_limit = 30, .yield_impulse = 0.25, .damping = 2};
    desc.axis_strength = Vec3(1, 0.5, 2);
    TiedPair pair(desc);
    pair.ask();
    for (int k = 0; k < 3; ++k) {
        CHECK(test::near(pair.most(k), 50 / kRate, kBulletRounding));
        CHECK(pair.lower[k * TiedPair::kSkip] == -pair.upper[k * TiedPair::kSkip]);
        CHECK(test::near(pair.most(3 + k), 30 * desc.axis_strength[k] / kRate + 0.25,
                         kBulletRounding));
    }
    CHECK(pair.joint.state().yield_impulse_left == 0.25);
    // With a spin the first row lies along it, and is damped by it.
    pair.b.setAngularVelocity(btVector3(0, 0, 4));
    pair.ask();
    CHECK(test::near(pair.most(3), (30 * 2 + 2 * 4) / kRate + 0.25, kBulletRounding));
}

TEST_CASE("a joint tells how far it has turned and slid since it was made, and locks there") {
    TiedPair pair({.moment_limit = 30, .angle_limit = 0.3, .slide_limit = 0.1, .slide_force = 40});
    const Quat turn(Eigen::AngleAxisd(0.2, Vec3::UnitZ()));
    // Turned about the tie, which is 0.05 further out.
    pair.place_b({turn, Vec3(0.55, 0, 0) + turn * Vec3(0.5, 0, 0)});
    CHECK(test::near(pair.joint.state().angle, 0.2, kBulletRounding));
    CHECK(pair.joint.state().turn.angularDistance(turn) < tolerance(1e-7, 1e-3));
    CHECK(test::near(pair.joint.state().slide, 0.05, kBulletRounding));
    pair.ask();
    CHECK(test::near(pair.most(0), 40 / kRate, kBulletRounding));
    CHECK(test::near(pair.most(3), 30 / kRate, kBulletRounding));

    // A little beyond both ends, whatever rounding says.
    const Quat end(Eigen::AngleAxisd(0.3001, Vec3::UnitZ()));
    pair.place_b({end, Vec3(0.6001, 0, 0) + end * Vec3(0.5, 0, 0)});
    pair.ask();
    CHECK(pair.most(0) == SIMD_INFINITY);
    CHECK(pair.most(3) == SIMD_INFINITY);
    // No impulse was applied: nothing gave way, whatever the gap.
    pair.joint.yield(1.0 / kRate);
    CHECK_FALSE(pair.joint.state().is_yielding);
}

TEST_CASE("what gave way at its limit is the new rest, and is not pulled back") {
    TiedPair pair({.force_limit = 50});
    pair.place_b({Quat::Identity(), Vec3(1, 0.01, 0)});
    pair.ask();
    const double pulled = 0.2 * kRate * 0.01;  // The gap, as fast as the solver mends it.
    CHECK(test::near(pair.error[TiedPair::kSkip], pulled, kBulletRounding));
    // The solver's answer: the second row at its limit, the others not.
    btJointFeedback& feedback = *pair.joint.getJointFeedback();
    feedback.m_appliedForceBodyB = btVector3(10, -50, 0);
    feedback.m_appliedTorqueBodyB = btVector3(0, 0, 0.5 * 50);  // Of that force, about the centre.
    pair.joint.yield(1.0 / kRate);
    CHECK(pair.joint.state().is_yielding);
    CHECK(test::near(pair.joint.state().impulse_w.y(), -50 / kRate, kBulletRounding));
    CHECK(pair.joint.state().angular_impulse_w.norm() < tolerance(1e-14, 1e-6));
    pair.ask();
    CHECK(std::abs(pair.error[TiedPair::kSkip]) < tolerance(1e-13, 1e-5));
    pair.joint.rest();
    CHECK(pair.joint.state().impulse_w == Vec3::Zero());
    CHECK_FALSE(pair.joint.state().is_yielding);
}
