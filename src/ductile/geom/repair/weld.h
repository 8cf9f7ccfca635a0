// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Which points of a mesh lie at one place.
struct Weld {
    std::vector<Vec3> points;         ///< One per place: where its first point lies, bit for bit.
    std::vector<std::int32_t> place;  ///< Per point given: index into `points`.
};

/// Merges points no further than `tolerance` [m] from the first one of their place.
///
/// Places come in the order of their first points. A point joins the nearest place within reach (of
/// equally near ones the first), or founds one of its own; so places lie further than the tolerance
/// apart and no chain of close points drags a thin wall together. With `groups` (one per point)
/// only points of one group meet. A tolerance of 0 merges equal coordinates (0 and -0 are equal).
/// Requires: finite points, tolerance >= 0. O(n): no place has more than about 180 neighbours.
Weld weld_points(std::span<const Vec3> points, double tolerance,
                 std::span<const std::int32_t> groups = {});

}  // namespace ductile
