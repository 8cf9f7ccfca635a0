// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/cut/cut_polygon.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Cuts the faces of a file, which name points by index, into triangles; one after the other, and
/// keeps count of those that are none.
class FaceCutter {
public:
    /// A kind of face: how many there were, and which was first, counted over calls of `cut`.
    struct Count {
        std::size_t faces = 0;
        std::size_t first = 0;
    };

    /// The triangles of a face, as places in `corners`, until the next call. Corners that repeat
    /// their neighbour count once. None for a face without three different corners, or that runs
    /// around more than once; a cut never names a point twice.
    /// Requires: every corner in range of `points`.
    std::span<const Triangle> cut(std::span<const Vec3> points,
                                  std::span<const std::int32_t> corners);

    const Count& dropped() const { return dropped_; }  ///< Faces of which nothing came.
    const Count& hasty() const { return hasty_; }      ///< PolygonCutter::hasty_count.

private:
    bool take_corners(std::span<const std::int32_t> corners);
    void cut_larger(std::span<const Vec3> points, std::span<const std::int32_t> corners);
    void count(Count& kind) const;

    PolygonCutter cutter_;
    std::size_t calls_ = 0;
    Count dropped_, hasty_;
    std::vector<std::int32_t> kept_;  ///< Places in `corners`.
    std::vector<std::int32_t> distinct_;
    std::vector<Vec3> outline_;
    std::vector<Triangle> triangles_;
};

}  // namespace ductile
