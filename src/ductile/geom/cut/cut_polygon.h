// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Cuts polygons in space into triangles that keep their winding. One cutter serves all polygons
/// of a file and reuses its memory.
///
/// A quad is cut along its shorter diagonal where both serve. A larger polygon is projected along
/// its area vector and loses ears, the best formed first among few corners, in order among many;
/// non-convex ones and ones with bridges to holes come out whole. The work over all polygons is
/// bounded: about two seconds are spent on looking for ears, then convexity is assumed
/// (`hasty_count`).
class PolygonCutter {
public:
    /// The triangles, as places in `corners`: always two fewer than corners. O(n) where convex, up
    /// to O(n^2) within the bound. Requires: three corners or more, finite.
    std::span<const Triangle> cut(std::span<const Vec3> corners);

    /// Polygons whose form was not looked at, because the work was used up.
    std::size_t hasty_count() const { return hasty_count_; }

private:
    void cut_quad(std::span<const Vec3> corners);
    void cut_ears(std::span<const Vec3> corners);
    void project(std::span<const Vec3> corners);
    double turn(std::int32_t corner) const;
    bool is_ear(std::int32_t corner);
    double ear_quality(std::int32_t corner) const;
    std::int32_t next_ear(std::int32_t from, std::size_t left);
    void clip(std::int32_t corner);
    void cut_rings(std::int32_t first, std::size_t left);

    std::vector<Triangle> triangles_;
    std::vector<Vec2> flat_;          ///< Seen so that the polygon is counter-clockwise.
    std::vector<std::int32_t> next_;  ///< Of the corners that are left, by corner.
    std::vector<std::int32_t> before_;
    std::vector<std::int32_t> inward_;  ///< Corners that were not convex at first.
    std::vector<std::uint8_t> is_gone_;
    std::size_t tests_left_ = 400'000'000;  ///< About two seconds of corner-in-ear tests.
    std::size_t hasty_count_ = 0;
};

}  // namespace ductile
