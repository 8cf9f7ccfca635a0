// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <span>

namespace ductile {

/// Where a skin takes the surroundings of a point: x = linear * p + move.
struct SkinFrame {
    Mat3 linear = Mat3::Identity();
    Vec3 move = Vec3::Zero();  ///< [m]

    Vec3 point(const Vec3& p) const { return linear * p + move; }
    /// First `first`, then this.
    SkinFrame operator*(const SkinFrame& first) const {
        return {linear * first.linear, linear * first.move + move};
    }
    bool operator==(const SkinFrame& o) const { return linear == o.linear && move == o.move; }
};

inline bool is_finite(const SkinFrame& f) { return f.linear.allFinite() && f.move.allFinite(); }

/// The rotation nearest to a matrix (polar decomposition); the identity for one that is not finite.
Mat3 nearest_rotation(const Mat3& matrix);

/// How some points are turned by their frames on the whole; the identity where there are no frames.
Mat3 mean_turn(std::span<const SkinFrame> frames, std::span<const std::int32_t> points);

}  // namespace ductile
