// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cmath>
#include <complex>

namespace ductile {

/// Two unit tangents and the unit normal of a place on a surface: right-handed.
struct TangentFrame {
    Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), normal = Vec3::UnitZ();
};

/// Some frame with this normal; the same normal, the same frame. Requires: unit length.
inline TangentFrame tangent_frame(const Vec3& normal) {
    const Vec3 x = any_perpendicular(normal);
    return {x, normal.cross(x), normal};
}

/// The tangential part of a vector, as a complex number in the frame.
inline std::complex<double> tangent_part(const TangentFrame& frame, const Vec3& v) {
    return {frame.x.dot(v), frame.y.dot(v)};
}

/// The unit number that takes tangential parts in the frame `from` to those in `to`: what the least
/// turn from one normal to the other makes of them. Its inverse is that of the way back. Opposite
/// normals have no least turn: 1.
inline std::complex<double> transport(const TangentFrame& from, const TangentFrame& to) {
    const Vec3 axis = from.normal.cross(to.normal);
    const double cosine = from.normal.dot(to.normal);
    if (!(cosine > -1.0 + 1e-12)) return 1.0;
    const Vec3 across = axis.cross(from.x);
    const Vec3 turned = from.x + across + axis.cross(across) / (1.0 + cosine);
    const std::complex<double> number = tangent_part(to, turned);
    return number / std::sqrt(std::norm(number));
}

}  // namespace ductile
