// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// How a coat answers beyond its stiffness. Plain data; as TissueOptions has it.
struct TissueResponse {
    double torsion = 0.0;        ///< Stiffness against a twist over that against moving, >= 0.
    double stretch_limit = 0.0;  ///< Of particles off their places, over their offsets; 0: none.
    double yield_strain = 0.0;   ///< 0: it never flows.
    double flow = 5.0;           ///< [1/s]
    double flow_limit = 0.5;     ///< Most strain that becomes rest.
};

/// The oriented particles of a coat at rest, in the bone's frame, and the groups that keep it in
/// shape. Never changes; shared by all bodies of a kind.
struct TissueRig {
    std::vector<Vec3> places;            ///< [m]
    std::vector<Mat3> shapes;            ///< Of their ellipsoids (ellipsoid.h) [m^2].
    std::vector<double> masses;          ///< [kg]; of attached ones a share of the bone's.
    std::vector<std::uint8_t> attached;  ///< Whether it is fixed to the bone; else it is outer.
    std::vector<double> ease;        ///< Mass over the stiffness of its place in the coat [s^2].
    std::vector<std::int32_t> uses;  ///< How many groups it is in; a tie counts.
    /// How deep it is in its own bone at rest, <= 0 [m]: no deeper is no contact.
    std::vector<double> bone_gaps;
    /// From its centre to the bone's surface at rest [m]; 0 where that is not known.
    std::vector<double> bone_ways;
    /// Outer ones that the bone itself holds, each where it is at rest. A group around an attached
    /// particle would say the same: all the others in it sit on the bone.
    std::vector<std::int32_t> ties;
    std::vector<double> tie_lengths;  ///< How far each is off the bone, which strain counts by [m].
    TissueResponse response{};

    std::vector<std::int32_t> members;  ///< Of all groups, one after the other; centres first.
    std::vector<std::int32_t> firsts;   ///< Where each group begins, and the end.

    std::size_t size() const { return places.size(); }
    std::size_t group_count() const { return firsts.empty() ? 0 : firsts.size() - 1; }
    std::span<const std::int32_t> group(std::size_t g) const {
        return std::span(members).subspan(firsts[g], firsts[g + 1] - firsts[g]);
    }
    void add_particle(const Vec3& place, const Mat3& shape, double mass, bool is_attached);
    /// Around its first member.
    void add_group(std::span<const std::int32_t> group);
    void add_tie(std::int32_t particle, double length);
};

/// What of its way one of `sweeps` visits by each of its groups moves a particle: all of them
/// together about h^2 / (h^2 + ease).
double visit_share(const TissueRig& rig, std::size_t i, int sweeps, double dt);
/// The same of its turn.
double turn_share(const TissueRig& rig, std::size_t i, int sweeps, double dt);

/// Sets the ease of all particles for springs of `stiffness` [N/m] between a particle and where its
/// groups want it, however many those are. One value, or one per particle.
void set_stiffness(TissueRig& rig, std::span<const double> stiffness);

/// Whether a coat can be simulated. Error: what is wrong with it.
Status check_tissue(const TissueRig& rig);

/// Where a particle is and how it moves; all of it world.
struct OrientedParticle {
    Vec3 position = Vec3::Zero();  ///< [m]
    Quat turn = Quat::Identity();  ///< From rest, that is from the bone's frame.
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
    Vec3 spin = Vec3::Zero();      ///< [rad/s]
};

/// About its centre, the same about all axes: a spin is then kept where nothing acts [m^2].
inline double spin_inertia(const Mat3& shape) { return shape.trace() * (2.0 / 15.0); }

}  // namespace ductile
