// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>

namespace ductile {

/// A direction along which a contact pushes.
struct ContactRow {
    Vec3 axis = Vec3::Zero();       ///< Unit.
    Vec3 arm = Vec3::Zero();        ///< How its way along the axis turns the body: lever x axis.
    Vec3 body_turn = Vec3::Zero();  ///< What a unit push turns the body by.
    double start = 0.0;      ///< Gap or slip along it is this, plus that of particles and bodies.
    double mass = 0.0;       ///< Of both against each other [kg].
    double push = 0.0;       ///< So far, mass times way [kg m].
    double before = 0.0;     ///< The same when solving began.
    double by_normal = 0.0;  ///< Way along it that a unit push along the normal makes [1/kg].
};

/// A particle that touches a body, or another particle.
struct TissueContact {
    std::int32_t coat = 0, particle = 0;
    std::int32_t body = -1;  ///< Among the pushed ones; or:
    std::int32_t other_coat = -1, other_particle = -1;
    Vec3* own = nullptr;    ///< Where the particle will be ...
    Vec3* other = nullptr;  ///< ... and the other one.
    double inverse_mass = 0.0, other_inverse_mass = 0.0;
    Vec3 lever = Vec3::Zero();  ///< To the place from the body's predicted centre [m].
    double friction = 0.0;
    ContactRow normal, across[2];  ///< Towards the particle, and along the surface.
    Vec3 anchor_b = Vec3::Zero();
};

/// How far pushes so far moved and turned a body by the end of the part.
struct BodyGain {
    Vec3 move = Vec3::Zero(), turn = Vec3::Zero();
    double inverse_mass = 0.0;
};

}  // namespace ductile
