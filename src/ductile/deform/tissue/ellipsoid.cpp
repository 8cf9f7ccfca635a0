// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/ellipsoid.h>

namespace ductile {
namespace {

// Directions looked at; a step that does not part them better is halved.
constexpr int kDirections = 10;

double gap_along(const Mat3& first, const Mat3& second, const Vec3& apart, const Vec3& n) {
    return n.dot(apart) - ellipsoid_reach(first, n) - ellipsoid_reach(second, n);
}

}  // namespace

EllipsoidGap ellipsoid_gap(const Mat3& first, const Mat3& second, const Vec3& apart) {
    EllipsoidGap best;
    const double distance = apart.norm();
    if (distance > 0) best.normal = apart / distance;
    best.gap = gap_along(first, second, apart, best.normal);
    // The gap along n is greatest where what parts the two support points points along n.
    double step = 1.0;
    for (int i = 0; i < kDirections; ++i) {
        const Vec3& n = best.normal;
        const Vec3 between = apart - ellipsoid_support(first, n) - ellipsoid_support(second, n);
        const double size = ellipsoid_reach(first, n) + ellipsoid_reach(second, n);
        const Vec3 tilt = (step / size) * (between - n.dot(between) * n);
        if (tilt.squaredNorm() < 1e-8) break;
        const Vec3 tilted = (n + tilt).normalized();
        const double gap = gap_along(first, second, apart, tilted);
        if (gap > best.gap) {
            best = {tilted, gap};
        } else {
            step *= 0.3;
        }
    }
    return best;
}

}  // namespace ductile
