// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

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

/// Adds one particle to a group's moment matrix: its own (4.23), and weighted place times rest
/// place (4.22). Spelled out: it is most of a group's cost.
inline void add_moment(const Mat3& own, const Vec3& weighted, const Vec3& rest, Mat3& sum) {
    const double *a = own.data(), *w = weighted.data(), *r = rest.data();
    double* s = sum.data();
    for (int column = 0; column < 3; ++column) {
        s[3 * column] += a[3 * column] + w[0] * r[column];
        s[3 * column + 1] += a[3 * column + 1] + w[1] * r[column];
        s[3 * column + 2] += a[3 * column + 2] + w[2] * r[column];
    }
}

}  // namespace ductile
