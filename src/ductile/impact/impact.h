// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/impact/contact.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ductile {

class SurfaceQuery;

/// One body's side of an impact, in that body's own (rest) frame.
struct ImpactSide {
    BodyId id;
    Vec3 point_b = Vec3::Zero();    ///< Where, as grouped over the contact points [m].
    Vec3 normal_b = Vec3::UnitY();  ///< Unit, out of this body.
    std::vector<Vec3> starts_b;     ///< The places that touch, at least one; few, spread out.
    Transform pose_w;               ///< Of the body when it happened.
    double size = 0.0;              ///< Diagonal of the body's box [m].
};

/// An impact between two bodies, or the part by which it grew in one step.
///
/// Damage is a function f of the damage impulse; a step applies f(damage_impulse) -
/// f(previous_damage_impulse), so that an impact spread over many steps counts once.
struct Impact {
    std::int64_t episode = 0;         ///< Which one it is part of; ascending.
    double time = 0.0;                ///< [s]
    double delay = 0.0;               ///< From the solve to the touch; negative: before it [s].
    std::array<ImpactSide, 2> sides;  ///< By ascending id.
    Vec3 velocity_w = Vec3::Zero();   ///< Of the first body against the second at the point [m/s].
    double approach_speed = 0.0;      ///< Along the normal, when they touched [m/s].
    double effective_mass = 0.0;      ///< Of both bodies, along the normal, at the point [kg].
    double restitution = 0.0;
    double damage_impulse = 0.0;           ///< The largest of the episode so far [N s].
    double previous_damage_impulse = 0.0;  ///< The largest before this step [N s].
    /// Friction on the second body per impulse along the normal, as the contacts had it.
    Vec3 friction_w = Vec3::Zero();
    /// Moment of the engine's impulses on the second body about where the impact is [N m s].
    Vec3 moment_w = Vec3::Zero();
};

/// An impact as one of its bodies sees it: what a deformer decides on.
struct BodyImpact {
    std::int64_t episode = 0;
    double time = 0.0;  ///< [s]
    BodyId body;
    BodyId other;
    Vec3 point_b = Vec3::Zero();
    Vec3 normal_b = Vec3::UnitY();   ///< Unit, out of this body.
    Vec3 velocity_b = Vec3::Zero();  ///< Of the other against this one [m/s].
    std::vector<Vec3> starts_b;
    std::vector<Vec3> other_starts;  ///< The other's, in its own frame.
    double approach_speed = 0.0;
    double effective_mass = 0.0;
    double restitution = 0.0;
    double damage_impulse = 0.0;
    double previous_damage_impulse = 0.0;
    /// Friction on this body per damage impulse: the whole of that is (friction_b - normal_b) times
    /// `damage_impulse`.
    Vec3 friction_b = Vec3::Zero();
    double other_size = 0.0;    ///< [m]
    double energy_share = 1.0;  ///< Of the impact's energy, that the asked layer has; in (0, 1].
                                ///< The damage impulses are those of that share.

    Transform other_to_body;  ///< From the other's own frame into this body's, when it happened.
    /// The other's surface as it was before the impact, in its own frame; null if not known.
    const SurfaceQuery* other_surface = nullptr;
    double other_edge = 0.0;  ///< Mean length of its edges [m].
    double other_facets =
        0.0;  ///< How far its facets are off the smooth surface they stand for [m].
    double other_compliance = 0.0;  ///< (1 - nu^2) / E of its matter [1/Pa]; 0: rigid.
    double own_share = 1.0;         ///< Of the energy, by the strengths of both bodies, in [0, 1].
    double exaggerate = 1.0;        ///< Depths of the whole simulation are scaled by this.
};

/// Kinetic energy of the approach that makes a damage impulse [J].
inline double impulse_energy(double impulse, double restitution, double effective_mass) {
    if (!(effective_mass > 0)) return 0.0;
    const double speed = impulse / ((1.0 + restitution) * effective_mass);
    return 0.5 * effective_mass * speed * speed;
}

/// Radius of the ball that stands for two bodies of these sizes where their strengths are compared
/// [m]: that of a ball whose box has the smaller one's diagonal.
inline double meeting_radius(double size, double other_size) {
    return 0.289 * std::min(size, other_size);
}

/// The impact from side 0 or 1.
BodyImpact seen_from(const Impact& impact, int side);

}  // namespace ductile
