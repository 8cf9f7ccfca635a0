// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/lanes.h>

namespace ductile {
namespace {

using simd::Doubles;

// Directions looked at at most; a step that does not part them better is shortened.
constexpr int kDirections = 12;
// Squared angle of a step after which the next would change nothing that counts.
constexpr double kLastStep = 1e-5;
// Squared angle of a step at most: beyond it the quadratic model is not trusted.
constexpr double kLongestStep = 0.25;

/// Both ellipsoids along n, side by side.
struct Between {
    Pair3 along;            ///< Shapes times n.
    Doubles inverse_reach;  ///< [1/m]
    double gap, size;       ///< [m]; both reaches together.
    Vec3 way;               ///< From one support point to the other.
};

EIGEN_ALWAYS_INLINE Between between_along(const Pair33& shapes, const Vec3& apart, const Vec3& n) {
    Between out;
    const Pair3 direction = twice(n);
    out.along = shapes * direction;
    const Doubles reach = sqrt(direction.dot(out.along));
    out.inverse_reach = Doubles(1.0) / reach;
    const Pair3 support = out.inverse_reach * out.along;
    out.size = both_of(reach);
    out.gap = n.dot(apart) - out.size;
    out.way = apart - both_of(support);
    return out;
}

/// From n on, square to it: Newton's step to where the gap is greatest, or one along its slope
/// where the gap has no such place near by.
///
/// With n tilted by w the gap is that of now plus w.way - 1/2 w.(K w), K being gap plus, summed
/// over both, S / reach - (S n)(S n)^T / reach^3, seen along two directions square to n.
EIGEN_ALWAYS_INLINE Vec3 tilt_of(const Pair33& shapes, const Between& now, const Vec3& n) {
    const Vec3 side = any_perpendicular(n), up = n.cross(side);
    const Pair3 s = twice(side), u = twice(up), shaped_s = shapes * s, shaped_u = shapes * u;
    const Doubles over = now.inverse_reach, s_along = over * s.dot(now.along),
                  u_along = over * u.dot(now.along);
    const double ss = both_of(over * (s.dot(shaped_s) - s_along * s_along)) + now.gap;
    const double uu = both_of(over * (u.dot(shaped_u) - u_along * u_along)) + now.gap;
    const double su = both_of(over * (s.dot(shaped_u) - s_along * u_along));
    const double g_s = side.dot(now.way), g_u = up.dot(now.way), det = ss * uu - su * su;
    if (!(ss > 0 && det > 1e-6 * now.size * now.size)) {
        return (g_s / now.size) * side + (g_u / now.size) * up;
    }
    return ((uu * g_s - su * g_u) / det) * side + ((ss * g_u - su * g_s) / det) * up;
}

}  // namespace

EllipsoidGap ellipsoid_gap(const Mat3& first, const Mat3& second, const Vec3& apart, double far) {
    EllipsoidGap best;
    const Pair33 shapes = pair_of(first, second);
    const double distance = apart.norm();
    if (distance > 0) best.normal = apart / distance;
    Between now = between_along(shapes, apart, best.normal);
    Vec3 tilt = tilt_of(shapes, now, best.normal);
    for (int i = 0; i < kDirections; ++i) {
        const double angle_sq = tilt.squaredNorm();
        if (angle_sq < 1e-10) break;
        if (angle_sq > kLongestStep) tilt *= std::sqrt(kLongestStep / angle_sq);
        const Vec3 tilted = (best.normal + tilt).normalized();
        const Between then = between_along(shapes, apart, tilted);
        if (!(then.gap > now.gap)) {
            tilt *= 0.3;
            continue;
        }
        best.normal = tilted;
        now = then;
        if (angle_sq < kLastStep || now.gap > far * now.size) break;
        tilt = tilt_of(shapes, now, best.normal);
    }
    best.gap = now.gap;
    return best;
}

}  // namespace ductile
