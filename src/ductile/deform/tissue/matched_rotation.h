// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/tissue/lanes.h>

namespace ductile {

/// The rotation nearest to a group's moment matrix A = sum m x xbar^T: the one that maximises
/// tr(R^T A), which for a matrix of positive determinant is that of the polar decomposition.
///
/// Two Newton steps on the rotations are enough from a guess near by; a group that has collapsed,
/// was turned inside out or lies far from the guess takes a slower way that always ends (Horn 1987,
/// quaternions). Of several that are equally near, one near the guess. Where the matrix says
/// nothing (0, or not finite) the guess itself. Error below 1e-9 rad where the matrix determines
/// the rotation to that. Requires: `guess` is a rotation.
Mat3 matched_rotation(const Mat3& moment, const Mat3& guess);

/// Of two groups side by side: as good as one by one, not the same bits, and faster.
Pair33 matched_rotations(const Pair33& moments, const Pair33& guesses);

/// Adds one particle's weighted place times its rest place to a group's moment matrix (4.22), to
/// which its own (4.23) belongs, too.
template <class T>
EIGEN_ALWAYS_INLINE void add_moment(const Lanes3<T>& weighted, const Lanes3<T>& rest,
                                    Lanes33<T>& sum) {
    sum.at[0] += weighted.x * rest.x;
    sum.at[1] += weighted.y * rest.x;
    sum.at[2] += weighted.z * rest.x;
    sum.at[3] += weighted.x * rest.y;
    sum.at[4] += weighted.y * rest.y;
    sum.at[5] += weighted.z * rest.y;
    sum.at[6] += weighted.x * rest.z;
    sum.at[7] += weighted.y * rest.z;
    sum.at[8] += weighted.z * rest.z;
}

}  // namespace ductile
