// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// Names a body of an engine. Never reused within one engine's life.
struct BodyId {
    std::int32_t value = -1;
    auto operator<=>(const BodyId&) const = default;
    bool is_valid() const { return value >= 0; }
};

/// How a body was placed and moving when a sub-step was about to be solved (forces of the sub-step
/// included), with what is needed to answer "what would an impulse do here?".
struct BodyMoment {
    BodyId id{};
    Transform pose_w{};                     ///< Of the body's own (rest) frame.
    Vec3 centre_w = Vec3::Zero();           ///< Centre of mass [m].
    Vec3 velocity_w = Vec3::Zero();         ///< Of the centre of mass [m/s].
    Vec3 spin_w = Vec3::Zero();             ///< Angular velocity [rad/s].
    double inverse_mass = 0.0;              ///< [1/kg]; 0 for what cannot be moved.
    Mat3 inverse_inertia_w = Mat3::Zero();  ///< [1/(kg m^2)]; 0 for what cannot be moved.
    Vec3 force_gain_w = Vec3::Zero();  ///< What of velocity_w this sub-step's forces gave [m/s].

    Vec3 velocity_at(const Vec3& point_w) const {
        return velocity_w + spin_w.cross(point_w - centre_w);
    }
    /// How much faster along the unit vector n the point gets by a unit impulse along n [1/kg].
    double response(const Vec3& point_w, const Vec3& n) const {
        const Vec3 lever = (point_w - centre_w).cross(n);
        return inverse_mass + lever.dot(inverse_inertia_w * lever);
    }
};

/// One contact point of one sub-step.
struct Contact {
    std::int32_t a = -1;            ///< Index into ContactBatch::bodies.
    std::int32_t b = -1;            ///< Index into ContactBatch::bodies.
    Vec3 point_a_w = Vec3::Zero();  ///< On a's collider, its margin taken off [m].
    Vec3 point_b_w = Vec3::Zero();  ///< On b's collider, its margin taken off [m].
    Vec3 normal_w = Vec3::UnitY();  ///< Unit, out of a, towards b.
    double gap = 0.0;               ///< Distance along the normal; negative where they overlap [m].
    double normal_impulse = 0.0;    ///< What the solver applied, >= 0 [N s].
    Vec3 friction_impulse_w = Vec3::Zero();  ///< Tangential part, as applied to b [N s].
    double restitution = 0.0;                ///< Of the pair, as the solver used it.
};

/// All contacts that involve a watched body in one sub-step.
struct ContactBatch {
    double time = 0.0;                 ///< At the end of the sub-step, since the engine began [s].
    double dt = 0.0;                   ///< Length of the sub-step [s].
    std::vector<BodyMoment> bodies{};  ///< Those in contacts, by ascending id, before the solve.
    std::vector<Contact> contacts{};   ///< In an order that depends on the simulated state only.
};

}  // namespace ductile
