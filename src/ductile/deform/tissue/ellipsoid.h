// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cmath>
#include <span>

namespace ductile {

// An ellipsoid about the origin is given by R diag(a^2, b^2, c^2) R^T, the inverse of the matrix of
// its equation x^T A x = 1: its shape matrix [m^2].

/// How far it reaches along the unit vector n [m].
inline double ellipsoid_reach(const Mat3& shape, const Vec3& n) {
    return std::sqrt(n.dot(shape * n));
}

/// Its point furthest along the unit vector n; the other point with a normal along n is the
/// opposite one (equation 4.36 of the seed).
inline Vec3 ellipsoid_support(const Mat3& shape, const Vec3& n) {
    const Vec3 along = shape * n;
    return along / std::sqrt(n.dot(along));
}

/// Two ellipsoids and what lies between them.
struct EllipsoidGap {
    Vec3 normal = Vec3::UnitY();  ///< Unit, from the first to the second.
    double gap = 0.0;             ///< Along it; negative where they overlap [m].
};

/// The direction that parts two ellipsoids best, looked for from that between their centres on; the
/// gap is never more than the true one. `apart`: from the first's centre to the second's; where it
/// is 0 they are parted along y. A direction that parts them by more than the share `far` of what
/// both reach along it is taken as it is: they are too far apart to matter.
EllipsoidGap ellipsoid_gap(const Mat3& first, const Mat3& second, const Vec3& apart,
                           double far = kInfinity);

/// Two ellipsoids by their shapes, and the way from the first's centre to the second's.
struct EllipsoidPair {
    Mat3 first, second;
    Vec3 apart;
};

/// Of many pairs, the same as one by one. Requires: equal sizes.
void ellipsoid_gaps(std::span<const EllipsoidPair> pairs, double far, std::span<EllipsoidGap> out);

}  // namespace ductile
