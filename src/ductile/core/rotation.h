// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

namespace ductile {

/// The unit quaternion of a rotation vector, whose length is the angle [rad], and back: the shorter
/// way round. Exact to rounding for angles of any size, none included.
Quat turn_by(const Vec3& angle);
Vec3 angle_of(const Quat& turn);

}  // namespace ductile
