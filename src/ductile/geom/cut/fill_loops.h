// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/cut/cut_polygon.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Fills flat outlines with triangles, outer ones and those of holes, which run the other way.
/// One serves many and reuses its memory. Edges within are those of Delaunay: no triangle is
/// thinner than it must be, even where corners lie on a straight line.
///
/// Every given edge is a side of just one triangle, run the same way; all other sides are met by
/// their opposites: whatever the outlines look like, what was closed but for them is closed by it.
class LoopFiller {
public:
    using Edge = std::array<std::int32_t, 2>;

    /// The edges of each outer outline with its holes, in the order of their lowest points.
    std::vector<std::vector<Edge>> outlines(std::span<const Vec3> points, std::vector<Edge> edges,
                                            const Vec3& normal);

    /// Appends the triangles, by the indices of `points`. `normal`: outlines that run
    /// counter-clockwise seen from its tip are outer ones. `edges` in any order; at each point as
    /// many begin as end.
    void fill(std::span<const Vec3> points, std::vector<Edge> edges, const Vec3& normal,
              std::vector<Triangle>& triangles);

    /// The same of a single outline, its corners in order; three or more.
    void fill_ring(std::span<const Vec3> points, std::span<const std::int32_t> corners,
                   const Vec3& normal, std::vector<Triangle>& triangles);

private:
    struct Loop {
        std::vector<std::int32_t> corners;
        double area = 0.0;  ///< Twice, signed.
    };
    void chain(std::vector<Edge> edges);
    std::size_t next_edge(std::span<const Edge> edges, std::int32_t from, std::int32_t at) const;
    Vec2 flat(std::int32_t point) const;
    double signed_area(std::span<const std::int32_t> corners) const;
    bool holds(const Loop& loop, const Vec2& place) const;
    void look_along(std::span<const Vec3> points, const Vec3& normal);
    void cut_ring(std::span<const std::int32_t> corners, std::vector<Triangle>& triangles);
    void find_owners();
    void join_holes();
    void find_neighbours(std::span<const Triangle> triangles);
    void flip_edges(std::span<Triangle> triangles);
    bool flip(std::span<Triangle> triangles, std::int32_t triangle, int side);
    void bridge(std::vector<std::int32_t>& outer, std::span<const std::int32_t> hole) const;
    std::size_t visible_corner(std::span<const std::int32_t> outer, const Vec2& from) const;

    std::span<const Vec3> points_;
    Vec3 u_ = Vec3::UnitX(), v_ = Vec3::UnitY();
    std::vector<Loop> loops_;
    std::vector<std::pair<double, std::size_t>> holes_;  ///< The rightmost first.
    std::vector<std::size_t> owner_;  ///< Per loop: the outer one that it is a hole of, or itself.
    std::vector<std::uint8_t> is_used_;
    std::vector<std::int32_t> on_path_;  ///< Per point: where it is on the path of `chain`; -1.
    PolygonCutter cutter_;
    std::vector<Vec3> corners_;
    std::vector<Triangle> across_;  ///< Per side of a triangle: the side across, 3 f + k; -1: none.
    std::vector<std::array<std::int32_t, 3>> sides_;  ///< Lower and higher end, side.
    std::vector<std::int32_t> to_check_;
};

}  // namespace ductile
