// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

struct DentMap;

/// A dent map as a record keeps it: every sample a share of the deepest, negative where the surface
/// is raised, 65,535 steps from the highest to the deepest. A shape without a size, shared by all
/// records that use it, and never changed.
class DentGrid {
public:
    static constexpr std::uint16_t kFull = 65535;

    DentGrid() = default;
    /// `zero` is the level of what does not move. Requires: sides in [1, kDentMapSide]
    /// (dent_map.h), a level per sample, zero < kFull.
    DentGrid(std::int32_t columns, std::int32_t rows, std::vector<std::uint16_t> levels,
             std::uint16_t zero = 0);

    std::int32_t columns() const { return columns_; }
    std::int32_t rows() const { return rows_; }
    std::span<const std::uint16_t> levels() const {
        return levels_ ? std::span<const std::uint16_t>(*levels_)
                       : std::span<const std::uint16_t>();
    }
    std::uint16_t zero() const { return zero_; }
    /// Share of the deepest of a sample, by its place in `levels`.
    double share_of(std::size_t sample) const {
        return ((*levels_)[sample] - double(zero_)) / (kFull - zero_);
    }
    bool is_empty() const { return columns_ == 0; }

    /// The grid's cell if it is laid out so that nothing moves from `radius` on, counted along its
    /// longer side: the samples, and one cell around them over which they fall to 0.
    double cell(double radius) const { return 2.0 * radius / (std::max(columns_, rows_) + 1); }

    /// Share of the deepest at a place counted in cells from the middle, at most 1; straight lines
    /// between samples, 0 outside.
    double share(double x, double y) const {
        const double u = x + 0.5 * (columns_ - 1), v = y + 0.5 * (rows_ - 1);
        // Written so that NaN is outside.
        if (!(u > -1.0 && v > -1.0 && u < columns_ && v < rows_)) return 0.0;
        const double fu = std::floor(u), fv = std::floor(v);
        const auto i = static_cast<std::int32_t>(fu), j = static_cast<std::int32_t>(fv);
        const double a = u - fu, b = v - fv;
        return ((1 - b) * ((1 - a) * level(i, j) + a * level(i + 1, j)) +
                b * ((1 - a) * level(i, j + 1) + a * level(i + 1, j + 1))) /
               (kFull - zero_);
    }

    bool operator==(const DentGrid& other) const;

private:
    double level(std::int32_t i, std::int32_t j) const {
        if (i < 0 || j < 0 || i >= columns_ || j >= rows_) return 0.0;
        return (*levels_)[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) +
                          static_cast<std::size_t>(i)] -
               double(zero_);
    }

    std::int32_t columns_ = 0, rows_ = 0;
    std::uint16_t zero_ = 0;
    std::shared_ptr<const std::vector<std::uint16_t>> levels_;
};

/// The shape of a map, its levels rounded up: what a projectile pressed in stays pressed in. Frames
/// of zeros around it are left out.
/// Requires: a map that passes check_map, with a depth above 0.
DentGrid grid_of(const DentMap& map);

/// The radius at which a grid has cells of this size: the inverse of DentGrid::cell.
double grid_radius(const DentGrid& grid, double cell);

/// "61x57:", or "61x57@9000:" with a level of what does not move above 0, and the samples, row by
/// row, each as its difference from what its neighbours before it foretell (left + above - above
/// left), about two characters each.
std::string to_text(const DentGrid& grid);
/// Error: not such a text; names the character.
Status from_text(std::string_view text, DentGrid& grid);

}  // namespace ductile
