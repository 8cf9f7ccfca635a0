// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {

/// Light is traced in single precision, as Embree does: geometry relative to the camera's target,
/// colours as linear RGB.
using Vec3f = Eigen::Vector3f;

inline constexpr float kPiF = std::numbers::pi_v<float>;

inline float luminance(const Vec3f& c) {
    return 0.2126f * c.x() + 0.7152f * c.y() + 0.0722f * c.z();
}
inline float mix(float a, float b, float share) { return a + (b - a) * share; }
inline Vec3f mix(const Vec3f& a, const Vec3f& b, float share) { return a + (b - a) * share; }

/// 0 up to `low`, 1 from `high` on, smooth between. Requires: low < high.
inline float smooth_step(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Two unit vectors that form a right-handed frame with a unit normal.
struct TangentFrame {
    Vec3f tangent, bitangent, normal;

    explicit TangentFrame(const Vec3f& n) : normal(n) {
        // Duff et al. 2017, "Building an Orthonormal Basis, Revisited".
        const float sign = n.z() < 0 ? -1.0f : 1.0f;
        const float a = -1.0f / (sign + n.z());
        const float b = n.x() * n.y() * a;
        tangent = {1.0f + sign * n.x() * n.x() * a, sign * b, -sign * n.x()};
        bitangent = {b, sign + n.y() * n.y() * a, -n.y()};
    }
    Vec3f to_world(const Vec3f& v) const {
        return v.x() * tangent + v.y() * bitangent + v.z() * normal;
    }
    Vec3f to_local(const Vec3f& v) const {
        return {v.dot(tangent), v.dot(bitangent), v.dot(normal)};
    }
};

}  // namespace ductile
