// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// A point that a refined mesh has and the mesh before it had not: where it lies between two
/// others.
struct PointParents {
    std::array<std::int32_t, 2> points = {0, 0};
    double share = 0.5;  ///< Of the way from the first to the second, in [0, 1].
};

/// Appends the new points to one shape. A parent may be a point that was added before.
/// Requires: parents that exist by then. O(parents).
void add_points_between(std::span<const PointParents> parents, std::vector<Vec3>& points);

/// Gives a recorded body a finer mesh after the fact: all its shapes get the new points, each
/// between its parents as they are in that shape, so that every shape has as many points as the
/// mesh; so do shapes before a skin bent them. Frames keep their shape numbers. The rest shape,
/// number 0, becomes that of `asset`. A body without shapes stays without.
///
/// Requires: `asset` has the body's points, in their order, and then one per entry of `parents`.
/// O(shapes x points).
void refine_shapes(std::shared_ptr<const SurfaceAsset> asset, std::span<const PointParents> parents,
                   RecordedBody& body);

}  // namespace ductile
