// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <numbers>

namespace ductile {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Mat3 = Eigen::Matrix3d;
using Mat4 = Eigen::Matrix4d;
using Quat = Eigen::Quaterniond;

/// A rotation, then a translation. `pose_w` read as a function takes body coordinates to world
/// ones.
struct Transform {
    Quat rotation = Quat::Identity();  ///< Of unit length.
    Vec3 translation = Vec3::Zero();   ///< [m]

    Vec3 point(const Vec3& p) const { return rotation * p + translation; }
    Vec3 direction(const Vec3& d) const { return rotation * d; }
    Vec3 inverse_point(const Vec3& p) const { return rotation.conjugate() * (p - translation); }
    Vec3 inverse_direction(const Vec3& d) const { return rotation.conjugate() * d; }

    Transform inverse() const {
        const Quat back = rotation.conjugate();
        return {back, -(back * translation)};
    }
    /// First `other`, then this.
    Transform operator*(const Transform& other) const {
        return {rotation * other.rotation, point(other.translation)};
    }
};

inline bool is_finite(const Vec3& v) {
    return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}
inline bool is_finite(const Transform& t) {
    return t.translation.allFinite() && t.rotation.coeffs().allFinite();
}

/// Some unit vector perpendicular to the unit vector `n`; continuous but for one direction
/// (Duff et al. 2017, "Building an Orthonormal Basis, Revisited").
inline Vec3 any_perpendicular(const Vec3& n) {
    const double sign = n.z() < 0 ? -1.0 : 1.0;
    const double a = -1.0 / (sign + n.z());
    return {1.0 + sign * n.x() * n.x() * a, sign * n.x() * n.y() * a, -sign * n.x()};
}

/// The shortest turn that takes the unit vector `from` to the unit vector `to`; between opposite
/// ones some half turn. (Eigen's FromTwoVectors brings a singular value decomposition into every
/// source that calls it: seconds of compile time.)
inline Quat turn_between(const Vec3& from, const Vec3& to) {
    const Vec3 sum = from + to;
    const double length = sum.norm();
    const bool is_opposite = length < 1e-8;
    const Vec3 halfway = is_opposite ? any_perpendicular(from) : Vec3(sum / length);
    Quat turn;
    turn.w() = from.dot(halfway);
    turn.vec() = from.cross(halfway);
    return turn;
}

/// The box [lower, upper]; empty until something is added.
struct Box {
    Vec3 lower = Vec3::Constant(1e300);
    Vec3 upper = Vec3::Constant(-1e300);

    void add(const Vec3& p) {
        lower = lower.cwiseMin(p);
        upper = upper.cwiseMax(p);
    }
    void add(const Box& b) {
        lower = lower.cwiseMin(b.lower);
        upper = upper.cwiseMax(b.upper);
    }
    bool is_empty() const { return (lower.array() > upper.array()).any(); }
    Vec3 centre() const { return 0.5 * (lower + upper); }
    double diagonal() const { return is_empty() ? 0.0 : (upper - lower).norm(); }
    bool overlaps(const Box& b) const {
        return (lower.array() <= b.upper.array()).all() && (b.lower.array() <= upper.array()).all();
    }
    double distance_sq(const Vec3& p) const {
        return (lower - p).cwiseMax(p - upper).cwiseMax(0.0).squaredNorm();
    }
};

/// A box around `box`, moved by `pose`, with `slack` on all sides.
inline Box moved_box(const Box& box, const Transform& pose, double slack) {
    const Mat3 spread = pose.rotation.toRotationMatrix().cwiseAbs();
    const Vec3 centre = pose.point(box.centre());
    const Vec3 half = spread * (0.5 * (box.upper - box.lower)) + Vec3::Constant(slack);
    return {centre - half, centre + half};
}

}  // namespace ductile
