// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/expression.h>
#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/deform/dent/vector_map.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// Longest side of a map that is made of a picture, unless told otherwise: 40,000 samples.
inline constexpr std::int32_t kHeightMapSide = 200;

/// A dent of the form of a picture, whose bright places are pressed in: `width` [m] wide, `depth`
/// [m] deep where it is brightest, the picture's middle under the impact.
///
/// `heights` are row by row from the top, which becomes +y; left becomes -x. A pixel is a sample; a
/// picture with a side over `side` is averaged over larger squares until the longer one has `side`
/// of them (what sticks out of the picture counts as 0, so the volume stays). A frame of zeros goes
/// around it, so the dent ends within one cell instead of at a step. O(pixels).
/// Error: sides out of range (1 to kDentMapSide), another number of heights, a height that is
/// negative or not finite (`where` names the pixel), no height above 0.
/// Requires: width > 0, depth >= 0, both finite; 1 <= side <= kDentMapSide - 2.
Result<DentMap> heights_map(std::int32_t columns, std::int32_t rows,
                            std::span<const double> heights, double width, double depth,
                            std::int32_t side = kHeightMapSide);

/// A picture of vectors in the same way, their x, y and z one map each; values of any sign stay as
/// they are. Error: sides out of range, another number of vectors, a number that is not finite
/// (`where` names the pixel).
Result<std::vector<DentMap>> picture_parts(std::int32_t columns, std::int32_t rows,
                                           std::span<const Vec3> vectors, double width,
                                           std::int32_t side = kHeightMapSide);

/// What a dent's formula may name, in this order: the place in units of the radius, and how far it
/// is from the middle.
inline constexpr std::string_view kDentVariables[] = {"x", "y", "r"};

/// A dent of the form of a formula: `depth` [m] times its value, up to `radius` [m] from the middle
/// and 0 from there on. What is negative or not finite counts as 0. The grid reaches one cell
/// beyond the radius. O(side^2).
/// Error: a formula that is nowhere above 0.
/// Requires: a formula of kDentVariables; 5 <= side <= kDentMapSide, radius > 0, depth > 0.
Result<DentMap> formula_map(const Expression& formula, std::int32_t side, double radius,
                            double depth);

/// The formulas of a vector map, in units of the radius; null: 0. Of kDentVariables.
struct VectorFormulas {
    const Expression* x = nullptr;
    const Expression* y = nullptr;
    const Expression* in = nullptr;
};

/// A vector map from formulas, up to `radius` [m] from the middle and 0 from there on; what is not
/// finite counts as 0. Unlike a height, what goes in may be negative: raised.
/// Error: what check_vectors refuses. Requires: `in`; 5 <= side <= kDentMapSide, radius > 0.
Result<VectorMap> vector_formulas(const VectorFormulas& formulas, std::int32_t side, double radius);

}  // namespace ductile
