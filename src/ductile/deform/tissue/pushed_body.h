// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/impact/rigid_queries.h>

namespace ductile {

/// A rigid body over one part of a step, as tissue sees it: where its velocities will take it, and
/// what tissue changed of them so far. The engine hears of it at the end.
struct PushedBody {
    BodyMoment start{};            ///< Before the part.
    Vec3 velocity = Vec3::Zero();  ///< With what the part's forces add [m/s].
    Vec3 spin = Vec3::Zero();      ///< [rad/s]
    Transform next{};              ///< Its pose after the part, pushes left aside.
    Vec3 next_centre = Vec3::Zero();
    Vec3 impulse = Vec3::Zero();          ///< Given by tissue so far [N s].
    Vec3 angular_impulse = Vec3::Zero();  ///< About its centre of mass [N m s].
    double friction = 0.5;
    double true_share = 1.0;  ///< Of the mass that tissue reckons with, what the body has.

    bool is_movable() const { return start.inverse_mass > 0; }
    void push(const Vec3& push_w, const Vec3& lever_w) {
        impulse += push_w;
        angular_impulse += lever_w.cross(push_w);
    }
    Vec3 velocity_gain() const { return start.inverse_mass * impulse; }
    Vec3 spin_gain() const { return start.inverse_inertia_w * angular_impulse; }
    /// How much faster along the unit vector n a unit impulse makes the place at a lever [1/kg].
    double response(const Vec3& lever_w, const Vec3& n) const {
        const Vec3 arm = lever_w.cross(n);
        return start.inverse_mass + arm.dot(start.inverse_inertia_w * arm);
    }
};

/// A body that falls freely over the next dt [s] where it can be moved and is awake.
PushedBody predicted_body(const RigidQueries& bodies, BodyId id, const Vec3& gravity_w, double dt);

/// Lets tissue reckon with a mass of at least `least` [kg]. A body much lighter than the particles
/// around it would otherwise be solved too badly to be held. It moves as reckoned: only what it
/// gives to others is that of the greater mass.
void limit_lightness(double least, PushedBody& body);

/// Its pose after the part with all pushes so far.
Transform pushed_pose(const PushedBody& body, double dt);

/// Tells the engine.
void apply_pushes(const PushedBody& body, RigidQueries& bodies);

}  // namespace ductile
