// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4.3: springs in joints, by the exact solution of the damped
// oscillator, as equal and opposite impulses before the step. The inertia that a spring sees is
// that of two bodies held together at the joint, lever arms included.
#include <ductile/deform/bend/bend_spring.h>
#include <ductile/sim/joint_spring.h>

#include <Eigen/LU>

namespace ductile {
namespace {

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

}  // namespace

Vec3 turn_vector(const Quat& turn) {
    const Eigen::AngleAxisd about(turn.w() < 0 ? Quat(-turn.coeffs()) : turn);
    return about.angle() * about.axis();
}

// The axis lies along what is turned, or against what turns; what is across it only turns. Where
// the spring would push harder than the joint bears, the joint yields: its rest goes along.
void push_spring(Engine& engine, JointSpring& spring, double dt) {
    const BodyMoment a = engine.moment(spring.a), b = engine.moment(spring.b);
    const Quat turn = (a.pose_w.rotation.conjugate() * b.pose_w.rotation).normalized();
    Vec3 offset = b.pose_w.rotation * (turn_vector(turn) - spring.rest_b);
    if (const double bears = spring.moment_limit / spring.stiffness; offset.norm() > bears) {
        const Vec3 yielded = (1.0 - bears / offset.norm()) * offset;
        spring.rest_b += b.pose_w.rotation.conjugate() * yielded;
        offset -= yielded;
    }
    const Vec3 rate = b.spin_w - a.spin_w + spring.rate_ahead_w;
    const Vec3 first = offset.norm() > 1e-9 ? offset : rate;
    spring.rate_ahead_w = Vec3::Zero();
    if (!(first.norm() > 1e-12)) return;
    const Mat3 axes = axes_along(first);
    const Mat3 response = turning_response(a, b, b.pose_w.point(spring.place_b));
    Vec3 impulse_w = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes.col(k);
        const double inertia = 1.0 / axis.dot(response * axis);
        const SpringState now{axis.dot(offset), axis.dot(rate)};
        const SpringImpulse push =
            spring_impulse({inertia, spring.damping, spring.stiffness}, now, 0.0, dt);
        // The bodies turn at the rate that they have, not at the one that the spring ended with.
        impulse_w += inertia * (push.mean_rate - axis.dot(b.spin_w - a.spin_w)) * axis;
        spring.rate_ahead_w += (push.end.rate - push.mean_rate) * axis;
    }
    engine.apply_angular_impulse(spring.b, impulse_w);
    engine.apply_angular_impulse(spring.a, -impulse_w);
}

}  // namespace ductile
