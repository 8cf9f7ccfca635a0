// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4.3: springs in joints, by the exact solution of the damped
// oscillator, as equal and opposite impulses before the step. The inertia that a spring sees is
// that of two bodies held together at the joint, lever arms included.
#include <ductile/deform/bend/bend_spring.h>
#include <ductile/sim/joint_spring.h>

#include <Eigen/LU>

#include <cmath>

namespace ductile {
namespace {

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

/// How b moves against a at a point by unit impulses there, equal and opposite.
struct PairResponse {
    Mat3 turn;  ///< Spin by angular impulses.
    Mat3 slip;  ///< Less the velocity by angular impulses.
    Mat3 move;  ///< Velocity by impulses.

    PairResponse(const BodyMoment& a, const BodyMoment& b, const Vec3& at_w) {
        const Mat3 arm_a = cross_matrix(at_w - a.centre_w), arm_b = cross_matrix(at_w - b.centre_w);
        turn = a.inverse_inertia_w + b.inverse_inertia_w;
        slip = arm_b * b.inverse_inertia_w + arm_a * a.inverse_inertia_w;
        move = (a.inverse_mass + b.inverse_mass) * Mat3::Identity() -
               arm_b * b.inverse_inertia_w * arm_b - arm_a * a.inverse_inertia_w * arm_a;
    }
    /// Spin by angular impulses, both held together at the point.
    Mat3 held_together() const { return turn - slip.transpose() * move.inverse() * slip; }
    /// Velocity by impulses, neither turning against the other.
    Mat3 held_straight() const { return move - slip * turn.inverse() * slip.transpose(); }
};

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
    const Mat3 response = PairResponse(a, b, b.pose_w.point(spring.place_b)).held_together();
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

SlideState slide_state(const Engine& engine, const SlideSpring& spring) {
    const BodyMoment a = engine.moment(spring.a), b = engine.moment(spring.b);
    const Vec3 place = b.pose_w.point(spring.place_b), axis = a.pose_w.direction(spring.axis_a);
    return {axis.dot(place - a.pose_w.point(spring.place_a)),
            axis.dot(b.velocity_at(place) - a.velocity_at(place))};
}

// What else the bodies would do is held by the joint: the inertia is that of moving along the axis
// alone, so that the part of the impulse that the joint takes up is not missing.
void push_spring(Engine& engine, SlideSpring& spring, double dt) {
    const BodyMoment a = engine.moment(spring.a), b = engine.moment(spring.b);
    const SlideState now = slide_state(engine, spring);
    double offset = now.slide - spring.rest;
    if (const double bears = spring.force_limit / spring.stiffness; std::abs(offset) > bears) {
        const double yielded = offset - std::copysign(bears, offset);
        spring.rest += yielded;
        offset -= yielded;
    }
    const Vec3 place = b.pose_w.point(spring.place_b), axis = a.pose_w.direction(spring.axis_a);
    const double inertia = axis.dot(PairResponse(a, b, place).held_straight().inverse() * axis);
    const double rate = now.rate + spring.rate_ahead;
    const SpringImpulse push =
        spring_impulse({inertia, spring.damping, spring.stiffness}, {offset, rate}, 0.0, dt);
    double mean_rate = push.mean_rate, end_rate = push.end.rate;
    // A stiff spring turns within the step what came in: where that takes more than it bears on the
    // mean, it pushes all the step as hard as it bears.
    if (const double most = spring.force_limit * dt / inertia;
        2.0 * std::abs(mean_rate - rate) > most) {
        const double gain = std::copysign(most, mean_rate - rate);
        mean_rate = rate + 0.5 * gain;
        end_rate = rate + gain;
    }
    spring.rate_ahead = end_rate - mean_rate;
    const Vec3 impulse_w = inertia * (mean_rate - now.rate) * axis;
    engine.apply_impulse(spring.b, impulse_w, place);
    engine.apply_impulse(spring.a, -impulse_w, place);
}

bool is_too_stiff(const Engine& engine, const SlideSpring& spring, double dt) {
    double inverse_mass = 0.0;
    for (const BodyId id : {spring.a, spring.b}) {
        const double mass = engine.mass(id).mass;
        if (mass > 0) inverse_mass += 1.0 / mass;
    }
    return std::isfinite(spring.force_limit) &&
           std::sqrt(spring.stiffness * inverse_mass) * dt > kPi;
}

}  // namespace ductile
