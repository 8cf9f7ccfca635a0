// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace ductile {

/// Rises from 0 at t <= 0 to 1 at t >= 1 without a corner: a cubic, flat at both ends.
inline double smooth_step(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

}  // namespace ductile
