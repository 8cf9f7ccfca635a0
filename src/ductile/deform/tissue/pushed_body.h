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

/// Many particles that all hold on to one body, each the less the more it gives way: how it moves
/// when all of them and the body itself move at once. Answering them one after the other would
/// throw a body to and fro that is lighter than what holds on to it.
class BodyHold {
public:
    /// A particle takes on a share of the motion that it lacks; `weight` is its mass times that
    /// share, `lack` how the body would have to move at the lever to get there by itself.
    void add(double weight, const Vec3& lever_w, const Vec3& lack) {
        const Vec3 lever = weight * lever_w;
        weight_ += weight;
        weighted_lever_ += lever;
        weighted_lack_ += weight * lack;
        turning_lack_ += lever.cross(lack);
        for (int k = 0; k < 3; ++k) squares_[k] += lever[k] * lever_w[k];
        products_[0] += lever[1] * lever_w[2];
        products_[1] += lever[0] * lever_w[2];
        products_[2] += lever[0] * lever_w[1];
    }
    /// The same of its turn.
    void add_turn(double weight, const Vec3& lack) {
        turning_lack_ += weight * lack;
        turning_weight_ += weight;
    }
    /// The motion of the body that goes with what the particles take from it.
    struct Motion {
        Vec3 move = Vec3::Zero(), turn = Vec3::Zero();
        Vec3 at(const Vec3& lever_w) const { return move + turn.cross(lever_w); }
    };
    Motion motion(const PushedBody& body) const;

private:
    double weight_ = 0.0, turning_weight_ = 0.0;
    Vec3 weighted_lever_ = Vec3::Zero(), weighted_lack_ = Vec3::Zero(),
         turning_lack_ = Vec3::Zero();
    Vec3 squares_ = Vec3::Zero(), products_ = Vec3::Zero();  ///< Of levers: xx, yy, zz; yz, xz, xy.
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
