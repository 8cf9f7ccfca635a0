// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/dent/gaussian_dent.h>

namespace ductile {

/// Whether `press_dent` may move a point that lies in `box` (body frame). False is a promise, bit
/// for bit; true is not. A dent reaches as far as its radius from its axes, and along them from
/// front to back without end. O(starts).
bool may_move(const DentHit& hit, const Box& box);

}  // namespace ductile
