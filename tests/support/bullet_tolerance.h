// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/bullet_precision.h>

namespace ductile::test {

inline constexpr bool kIsDouble = kBulletPrecisionHere == BulletPrecision::Double;

/// What a law that holds in double precision is checked to: looser in Bullet's float build.
inline double tolerance(double in_double, double in_float) {
    return kIsDouble ? in_double : in_float;
}

}  // namespace ductile::test
