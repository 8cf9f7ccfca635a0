// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>

namespace ductile {

/// A turn as its axis times its angle [rad], the shorter way round.
Vec3 turn_vector(const Quat& turn);

/// A torsional spring between two bodies of an engine that a joint holds together at a point. Both
/// frames lie alike where nothing is turned.
struct JointSpring {
    BodyId a{}, b{};
    Vec3 place_b = Vec3::Zero();       ///< The joint, in b's frame [m].
    double stiffness = 0.0;            ///< [N m/rad]
    double damping = 0.0;              ///< [N m s]
    double moment_limit = kInfinity;   ///< Where it would push harder it yields: its rest follows.
    Vec3 rest_b = Vec3::Zero();        ///< Turn of b against a at which it is at rest [rad].
    Vec3 rate_ahead_w = Vec3::Zero();  ///< End rate of its last step less the mean one [rad/s].
};

/// Pushes both bodies before a step of dt, with equal and opposite angular impulses, so that the
/// step ends where the damped oscillator does: exact for two bodies joined at their centres, at any
/// dt; with lever arms as far as the engine holds them together.
/// Requires: dt > 0, stiffness > 0, both bodies there, one of them dynamic.
void push_spring(Engine& engine, JointSpring& spring, double dt);

/// A spring along an axis between two bodies that a joint holds together but for that.
struct SlideSpring {
    BodyId a{}, b{};
    /// Where it is fastened, in the frames of both [m]: one place where nothing has slid.
    Vec3 place_a = Vec3::Zero(), place_b = Vec3::Zero();
    Vec3 axis_a = Vec3::UnitX();     ///< Unit, in a's frame.
    double stiffness = 0.0;          ///< [N/m]
    double damping = 0.0;            ///< [N s/m]
    double force_limit = kInfinity;  ///< Where it would push harder it yields: its rest follows.
    double rest = 0.0;               ///< Slide of b against a at which it is at rest [m].
    double rate_ahead = 0.0;         ///< End rate of its last step less the mean one [m/s].
};

/// How far b has slid against a [m], and how fast [m/s].
struct SlideState {
    double slide = 0.0, rate = 0.0;
};
SlideState slide_state(const Engine& engine, const SlideSpring& spring);

/// As above, with impulses along the axis: exact for two bodies whose centres lie on it.
void push_spring(Engine& engine, SlideSpring& spring, double dt);

/// Whether one that yields swings through within a step. It pushes before contacts are solved, and
/// would answer an impact a step too late; what it would give by before it yields is too little to
/// be seen.
bool is_too_stiff(const Engine& engine, const SlideSpring& spring, double dt);

}  // namespace ductile
