// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <span>

namespace ductile {

/// Mass, middle and inverse inertia of a sub-shell; its samples stand for equal parts of it.
struct SampleMass {
    double mass = 0.0;  ///< How many samples there are.
    Vec3 middle = Vec3::Zero();
    Mat3 inverse_inertia = Mat3::Zero();
};
/// Of some points of a surface.
SampleMass sample_mass(std::span<const Vec3> points, std::span<const std::int32_t> samples);

/// Turns `rotation` towards the rotational part of a matrix, from where it was: sub-shells turn a
/// little from step to step (Mueller et al. 2016, "A Robust Method to Extract the Rotational Part
/// of Deformations").
void follow_rotation(const Mat3& moment, Quat& rotation);

}  // namespace ductile
