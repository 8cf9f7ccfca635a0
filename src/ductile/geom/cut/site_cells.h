// SPDX-License-Identifier: MIT
// Private to cut_cells.
#pragma once

#include <ductile/core/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// The places nearest to each of some sites (Voronoi), within a box: which cells lie beside each
/// other, the lines where three meet, and the corners where four do. Where five or more meet in
/// a point, to rounding, nothing is said: then it is not sound.
class SiteCells {
public:
    /// Where three cells meet.
    struct Line {
        std::array<std::int32_t, 3> sites{};  ///< Ascending.
        /// The corners it runs between, along (s1 - s0) x (s2 - s0); -1: the box.
        std::array<std::int32_t, 2> ends{};
    };
    struct Corner {
        std::array<std::int32_t, 4> sites{};  ///< Ascending.
        Vec3 place = Vec3::Zero();
    };

    /// Requires: the box about the origin, where rounding is least.
    SiteCells(std::span<const Vec3> sites, const Box& box);

    bool is_sound() const { return is_sound_; }
    std::span<const Vec3> sites() const { return sites_; }
    std::int32_t count() const { return static_cast<std::int32_t>(sites_.size()); }
    /// Cells beside a cell, ascending; none where it has nothing of the box.
    std::span<const std::int32_t> neighbours(std::int32_t cell) const {
        return std::span(neighbours_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
    }
    /// The place of one in the list of all neighbours of all cells; -1: they are none.
    std::int32_t slot(std::int32_t cell, std::int32_t neighbour) const;
    std::int32_t slot_count() const { return static_cast<std::int32_t>(neighbours_.size()); }
    std::span<const Line> lines() const { return lines_; }  ///< Ascending by their sites.
    /// Its place in `lines`; -1: there is none.
    std::int32_t find_line(const std::array<std::int32_t, 3>& sites) const;
    std::span<const Corner> corners() const { return corners_; }

    /// Square of the distance to a site, less what all sites have in common.
    double height(std::int32_t site, const Vec3& place) const {
        return offsets_[site] - 2.0 * sites_[site].dot(place);
    }
    /// Whether a place belongs to one cell rather than to another, by their heights.
    static bool is_before(double height, std::int32_t site, double other_height,
                          std::int32_t other) {
        return height < other_height || (height == other_height && site < other);
    }
    /// The cell that a place in the box lies in. `hint`: a cell near it.
    std::int32_t cell_of(const Vec3& place, std::int32_t hint) const;

private:
    struct Found;
    bool add_cell(std::int32_t cell, const Box& box, std::vector<Found>& found);
    bool join_lines(std::vector<Found>& found);

    std::vector<Vec3> sites_;
    std::vector<double> offsets_;
    std::vector<std::uint8_t> is_copy_;
    std::vector<std::int32_t> first_ = {0}, neighbours_;
    std::vector<Line> lines_;
    std::vector<Corner> corners_;
    bool is_sound_ = true;
};

}  // namespace ductile
