// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/bullet_precision.h>

namespace ductile::test {

inline constexpr bool kIsDouble = kBulletPrecisionHere == BulletPrecision::Double;

/// What a law that holds in double precision is checked to: looser in Bullet's float build.
inline double tolerance(double in_double, double in_float) {
    return kIsDouble ? in_double : in_float;
}

/// What a few of Bullet's operations keep of a closed form (near.h's kRounding is for our own).
inline constexpr double kBulletRounding = kIsDouble ? 1e-9 : 1e-5;

}  // namespace ductile::test
