// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4.3: springs in joints, by the exact solution of the damped
// oscillator, as equal and opposite impulses before the step. The inertia that a spring sees is
// that of two bodies held together at the joint, lever arms included.
#include <ductile/sim/articulation.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A spring that turns slower than this is at rest [rad/s].
constexpr double kStillSpring = 0.05;

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

/// How fast b turns against a by a couple of unit angular impulses, both held together at a point.
Mat3 turning_response(const BodyMoment& a, const BodyMoment& b, const Vec3& at_w) {
    const Mat3 arm_a = cross_matrix(at_w - a.centre_w), arm_b = cross_matrix(at_w - b.centre_w);
    const Mat3 free = a.inverse_inertia_w + b.inverse_inertia_w;
    const Mat3 slip = arm_b * b.inverse_inertia_w + arm_a * a.inverse_inertia_w;
    const Mat3 hold = (a.inverse_mass + b.inverse_mass) * Mat3::Identity() -
                      arm_b * b.inverse_inertia_w * arm_b - arm_a * a.inverse_inertia_w * arm_a;
    return free - slip.transpose() * hold.inverse() * slip;
}

/// Axes across each other, the first along a vector.
Mat3 axes_along(const Vec3& first) {
    Mat3 axes;
    axes.col(0) = first.normalized();
    axes.col(1) = any_perpendicular(axes.col(0));
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return axes;
}

Vec3 small_turn(const Quat& q) {
    const Eigen::AngleAxisd turn(q.w() < 0 ? Quat(-q.coeffs()) : q);
    return turn.angle() * turn.axis();
}

}  // namespace

bool Articulation::is_swinging(const BentBody& body, const AwakeJoint& joint) const {
    const Vec3 spin = body.engine.motion(groups_[joint.b].body).spin_w -
                      body.engine.motion(groups_[joint.a].body).spin_w;
    return spin.norm() > kStillSpring;
}

void Articulation::push_springs(const BentBody& body, double dt) {
    if (!(skeleton_->data().options().stiffness > 0)) return;
    for (AwakeJoint& joint : joints_) {
        if (joint.id) push_spring(body, joint, dt);
    }
}

// The axis lies along what is turned, or against what turns; what is across it only turns. Where
// the spring would push harder than the joint bears, the joint yields: its rest goes along.
void Articulation::push_spring(const BentBody& body, AwakeJoint& joint, double dt) const {
    const BendOptions& options = skeleton_->data().options();
    const BodyId id_a = groups_[joint.a].body, id_b = groups_[joint.b].body;
    const BodyMoment a = body.engine.moment(id_a), b = body.engine.moment(id_b);
    const Vec3 at_w = b.pose_w.point(joint.place_b);
    const Vec3 offset = b.pose_w.rotation * (small_turn(turn_of(body, joint)) - joint.spring_rest);
    const Vec3 rate = b.spin_w - a.spin_w + joint.rate_ahead;
    const Vec3 first = offset.norm() > 1e-9 ? offset : rate;
    if (!(first.norm() > 1e-12)) return;
    const Mat3 axes = axes_along(first), response = turning_response(a, b, at_w);
    Vec3 impulse_w = Vec3::Zero(), ahead = Vec3::Zero(), yielded = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes.col(k);
        const double inertia = 1.0 / axis.dot(response * axis);
        const DampedSpring spring{inertia, options.spring_damping, options.stiffness};
        const SpringState now{axis.dot(offset), axis.dot(rate)};
        const SpringImpulse push = spring_impulse(spring, now, 0.0, dt);
        impulse_w += push.impulse * axis;
        ahead += (push.end.rate - push.mean_rate) * axis;
        const double beyond = options.stiffness * std::abs(now.offset) - joint.moment;
        if (beyond > 0) yielded += std::copysign(beyond / options.stiffness, now.offset) * axis;
    }
    joint.rate_ahead = ahead;
    joint.spring_rest += b.pose_w.rotation.conjugate() * yielded;
    body.engine.apply_angular_impulse(id_b, impulse_w);
    body.engine.apply_angular_impulse(id_a, -impulse_w);
}

}  // namespace ductile
