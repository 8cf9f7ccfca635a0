// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cmath>

namespace ductile {

/// Brings a vector to unit length; one that has it, to rounding, keeps its bits. False: it has next
/// to no length.
inline bool make_unit(Vec3& v) {
    const double length = v.norm();
    if (!(length > 1e-9)) return false;
    if (std::abs(length - 1.0) > 1e-12) v /= length;
    return true;
}

/// Takes out of a vector what lies along the unit vector `n`, then as above: a second time changes
/// no bit. False: next to nothing is left.
inline bool make_unit_across(Vec3& v, const Vec3& n) {
    // What is left of a vector almost along `n` is short, and its rounding large: once more takes
    // that out (Giraud et al. 2005: twice is enough).
    for (int round = 0; round < 2; ++round) {
        const double along = v.dot(n);
        if (std::abs(along) > 1e-12) v -= along * n;
        if (!make_unit(v)) return false;
    }
    return true;
}

}  // namespace ductile
