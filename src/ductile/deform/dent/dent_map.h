// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace ductile {

/// A small grid of depths over the plane of an impact: how far each place is pushed in.
///
/// Row by row; sample (i, j) lies at ((i - (columns - 1) / 2) cell, (j - (rows - 1) / 2) cell), so
/// the middle of the grid is the impact. Beyond the grid nothing is pushed.
struct DentMap {
    std::int32_t columns = 0, rows = 0;
    double cell = 0.0;           ///< Distance between samples [m], > 0.
    std::vector<double> depths;  ///< Negative where the surface is raised [m].

    double at(std::int32_t i, std::int32_t j) const {
        return depths[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(i)];
    }
    double x(std::int32_t i) const { return (i - 0.5 * (columns - 1)) * cell; }
    double y(std::int32_t j) const { return (j - 0.5 * (rows - 1)) * cell; }
    double deepest() const;
    /// Between samples, by the four around; 0 outside. Continuous if the border is 0.
    double depth(double px, double py) const;
};

/// Largest grid side; more would be finer than any mesh.
inline constexpr std::int32_t kDentMapSide = 4096;

/// A map of zeros. Requires: 1 <= side <= kDentMapSide, cell > 0.
DentMap empty_map(std::int32_t columns, std::int32_t rows, double cell);

/// Error: sides or cell out of range, as many depths as the grid has not, a depth that is not
/// finite or negative.
Status check_map(const DentMap& map);

/// A map from any function of (x, y) [m]; what is negative or no number counts as 0.
DentMap map_of(std::int32_t columns, std::int32_t rows, double cell,
               const std::function<double(double, double)>& depth);

/// Round profiles that are `depth` deep in the middle and end at `radius`. The grid reaches one
/// cell beyond it. Requires: side >= 5, radius > 0, depth >= 0.
DentMap gaussian_map(std::int32_t side, double radius, double depth);
DentMap cosine_map(std::int32_t side, double radius, double depth);
/// What a ball of radius `ball` leaves, `depth` deep. Requires: 0 <= depth <= ball.
DentMap cap_map(std::int32_t side, double ball, double depth);
/// From (distance, depth) pairs by ascending distance, straight lines between them, nothing beyond
/// the last. Error: fewer than two, distances that do not rise, a number that is not finite.
Result<DentMap> table_map(std::int32_t side, std::span<const std::pair<double, double>> table);

/// Replaces every depth by the upper envelope of Gaussians, one over each sample:
///
///     z(x) = max_i z_i exp(-sharpness |x - x_i|^2)
///
/// (Patkar et al. 2014, section 3.2.) With equal widths logarithms turn the Gaussians into
/// parabolas, whose envelope is separable and found in two passes (Felzenszwalb and Huttenlocher
/// 2012): exact, O(samples). Depths only grow; zeros stay out of it. Requires: sharpness > 0
/// [1/m^2].
void broaden(DentMap& map, double sharpness);

/// The width of the broadening Gaussians: at `reach` [m] they have fallen to 1 % of their height.
double sharpness_for(double reach);

/// Rounds off the ridges and creases that broadening leaves: `rounds` of explicit heat flow, depths
/// scaled so that the deepest is what it was, then as many rounds that only deepen; never below
/// `floor` (the profile before broadening), never deeper than before. The border stays 0 where
/// it is 0. O(samples x rounds). Requires: `floor` empty or of the map's size.
void smooth(DentMap& map, std::int32_t rounds, std::span<const double> floor = {});

}  // namespace ductile
