// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/ellipsoid.h>

namespace ductile {
namespace {

// Directions looked at; a step that does not part them better is halved.
constexpr int kDirections = 10;

/// What lies between two ellipsoids along n.
struct Between {
    double gap, size;  ///< [m]; both reaches together.
    Vec3 way;          ///< From one support point to the other.
};

Between between_along(const Mat3& first, const Mat3& second, const Vec3& apart, const Vec3& n) {
    const Vec3 own = first * n, other = second * n;
    const double reach = std::sqrt(n.dot(own)), other_reach = std::sqrt(n.dot(other));
    const double size = reach + other_reach;
    return {n.dot(apart) - size, size, apart - own / reach - other / other_reach};
}

}  // namespace

EllipsoidGap ellipsoid_gap(const Mat3& first, const Mat3& second, const Vec3& apart) {
    EllipsoidGap best;
    const double distance = apart.norm();
    if (distance > 0) best.normal = apart / distance;
    Between now = between_along(first, second, apart, best.normal);
    // The gap along n is greatest where what parts the two support points points along n.
    double step = 1.0;
    for (int i = 0; i < kDirections; ++i) {
        const Vec3& n = best.normal;
        const Vec3 tilt = (step / now.size) * (now.way - n.dot(now.way) * n);
        if (tilt.squaredNorm() < 1e-8) break;
        const Vec3 tilted = (n + tilt).normalized();
        const Between then = between_along(first, second, apart, tilted);
        if (then.gap > now.gap) {
            best.normal = tilted;
            now = then;
        } else {
            step *= 0.3;
        }
    }
    best.gap = now.gap;
    return best;
}

}  // namespace ductile
