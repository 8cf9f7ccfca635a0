// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

namespace ductile {

/// Six solver rows that hold two bodies together, each with a limited impulse per sub-step. A row
/// at its limit gives way, and what gave way becomes the new rest: it yields, then holds.
class YieldJoint final : public btTypedConstraint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    /// `frame_a` and `frame_b` place the tie in the bodies' own frames; `com_a` and `com_b` place
    /// the bodies' centre of mass frames there.
    YieldJoint(btRigidBody& a, btRigidBody& b, const Transform& frame_a, const Transform& frame_b,
               const Transform& com_a, const Transform& com_b, double force_limit,
               double moment_limit);

    /// The centre of mass frames moved in the bodies' own frames.
    void set_frames(const Transform& com_a, const Transform& com_b);

    /// To be called after each solved sub-step of length dt.
    void yield(double dt);

    /// Of the last solved sub-step.
    JointState state() const;
    /// Forgets the last sub-step's impulses: the bodies slept through the present one.
    void rest();

    void getInfo1(btConstraintInfo1* info) override;
    void getInfo2(btConstraintInfo2* info) override;
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }

private:
    Transform frame_a_, frame_b_;  ///< In the bodies' own frames; frame_b_ follows what yields.
    Transform in_a_, in_b_;        ///< The same in the centre of mass frames.
    Transform com_a_, com_b_;
    Quat first_;  ///< b's own frame seen from a's when the joint was made.
    double force_limit_, moment_limit_;
    btJointFeedback feedback_;
    Mat3 axes_ = Mat3::Identity();  ///< Of the rows of the last solve, as columns.
    Vec3 lever_b_ = Vec3::Zero();   ///< From b's centre of mass to the tie in the last solve.
    Vec3 impulse_ = Vec3::Zero(), angular_impulse_ = Vec3::Zero();
    bool is_yielding_ = false;

    Transform pose_a() const;
    Transform pose_b() const;
};

}  // namespace ductile
