// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/tri_mesh.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// The triangles of a surface by the cells of a grid: nearest places for many points that lie on
/// it or next to it, at a few times the speed of a `SurfaceQuery` and a tenth of its building.
///
/// Answers equal a `SurfaceQuery`'s bit for bit; where many cells or crowded ones would have to be
/// gone through there is no answer, and one asks the tree. Keeps views of points and triangles.
/// Const calls may run on several threads at once. Building is O(n), a question about O(1).
class TriangleGrid {
public:
    /// Requires: finite points, valid indices, both outliving the grid.
    TriangleGrid(std::span<const Vec3> points, std::span<const Triangle> triangles);

    /// The nearest place of the surface, or nothing where p is too far off to tell. `guess`: a
    /// triangle that may be near, or -1; a good one saves time and changes nothing else.
    std::optional<SurfacePoint> closest_point(const Vec3& p, std::int32_t guess = -1) const;

    /// Calls visit(triangle) at least once for each triangle whose box overlaps `box`, and for some
    /// more, in no order; false, and no call, where that would be many.
    template <class Visit>
    bool visit_near(const Box& box, Visit&& visit) const {
        const Cell low = cell_of(box.lower), high = cell_of(box.upper);
        if (!is_few(low, high)) return false;
        for_each_cell(low, high, [&](std::size_t cell) {
            for (std::int32_t i = start_[cell]; i < start_[cell + 1]; ++i) visit(entries_[i]);
        });
        return true;
    }

private:
    using Cell = std::array<std::int32_t, 3>;
    struct CellRange {
        Cell low, high;  ///< Both within.
    };

    Cell cell_of(const Vec3& p) const;
    std::size_t index_of(const Cell& c) const {
        return (static_cast<std::size_t>(c[2]) * size_[1] + c[1]) * size_[0] + c[0];
    }
    bool is_few(const Cell& low, const Cell& high) const;
    void lay_out(const Box& box, double width);
    static std::size_t entry_count(std::span<const CellRange> ranges);

    template <class Visit>
    void for_each_cell(const Cell& low, const Cell& high, Visit&& visit) const {
        for (std::int32_t z = low[2]; z <= high[2]; ++z) {
            for (std::int32_t y = low[1]; y <= high[1]; ++y) {
                for (std::int32_t x = low[0]; x <= high[0]; ++x) visit(index_of({x, y, z}));
            }
        }
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> triangles_;
    Vec3 origin_ = Vec3::Zero();
    double per_metre_ = 1.0;
    double slack_ = 0.0;        ///< What rounding can do to a distance on the surface [m].
    double plane_slack_ = 0.0;  ///< The same within the plane of a triangle [m].
    Cell size_{1, 1, 1};
    std::vector<Box> boxes_;             ///< Per triangle.
    std::vector<std::int32_t> start_;    ///< Per cell: its first entry; one more at the end.
    std::vector<std::int32_t> entries_;  ///< Triangles whose boxes overlap a cell, cell by cell.
};

}  // namespace ductile
