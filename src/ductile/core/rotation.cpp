// SPDX-License-Identifier: MIT
#include <ductile/core/rotation.h>

#include <cmath>

namespace ductile {

Quat turn_by(const Vec3& angle) {
    const double size = angle.norm(), half = 0.5 * size;
    // sin(half)/size by its series where the quotient would lose digits.
    const double share =
        size > 1e-3 ? std::sin(half) / size : 0.5 - size * size / 48.0 * (1.0 - size * size / 80.0);
    return Quat(std::cos(half), share * angle.x(), share * angle.y(), share * angle.z());
}

Vec3 angle_of(const Quat& turn) {
    const double sign = turn.w() < 0 ? -1.0 : 1.0;
    const Vec3 v = sign * turn.vec();
    const double sine = v.norm(), cosine = sign * turn.w();
    // 2 atan(s/c)/s by its series where the quotient would lose digits.
    if (sine < 1e-3 * cosine) {
        const double t2 = sine * sine / (cosine * cosine);
        return (2.0 / cosine) * (1.0 - t2 / 3.0 + t2 * t2 / 5.0 - t2 * t2 * t2 / 7.0) * v;
    }
    return (2.0 * std::atan2(sine, cosine) / sine) * v;
}

}  // namespace ductile
