// SPDX-License-Identifier: MIT
// A plastic hinge in a velocity-level solver: rows with bounds on the accumulated impulse (Catto
// 2005, "Iterative Dynamics with Temporal Coherence"), bounds = limit times sub-step, so that the
// moment is the same at any rate and the hinge stops after I w^2 / (2 M) radians.
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/yield_joint.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace ductile {

namespace {

// The share of a bound from which a row counts as yielding; rows are clamped to the bound itself.
constexpr double kAtLimit = 1.0 - 1e-6;

Vec3 rotation_vector(const Quat& q) {
    const double sign = q.w() < 0 ? -1.0 : 1.0;
    const Vec3 v = sign * q.vec();
    const double sine = v.norm();
    if (sine < 1e-12) return 2.0 * v;
    return v * (2.0 * std::atan2(sine, sign * q.w()) / sine);
}

Quat from_rotation_vector(const Vec3& v) {
    const double angle = v.norm();
    if (angle < 1e-12) return Quat(1.0, 0.5 * v.x(), 0.5 * v.y(), 0.5 * v.z()).normalized();
    return Quat(Eigen::AngleAxisd(angle, v / angle));
}

void set_row(btScalar* rows, int row, int skip, const Vec3& v) {
    for (int k = 0; k < 3; ++k) rows[row * skip + k] = btScalar(v[k]);
}

}  // namespace

YieldJoint::YieldJoint(btRigidBody& a, btRigidBody& b, const Transform& frame_a,
                       const Transform& frame_b, const Transform& com_a, const Transform& com_b,
                       double force_limit, double moment_limit)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b),
      frame_a_(frame_a),
      frame_b_(frame_b),
      first_(frame_a.rotation * frame_b.rotation.conjugate()),
      force_limit_(force_limit),
      moment_limit_(moment_limit) {
    set_frames(com_a, com_b);
    rest();
    setJointFeedback(&feedback_);
}

void YieldJoint::set_frames(const Transform& com_a, const Transform& com_b) {
    com_a_ = com_a;
    com_b_ = com_b;
    in_a_ = com_a.inverse() * frame_a_;
    in_b_ = com_b.inverse() * frame_b_;
}

Transform YieldJoint::pose_a() const { return from_bt(m_rbA.getCenterOfMassTransform()) * in_a_; }
Transform YieldJoint::pose_b() const { return from_bt(m_rbB.getCenterOfMassTransform()) * in_b_; }

void YieldJoint::rest() {
    for (btVector3* v : {&feedback_.m_appliedForceBodyA, &feedback_.m_appliedTorqueBodyA,
                         &feedback_.m_appliedForceBodyB, &feedback_.m_appliedTorqueBodyB}) {
        v->setZero();
    }
    impulse_ = angular_impulse_ = Vec3::Zero();
    is_yielding_ = false;
}

void YieldJoint::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = 6;
    info->nub = 0;
}

void YieldJoint::getInfo2(btConstraintInfo2* info) {
    const Transform a = pose_a(), b = pose_b();
    const Vec3 lever_a = a.translation - from_bt(m_rbA.getCenterOfMassPosition());
    lever_b_ = b.translation - from_bt(m_rbB.getCenterOfMassPosition());
    axes_ = a.rotation.toRotationMatrix();
    const double rate = info->fps * info->erp;
    const Vec3 gap = rate * (b.translation - a.translation);
    const Vec3 turn = rate * rotation_vector(b.rotation * a.rotation.conjugate());
    const double dt = 1.0 / info->fps;
    const int skip = info->rowskip;
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes_.col(k);
        set_row(info->m_J1linearAxis, k, skip, axis);
        set_row(info->m_J2linearAxis, k, skip, -axis);
        set_row(info->m_J1angularAxis, k, skip, lever_a.cross(axis));
        set_row(info->m_J2angularAxis, k, skip, -lever_b_.cross(axis));
        set_row(info->m_J1angularAxis, k + 3, skip, axis);
        set_row(info->m_J2angularAxis, k + 3, skip, -axis);
        info->m_constraintError[k * skip] = btScalar(gap.dot(axis));
        info->m_constraintError[(k + 3) * skip] = btScalar(turn.dot(axis));
        if (std::isfinite(force_limit_)) {
            info->m_upperLimit[k * skip] = btScalar(force_limit_ * dt);
            info->m_lowerLimit[k * skip] = btScalar(-force_limit_ * dt);
        }
        if (std::isfinite(moment_limit_)) {
            info->m_upperLimit[(k + 3) * skip] = btScalar(moment_limit_ * dt);
            info->m_lowerLimit[(k + 3) * skip] = btScalar(-moment_limit_ * dt);
        }
    }
}

void YieldJoint::yield(double dt) {
    const Transform a = pose_a(), b = pose_b();
    impulse_ = dt * from_bt(feedback_.m_appliedForceBodyB);
    angular_impulse_ = dt * from_bt(feedback_.m_appliedTorqueBodyB) - lever_b_.cross(impulse_);
    is_yielding_ = false;
    const Vec3 gap = b.translation - a.translation;
    const Vec3 turn = rotation_vector(b.rotation * a.rotation.conjugate());
    Vec3 slid = Vec3::Zero(), turned = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes_.col(k);
        if (std::abs(impulse_.dot(axis)) >= kAtLimit * force_limit_ * dt) {
            slid += axis * gap.dot(axis);
            is_yielding_ = true;
        }
        if (std::abs(angular_impulse_.dot(axis)) >= kAtLimit * moment_limit_ * dt) {
            turned += axis * turn.dot(axis);
            is_yielding_ = true;
        }
    }
    if (!is_yielding_) return;
    // What gave way is taken out of b's idea of where the tie sits, so no error is left to undo it.
    const Transform rest_w{from_rotation_vector(-turned) * b.rotation, b.translation - slid};
    in_b_ = from_bt(m_rbB.getCenterOfMassTransform()).inverse() * rest_w;
    in_b_.rotation.normalize();
    frame_b_ = com_b_ * in_b_;
}

JointState YieldJoint::state() const {
    const Quat body_a = (from_bt(m_rbA.getCenterOfMassTransform()) * com_a_.inverse()).rotation;
    const Quat body_b = (from_bt(m_rbB.getCenterOfMassTransform()) * com_b_.inverse()).rotation;
    const Quat turned = first_.conjugate() * (body_a.conjugate() * body_b);
    return {impulse_, angular_impulse_, rotation_vector(turned).norm(), is_yielding_};
}

}  // namespace ductile
