// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
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
struct VectorMap;

/// Where the samples of a dent go across the way in, too: x of all samples, then y. Level kNone
/// stays, kNone +- kNone are as far as `furthest`.
struct SidewaysLevels {
    static constexpr std::uint16_t kNone = 32767;

    double furthest = 1.0;  ///< Along x or y [shares of the deepest], in (0, kMostSideways].
    std::vector<std::uint16_t> levels{};

    bool operator==(const SidewaysLevels&) const = default;
};
/// What goes further aside than so many times the depth is no dent.
inline constexpr double kMostSideways = 100.0;

/// A dent map as a record keeps it: every sample a share of the deepest, negative where the surface
/// is raised, 65,535 steps from the highest to the deepest. A vector map's samples also go
/// sideways. A shape without a size, shared by all records that use it, and never changed.
class DentGrid {
public:
    static constexpr std::uint16_t kFull = 65535;

    DentGrid() = default;
    /// `zero` is the level of what does not move. Requires: sides in [1, kDentMapSide]
    /// (dent_map.h), a level per sample, zero < kFull.
    DentGrid(std::int32_t columns, std::int32_t rows, std::vector<std::uint16_t> levels,
             std::uint16_t zero = 0);

    /// The same with samples that go sideways, too. Requires: two levels per sample, `furthest` in
    /// its range.
    DentGrid with_sideways(SidewaysLevels sideways) const;

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
    /// Null: everything goes straight in.
    const SidewaysLevels* sideways() const { return sideways_.get(); }

    /// The grid's cell if it is laid out so that nothing moves from `radius` on, counted along its
    /// longer side: the samples, and one cell around them over which they fall to 0.
    double cell(double radius) const { return 2.0 * radius / (std::max(columns_, rows_) + 1); }

    /// Share of the deepest at a place counted in cells from the middle, at most 1; straight lines
    /// between samples, 0 outside.
    double share(double x, double y) const {
        return between(x, y,
                       [this](std::size_t sample) { return (*levels_)[sample] - double(zero_); }) /
               (kFull - zero_);
    }

    /// How far a place goes along x and y, in the same way; 0 without sideways levels.
    Vec2 aside(double x, double y) const;

    bool operator==(const DentGrid& other) const;

private:
    template <class Level>
    double between(double x, double y, const Level& level_of) const {
        const double u = x + 0.5 * (columns_ - 1), v = y + 0.5 * (rows_ - 1);
        // Written so that NaN is outside.
        if (!(u > -1.0 && v > -1.0 && u < columns_ && v < rows_)) return 0.0;
        const double fu = std::floor(u), fv = std::floor(v);
        const auto i = static_cast<std::int32_t>(fu), j = static_cast<std::int32_t>(fv);
        const double a = u - fu, b = v - fv;
        const auto level = [&](std::int32_t k, std::int32_t l) -> double {
            if (k < 0 || l < 0 || k >= columns_ || l >= rows_) return 0.0;
            return level_of(static_cast<std::size_t>(l) * static_cast<std::size_t>(columns_) +
                            static_cast<std::size_t>(k));
        };
        return (1 - b) * ((1 - a) * level(i, j) + a * level(i + 1, j)) +
               b * ((1 - a) * level(i, j + 1) + a * level(i + 1, j + 1));
    }

    std::int32_t columns_ = 0, rows_ = 0;
    std::uint16_t zero_ = 0;
    std::shared_ptr<const std::vector<std::uint16_t>> levels_;
    std::shared_ptr<const SidewaysLevels> sideways_;
};

/// The shape of a map, its levels rounded up: what a projectile pressed in stays pressed in. Frames
/// of zeros around it are left out.
/// Requires: a map that passes check_map, with a depth above 0.
DentGrid grid_of(const DentMap& map);
/// The same of a vector map, its sideways parts rounded to the nearest level.
/// Requires: a map that passes check_vectors (vector_map.h).
DentGrid grid_of(const VectorMap& map);

/// The radius at which a grid has cells of this size: the inverse of DentGrid::cell.
double grid_radius(const DentGrid& grid, double cell);

/// "61x57:", or "61x57@9000:" with a level of what does not move above 0, and the samples, row by
/// row, each as its difference from what its neighbours before it foretell (left + above - above
/// left), about two characters each. With "~0.25" before the colon, how far the furthest goes
/// sideways, all x and all y levels follow in the same way.
std::string to_text(const DentGrid& grid);
/// Error: not such a text; names the character.
Status from_text(std::string_view text, DentGrid& grid);

}  // namespace ductile
