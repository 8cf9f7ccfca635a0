// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstddef>
#include <vector>

namespace ductile {

/// The particles of a coat during a part, as groups see them: one entry per particle, and one more
/// that belongs to none and may be written to.
struct PartParticles {
    std::vector<Vec3> old, next;      ///< Before the part and after it [m].
    std::vector<Vec3> angles;         ///< By which each turns [rad].
    std::vector<Quat> old_turns;      ///< Before the part; of attached ones as predicted.
    std::vector<Mat3> turns;          ///< As predicted, of outer ones.
    std::vector<Mat3> moments;        ///< Of each about itself (4.23).
    std::vector<double> spins;        ///< Inertia about its own centre [kg m^2].
    std::vector<double> shares;       ///< What of its way a visit moves a particle ...
    std::vector<double> turn_shares;  ///< ... and turns it.

    explicit PartParticles(std::size_t count)
        : old(count + 1, Vec3::Zero()),
          next(old),
          angles(old),
          old_turns(count + 1, Quat::Identity()),
          turns(count + 1, Mat3::Identity()),
          moments(count + 1, Mat3::Zero()),
          spins(count + 1, 0.0),
          shares(spins),
          turn_shares(spins) {}
};

}  // namespace ductile
