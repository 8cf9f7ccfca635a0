// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <algorithm>
#include <bitset>
#include <utility>

namespace ductile {

/// Six solver rows that hold two bodies together, with limited impulses per sub-step. A row at its
/// limit gives way, and what gave way becomes the new rest: it yields, then holds.
///
/// The angular rows lie along and across the turn while it gives way, and the moment of the last
/// sub-step while it holds, so that its magnitude decides and not its parts along some axes.
class YieldJoint final : public btTypedConstraint {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    static constexpr int kRows = 6;
    /// Whether a row carries all that it may, and that is something.
    static bool is_at_limit(double impulse, double limit);

    /// `desc.frame_w` has been placed as `frame_a` and `frame_b` in the bodies' own frames; `com_a`
    /// and `com_b` place the bodies' centre of mass frames there.
    YieldJoint(btRigidBody& a, btRigidBody& b, const JointDesc& desc, const Transform& frame_a,
               const Transform& frame_b, const Transform& com_a, const Transform& com_b);

    /// The centre of mass frames moved in the bodies' own frames.
    void set_frames(const Transform& com_a, const Transform& com_b);

    /// To be called after each solved sub-step of length dt.
    void yield(double dt);

    /// Of the last solved sub-step.
    JointState state() const;
    /// Whether it gave way in the last solved sub-step, and took work to do so.
    bool gave_way() const { return gave_way_.any(); }
    /// Whether the solve at hand stops it at the end of its way.
    bool is_ending() const { return is_locked_ || is_slide_ending_; }
    /// A sub-step in which it gives way moved it too little: an impact was in it. A later one pays
    /// for two of them at most, as many as an impact takes: that across the gap and the touch.
    void owe_step() { owed_steps_ = std::min(owed_steps_ + 1, 2); }
    int take_owed_steps() { return std::exchange(owed_steps_, 0); }
    /// Forgets the last sub-step's impulses: the bodies slept through the present one.
    void rest();

    void getInfo1(btConstraintInfo1* info) override;
    void getInfo2(btConstraintInfo2* info) override;
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }

private:
    Transform pose_a() const;
    Transform pose_b() const;
    /// How b's own frame has turned against a's since the joint was made.
    Quat turned() const;
    /// b's spin against a's, world.
    Vec3 relative_spin() const;
    /// How far b has slid against a along the frame's x.
    double slid() const;
    /// The largest angular impulse of a sub-step along a unit direction of the world.
    double most_about(const Vec3& direction_w, double dt) const;
    void aim_rows(const Mat3& frame_w, double dt);
    void aim_slide(const Vec3& speed_w, double dt);
    void bound_slide(btConstraintInfo2* info) const;
    bool has_slid(double impulse, double dt) const;
    void spend(double dt);

    JointDesc desc_;
    Transform frame_a_, frame_b_;  ///< In the bodies' own frames; frame_b_ follows what yields.
    Transform in_a_, in_b_;        ///< The same in the centre of mass frames.
    Transform com_a_, com_b_;
    Vec3 tie_b_;            ///< The tie in b's own frame when the joint was made.
    Quat first_;            ///< b's own frame seen from a's when the joint was made.
    double turned_so_far_;  ///< All turns added up, back and forth [rad].
    double left_;           ///< Of the yield impulse.
    double calm_ = 0.0;     ///< How long it has not been spent [s].
    /// At its furthest angle, or there by the end of the sub-step: the first angular row stops it.
    bool is_locked_ = false;
    double arrival_speed_ = 0.0;    ///< At which it just comes there [rad/s].
    double slide_to_go_ = 0.0;      ///< To the end of its way, along the first linear row [m].
    bool is_slide_ending_ = false;  ///< That row stops it there.
    btJointFeedback feedback_;
    // Of the last solve.
    Mat3 linear_axes_ = Mat3::Identity();   ///< Of the rows, as columns.
    Mat3 angular_axes_ = Mat3::Identity();  ///< Likewise.
    Vec3 most_ = Vec3::Zero();              ///< What each angular row may carry.
    Vec3 lever_b_ = Vec3::Zero();           ///< From b's centre of mass to the tie.
    Vec3 impulse_ = Vec3::Zero(), angular_impulse_ = Vec3::Zero();
    bool is_yielding_ = false;
    std::bitset<kRows> gave_way_;  ///< The rows that did, of those that take work.
    int owed_steps_ = 0;
};

}  // namespace ductile
