// SPDX-License-Identifier: MIT
// Kernels on one or two triangles. Inline: they are the innermost loops of every query.
#pragma once

#include <ductile/core/math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ductile {

/// The corners of a triangle, counter-clockwise seen from outside [m].
using Corners = std::array<Vec3, 3>;

/// A place on a triangle and how far the asked point is from it.
struct TrianglePoint {
    Vec3 barycentric = Vec3::UnitX();                              ///< >= 0, sum 1 to rounding.
    Vec3 position = Vec3::Zero();                                  ///< [m]
    double distance_sq = std::numeric_limits<double>::infinity();  ///< [m^2]
};

/// The place at given weights; exactly the corner where a weight is 1.
inline TrianglePoint at_weights(const Vec3& p, const Corners& t, const Vec3& weights) {
    const Vec3 q = weights[0] * t[0] + weights[1] * t[1] + weights[2] * t[2];
    return {weights, q, (p - q).squaredNorm()};
}

/// The place of edge k (corner k to k + 1) nearest to p. An edge without length is its first
/// corner.
inline TrianglePoint closest_on_edge(const Vec3& p, const Corners& t, int k) {
    const int next = (k + 1) % 3;
    const Vec3 along = t[next] - t[k];
    const double length_sq = along.squaredNorm();
    const double s = length_sq > 0 ? std::clamp((p - t[k]).dot(along) / length_sq, 0.0, 1.0) : 0.0;
    Vec3 weights = Vec3::Zero();
    weights[k] = 1.0 - s;
    weights[next] = s;
    return at_weights(p, t, weights);
}

/// The place of the triangle nearest to p; for a triangle without area, of its edges.
/// Exact to rounding, needles included. Requires: finite numbers.
inline TrianglePoint closest_on_triangle(const Vec3& p, const Corners& t) {
    // Below this squared sine at a corner the projection's weights are less exact than the edges.
    constexpr double kNeedle = 1e-12;
    const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
    const Vec3 n = ab.cross(ac);
    const double n_sq = n.squaredNorm();
    TrianglePoint best;
    if (n_sq > 0) {
        const double v = n.dot(ap.cross(ac)) / n_sq;
        const double w = n.dot(ab.cross(ap)) / n_sq;
        const double u = 1.0 - v - w;
        if (u >= 0 && v >= 0 && w >= 0) {
            best = at_weights(p, t, {u, v, w});
            if (n_sq > kNeedle * ab.squaredNorm() * ac.squaredNorm()) return best;
        }
    }
    for (int k = 0; k < 3; ++k) {
        const TrianglePoint edge = closest_on_edge(p, t, k);
        if (edge.distance_sq < best.distance_sq) best = edge;
    }
    return best;
}

/// A ray made ready for many triangles: axes renamed so that it runs mostly along z, and the
/// shear that lays it onto z (Woop, Benthin and Wald 2013, "Watertight Ray/Triangle Intersection").
class Ray {
public:
    /// Requires: finite numbers, `direction` of unit length.
    Ray(const Vec3& origin, const Vec3& direction) : origin_(origin) {
        direction.cwiseAbs().maxCoeff(&z_);
        x_ = (z_ + 1) % 3;
        y_ = (z_ + 2) % 3;
        shear_ = Vec3(direction[x_], direction[y_], 1.0) / direction[z_];
    }

    /// Distance along the ray and weights of the corners.
    struct Hit {
        double distance = -1.0;  ///< < 0 for a miss [m].
        Vec3 barycentric = Vec3::Zero();
    };

    /// Where the ray meets a triangle, from either side; its border belongs to it, so that a ray
    /// never slips through between neighbours. A triangle seen edge-on, or without area, is missed.
    Hit meet(const Corners& t) const {
        const Vec3 a = sheared(t[0]), b = sheared(t[1]), c = sheared(t[2]);
        const double u = c.x() * b.y() - c.y() * b.x();
        const double v = a.x() * c.y() - a.y() * c.x();
        const double w = b.x() * a.y() - b.y() * a.x();
        if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return {};
        const double det = u + v + w;
        if (det == 0) return {};
        const Vec3 weights(u / det, v / det, w / det);
        return {weights[0] * a.z() + weights[1] * b.z() + weights[2] * c.z(), weights};
    }

private:
    Vec3 sheared(const Vec3& p) const {
        const Vec3 d = p - origin_;
        return {d[x_] - shear_[0] * d[z_], d[y_] - shear_[1] * d[z_], shear_[2] * d[z_]};
    }

    Vec3 origin_;
    Vec3 shear_;
    int x_ = 0, y_ = 1, z_ = 2;
};

/// Solid angle of a triangle seen from p [sr], in [-2 pi, 2 pi]; positive if p lies behind it. 0
/// from its corners and edge-on (Van Oosterom and Strackee 1983).
inline double solid_angle(const Vec3& p, const Corners& t) {
    const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return 2.0 * std::atan2(a.dot(b.cross(c)), below);
}

/// Whether two triangles have a point in common, or a gap of at most `tolerance` [m] along every
/// axis tried. Touching and overlap within one plane count. By separating axes: both normals, all
/// cross products of edges, and within each plane across the edges, which settles coplanar pairs.
/// A needle may be taken to meet what it misses by less than its length, never the reverse.
/// Two triangles without area never meet; one of them is its longest edge to the other.
inline bool triangles_meet(const Corners& s, const Corners& t, double tolerance) {
    // Squared sine at a corner below which a triangle has no plane of its own.
    constexpr double kNoArea = 1e-24;
    const Vec3 es[] = {s[1] - s[0], s[2] - s[1], s[0] - s[2]};
    const Vec3 et[] = {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
    const Vec3 ns = es[0].cross(-es[2]), nt = et[0].cross(-et[2]);
    const auto is_line = [](const Vec3& n, const Vec3& u, const Vec3& v) {
        return !(n.squaredNorm() > kNoArea * u.squaredNorm() * v.squaredNorm());
    };
    if (is_line(ns, es[0], es[2]) && is_line(nt, et[0], et[2])) return false;

    // Any axis that shows a gap proves it, even one made of rounding noise; so none needs a check.
    const auto separates = [&](const Vec3& axis) {
        double s_low = 0, s_high = 0, t_low = 1e300, t_high = -1e300;
        for (int k = 0; k < 3; ++k) {
            const double x = axis.dot(s[k] - s[0]), y = axis.dot(t[k] - s[0]);
            s_low = std::min(s_low, x);
            s_high = std::max(s_high, x);
            t_low = std::min(t_low, y);
            t_high = std::max(t_high, y);
        }
        const double gap = std::max(t_low - s_high, s_low - t_high);
        return gap > 0 && gap > tolerance * axis.norm();
    };
    if (separates(ns) || separates(nt)) return false;
    for (const Vec3& u : es) {
        for (const Vec3& v : et) {
            if (separates(u.cross(v))) return false;
        }
    }
    for (int k = 0; k < 3; ++k) {
        if (separates(ns.cross(es[k])) || separates(nt.cross(et[k]))) return false;
        if (separates(nt.cross(es[k])) || separates(ns.cross(et[k]))) return false;
    }
    return true;
}

}  // namespace ductile
