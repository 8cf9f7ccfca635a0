// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/example/example_row.h>

#include <Eigen/Core>

#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// How a wanted move of a place becomes a change of its shares.
enum class ExampleMapping {
    Direction,  ///< Along the gradient, as long as the move says (equation 8).
    Transpose,  ///< The gradient itself, softness not counted (equation 6).
    Inverse,    ///< The nearest change that makes the move (equation 9).
    Gradient,   ///< The gradient itself, times the softness (equation 10).
};
inline std::span<const std::string_view> enum_names(ExampleMapping) {
    static constexpr std::string_view names[] = {"direction", "transpose", "inverse", "gradient"};
    return names;
}

/// A wanted move, and how shares answer it.
struct ExampleWish {
    Vec3 move = Vec3::Zero();  ///< Of the skinned place [m].
    ExampleMapping mapping = ExampleMapping::Direction;
    double softness = 1.0;  ///< Length of the change per length of the move [1/m].
    double size = 1.0;      ///< Of the body [m]: what a gradient is small against.
};

/// How the shares of a place change, one number per pose; what they sum to the rest pose loses.
///
/// The gradient (or the nearest change) is first projected: onto changes that sum to zero with the
/// rest pose's, and that take nothing from poses without a share. Its length is set after that, so
/// that it is what the move says whatever the bounds took. All zero for no move, and for one that
/// is orthogonal to what every pose would do.
/// Requires: a column of `jacobian` per pose (`blend_jacobian`), at most ExampleRow::kMostPoses.
std::vector<double> example_step(const Eigen::Matrix3Xd& jacobian, const ExampleRow& row,
                                 const ExampleWish& wish);

/// The cubic kernel (equation 12): 1 at distance 0, 0 from the radius on.
inline double example_kernel(double distance_share) {
    if (!(distance_share < 1.0)) return 0.0;
    const double x = distance_share > 0.0 ? distance_share : 0.0;
    return (2.0 * x - 3.0) * x * x + 1.0;
}

}  // namespace ductile
