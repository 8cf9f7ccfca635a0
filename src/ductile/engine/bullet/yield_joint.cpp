// SPDX-License-Identifier: MIT
// A plastic hinge in a velocity-level solver: rows with bounds on the accumulated impulse (Catto
// 2005, "Iterative Dynamics with Temporal Coherence"), bounds = limit times sub-step, so that the
// moment is the same at any rate and the hinge stops after I w^2 / (2 M) radians. The limit is one
// on the magnitude of the angular impulse (Patkar et al. 2014, section 4.1).
#include <ductile/core/rotation.h>
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/yield_joint.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// The share of a bound from which a row counts as yielding; rows are clamped to the bound itself.
constexpr double kAtLimit = 1.0 - 1e-6;
// A joint that has not been overloaded for so long has its yield impulse again [s].
constexpr double kCalm = 0.1;
// This near its largest angle a joint is there [rad].
constexpr double kAtEnd = 1e-9;
// This near the end of its way, as a share of it, what slides is there.
constexpr double kAtEndOfWay = 1e-9;
// Moments, turns and spins below this share of what matters have no direction.
constexpr double kNoDirection = 1e-9;

void set_row(btScalar* rows, int row, int skip, const Vec3& v) {
    for (int k = 0; k < 3; ++k) rows[row * skip + k] = btScalar(v[k]);
}

}  // namespace

YieldJoint::YieldJoint(btRigidBody& a, btRigidBody& b, const JointDesc& desc,
                       const Transform& frame_a, const Transform& frame_b, const Transform& com_a,
                       const Transform& com_b)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b),
      desc_(desc),
      frame_a_(frame_a),
      frame_b_(frame_b),
      tie_b_(frame_b.translation),
      first_(frame_a.rotation * frame_b.rotation.conjugate()),
      turned_so_far_(0.0),
      left_(desc.yield_impulse) {
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
    left_ = desc_.yield_impulse;
    is_yielding_ = false;
    gave_way_.reset();
    owed_steps_ = 0;
}

bool YieldJoint::is_at_limit(double impulse, double limit) {
    return limit > 0 && std::abs(impulse) >= kAtLimit * limit;
}

Quat YieldJoint::turned() const {
    const Quat body_a = (from_bt(m_rbA.getCenterOfMassTransform()) * com_a_.inverse()).rotation;
    const Quat body_b = (from_bt(m_rbB.getCenterOfMassTransform()) * com_b_.inverse()).rotation;
    return first_.conjugate() * (body_a.conjugate() * body_b);
}

Vec3 YieldJoint::relative_spin() const {
    return from_bt(m_rbB.getAngularVelocity() - m_rbA.getAngularVelocity());
}

double YieldJoint::slid() const {
    const Transform body_b = from_bt(m_rbB.getCenterOfMassTransform()) * com_b_.inverse();
    return desc_.slide + pose_a().inverse_point(body_b.point(tie_b_)).x();
}

// The first linear row lies along the slide, towards the end that it may come to.
void YieldJoint::aim_slide(const Vec3& speed_w, double dt) {
    const double at = slid(), speed = speed_w.dot(linear_axes_.col(0));
    const bool is_at_end = std::abs(at) >= (1.0 - kAtEndOfWay) * desc_.slide_limit;
    const double way = (is_at_end ? at : speed) < 0 ? -1.0 : 1.0;
    slide_to_go_ =
        is_at_end ? std::min(0.0, desc_.slide_limit - way * at) : desc_.slide_limit - way * at;
    is_slide_ending_ = is_at_end || way * speed * dt > slide_to_go_ || desc_.slide_force == 0;
    linear_axes_.col(0) *= way;
}

// A positive impulse pushes b back against the axis: as much of it as the end of the way needs.
// What slides freely is always bounded by that, so that no impact within a sub-step carries it on.
void YieldJoint::bound_slide(btConstraintInfo2* info) const {
    const double held = desc_.slide_force / info->fps;
    info->m_lowerLimit[0] = btScalar(-held);
    info->m_upperLimit[0] = btScalar(held);
    if (!is_slide_ending_) return;
    info->m_upperLimit[0] = SIMD_INFINITY;
    if (slide_to_go_ <= 0 && held > 0) return;
    info->m_lowerLimit[0] = 0;
    const double rate = slide_to_go_ < 0 ? info->fps * info->erp : info->fps;
    info->m_constraintError[0] = btScalar(-rate * slide_to_go_);
}

// Whether what the tie moved along the slide in the last sub-step is for good.
bool YieldJoint::has_slid(double impulse, double dt) const {
    if (is_slide_ending_ && (slide_to_go_ > 0 || desc_.slide_force == 0)) return true;
    const bool is_held = is_slide_ending_ && impulse < 0;
    return !is_held && std::abs(impulse) >= kAtLimit * desc_.slide_force * dt;
}

double YieldJoint::most_about(const Vec3& direction_w, double dt) const {
    // An ellipsoid over the frame's axes, which lie still in a.
    const Vec3 direction = pose_a().rotation.conjugate() * direction_w;
    const double strength = 1.0 / direction.cwiseQuotient(desc_.axis_strength).norm();
    const double limit = desc_.moment_limit + desc_.hardening * turned_so_far_;
    const double speed = std::abs(relative_spin().dot(direction_w));
    return strength * limit * dt + desc_.damping * speed * dt + left_;
}

// The first angular row lies along the turn that is at its end, else along the spin of a joint that
// gives way, else along the moment of the last sub-step, else along the spin, else along the
// frame's x. What gives way must not follow the moment: rows across it would have to turn the spin
// there, with a moment that the next sub-step would follow back and forth. A hinge held a third
// more than it should.
void YieldJoint::aim_rows(const Mat3& frame_w, double dt) {
    angular_axes_ = frame_w;
    const Vec3 spin = relative_spin();
    const Quat body_b = (from_bt(m_rbB.getCenterOfMassTransform()) * com_b_.inverse()).rotation;
    const Vec3 turn = body_b * angle_of(turned());
    const double angle = turn.norm();
    const double to_go = desc_.angle_limit - angle;
    const Vec3 way = angle > kNoDirection ? Vec3(turn / angle) : spin.normalized();
    is_locked_ = to_go <= kAtEnd || spin.dot(way) * dt > to_go;
    arrival_speed_ = std::max(0.0, to_go) / dt;
    Vec3 first = Vec3::Zero();
    if (is_locked_) {
        first = way;
    } else if (gave_way() && spin.norm() > kNoDirection) {
        first = spin;
    } else if (angular_impulse_.norm() > kNoDirection * most_.maxCoeff()) {
        first = angular_impulse_;
    } else if (spin.norm() > kNoDirection) {
        first = spin;
    }
    if (first.isZero()) return;
    angular_axes_.col(0) = first.normalized();
    angular_axes_.col(1) = any_perpendicular(angular_axes_.col(0));
    angular_axes_.col(2) = angular_axes_.col(0).cross(angular_axes_.col(1));
}

void YieldJoint::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = kRows;
    info->nub = 0;
}

void YieldJoint::getInfo2(btConstraintInfo2* info) {
    const Transform a = pose_a(), b = pose_b();
    const Vec3 lever_a = a.translation - from_bt(m_rbA.getCenterOfMassPosition());
    lever_b_ = b.translation - from_bt(m_rbB.getCenterOfMassPosition());
    linear_axes_ = a.rotation.toRotationMatrix();
    aim_rows(linear_axes_, 1.0 / info->fps);
    if (desc_.slide_limit > 0) {
        const btVector3 speed = m_rbB.getVelocityInLocalPoint(to_bt(lever_b_)) -
                                m_rbA.getVelocityInLocalPoint(to_bt(lever_a));
        aim_slide(from_bt(speed), 1.0 / info->fps);
    }
    const double rate = info->fps * info->erp;
    const Vec3 gap = rate * (b.translation - a.translation);
    const Vec3 turn = rate * angle_of(b.rotation * a.rotation.conjugate());
    const double dt = 1.0 / info->fps;
    const int skip = info->rowskip;
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = linear_axes_.col(k);
        set_row(info->m_J1linearAxis, k, skip, axis);
        set_row(info->m_J2linearAxis, k, skip, -axis);
        set_row(info->m_J1angularAxis, k, skip, lever_a.cross(axis));
        set_row(info->m_J2angularAxis, k, skip, -lever_b_.cross(axis));
        info->m_constraintError[k * skip] = btScalar(gap.dot(axis));
        if (std::isfinite(desc_.force_limit)) {
            info->m_upperLimit[k * skip] = btScalar(desc_.force_limit * dt);
            info->m_lowerLimit[k * skip] = btScalar(-desc_.force_limit * dt);
        }
        const Vec3 about = angular_axes_.col(k);
        const int row = k + 3;
        set_row(info->m_J1angularAxis, row, skip, about);
        set_row(info->m_J2angularAxis, row, skip, -about);
        info->m_constraintError[row * skip] = btScalar(turn.dot(about));
        most_[k] = most_about(about, dt);
        if (!std::isfinite(most_[k])) continue;
        info->m_lowerLimit[row * skip] = btScalar(-most_[k]);
        info->m_upperLimit[row * skip] = btScalar(most_[k]);
    }
    if (desc_.slide_limit > 0) bound_slide(info);
    if (!is_locked_) return;
    // A positive impulse turns b back against the axis: as much of it as the end of the way needs.
    const int row = 3 * skip;
    info->m_upperLimit[row] = SIMD_INFINITY;
    if (arrival_speed_ > 0) {
        info->m_constraintError[row] = btScalar(-arrival_speed_);
        info->m_lowerLimit[row] = 0;
    }
}

// What the last sub-step took of the yield impulse, or gave it back.
void YieldJoint::spend(double dt) {
    const double size = angular_impulse_.norm();
    const double held = size > 0 ? most_about(angular_impulse_ / size, dt) - left_ : size;
    if (size > held * (1.0 + 1e-9)) {
        left_ = std::max(0.0, left_ - (size - held));
        calm_ = 0.0;
    } else if (is_yielding_) {
        calm_ = 0.0;
    } else if ((calm_ += dt) >= kCalm) {
        left_ = desc_.yield_impulse;
    }
}

void YieldJoint::yield(double dt) {
    const Transform a = pose_a(), b = pose_b();
    impulse_ = dt * from_bt(feedback_.m_appliedForceBodyB);
    angular_impulse_ = dt * from_bt(feedback_.m_appliedTorqueBodyB) - lever_b_.cross(impulse_);
    is_yielding_ = false;
    const std::bitset<kRows> before = std::exchange(gave_way_, {});
    const Vec3 gap = b.translation - a.translation;
    const Vec3 turn = angle_of(b.rotation * a.rotation.conjugate());
    Vec3 slid = Vec3::Zero(), bent = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = linear_axes_.col(k), about = angular_axes_.col(k);
        const double force = impulse_.dot(axis);
        const bool is_way = k == 0 && desc_.slide_limit > 0;
        const double most = (is_way ? desc_.slide_force : desc_.force_limit) * dt;
        const bool slides = is_way ? has_slid(force, dt) : std::abs(force) >= kAtLimit * most;
        gave_way_[k] = slides && is_at_limit(force, most);
        // What stops has moved until then (MeanMoves).
        if (slides || (before[k] && !is_ending())) slid += axis * gap.dot(axis);
        const double moment = angular_impulse_.dot(about);
        const bool arrives = is_locked_ && k == 0 && arrival_speed_ > 0;
        const bool is_held = is_locked_ && k == 0 && moment < 0;
        const bool bends = arrives || (std::abs(moment) >= kAtLimit * most_[k] && !is_held);
        gave_way_[k + 3] = bends && is_at_limit(moment, most_[k]);
        const bool stops = k == 0 && (before >> 3).any() && !is_ending();
        if (bends || stops) bent += about * turn.dot(about);
        is_yielding_ = is_yielding_ || slides || bends;
    }
    spend(dt);
    if (!gave_way()) owed_steps_ = 0;
    if (!is_yielding_ && before.none()) return;
    turned_so_far_ += bent.norm();
    // What gave way is taken out of b's idea of where the tie sits, so no error is left to undo it.
    const Transform rest_w{turn_by(-bent) * b.rotation, b.translation - slid};
    in_b_ = from_bt(m_rbB.getCenterOfMassTransform()).inverse() * rest_w;
    in_b_.rotation.normalize();
    frame_b_ = com_b_ * in_b_;
}

JointState YieldJoint::state() const {
    const Quat turn = turned();
    return {impulse_, angular_impulse_, turn, angle_of(turn).norm(), left_, is_yielding_, slid()};
}

}  // namespace ductile
