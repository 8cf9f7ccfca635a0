// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/lanes.h>
#include <ductile/deform/tissue/part_particles.h>
#include <ductile/deform/tissue/tissue_rig.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// All groups of a coat, visited one after the other, but two that share no particle side by side.
///
/// A visit finds the rotation that fits a group best and moves its members towards it. Momentum
/// and, about any point, angular momentum of the members stay as they are.
class GroupPairs {
public:
    /// At rest, turned. Requires: a coat that check_tissue likes.
    explicit GroupPairs(const TissueRig& rig, const Mat3& turn = Mat3::Identity());

    /// Where members are at rest, from their group's middle: per member of the rig.
    void set_offsets(std::span<const Vec3> offsets);
    /// Follows the particles' shares.
    void set_shares(const TissueRig& rig, const PartParticles& particles);
    /// Visits every group once, in their order or in the opposite one.
    void visit(const TissueRig& rig, bool is_backwards, PartParticles& particles);

    /// How groups were turned when last visited in either direction, which is where the next visit
    /// in that direction looks first: its last digits depend on it.
    std::span<double> turns() { return turns_; }

private:
    using Doubles = simd::Doubles;
    struct Slot {
        std::int32_t first = 0, second = 0;  ///< Particles.
        std::int32_t members[2] = {-1, -1};  ///< Of the rig's list; -1: none.
        Doubles mass = 0.0, share = 0.0;
        Pair3 offset{0.0, 0.0, 0.0};
    };
    struct Pair {
        std::int32_t groups[2] = {-1, -1};  ///< -1: none.
        std::int32_t begin = 0, end = 0;    ///< Its slots; middles first.
        Doubles inverse_mass = 0.0;
        Doubles blank = 0.0;  ///< 1 where there is no group.
        Doubles spin = 1.0, middle_spin = 0.0, middle_share = 0.0;
    };
    struct Visited {
        Pair3 next, lever;  ///< From the group's middle before the part.
    };
    void add_pair(const TissueRig& rig, std::int32_t first, std::int32_t second);
    /// What of its way a visit moves a particle that must not stay further off than `most` of its
    /// offset.
    static Doubles limited_share(const Slot& slot, const Pair3& way, double most);
    void visit_pair(const TissueRig& rig, const Pair& pair, double* turn, PartParticles& particles);
    Pair3 turn_middles(const Pair& pair, const Pair33& goal, PartParticles& particles) const;
    Pair3 turn_members(const Pair& pair, const Pair33& goal, PartParticles& particles) const;

    std::vector<Slot> slots_;
    std::vector<Pair> pairs_;
    std::vector<double> turns_;     ///< Of each pair two Pair33: visited forwards and backwards.
    std::vector<Visited> visited_;  ///< Of one pair's members.
};

}  // namespace ductile
