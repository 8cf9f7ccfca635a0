// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/expression.h>
#include <ductile/core/math.h>
#include <ductile/deform/press/press_setup.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace ductile {

/// What `PressOptions::relief` may name, in this order.
inline constexpr std::array<std::string_view, 4> kReliefVariables = {"u", "x", "y", "z"};
/// Relief is at most so many times the depth, either way.
inline constexpr double kMostRelief = 10.0;

/// The shape that an artist lays over a bulge, by a formula and by a drawn curve.
class PressRelief {
public:
    /// Requires: options that `check` lets pass.
    explicit PressRelief(const PressOptions& options);

    bool is_empty() const { return !formula_ && curve_.empty(); }

    /// As a share of the depth, at a radial parameter in [0, 1] and a place at rest [m]. Nothing,
    /// and flat, at both ends; where the formula has no value, nothing.
    double at(double u, const Vec3& rest) const;

private:
    double drawn(double u) const;

    std::optional<Expression> formula_;
    std::vector<double> curve_;
};

}  // namespace ductile
