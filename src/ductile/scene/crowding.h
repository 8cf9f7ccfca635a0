// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <cstdint>
#include <span>

namespace ductile {

/// A body's box in the world as the scene begins.
struct StartingBox {
    Box box_w;
    bool can_move = true;  ///< Two that cannot are no pair.
};

/// How many pairs of boxes overlap, counted up to `most` and then no further. O(n log n) for boxes
/// well apart, and no more than `most` pairs beyond that for boxes in one place.
std::int64_t count_pairs(std::span<const StartingBox> boxes, std::int64_t most);

/// Error: so many bodies in one place that no step would end in reasonable time. Each pair of boxes
/// that overlap is looked at and solved in every step, and what starts in one place makes n^2 / 2.
Status check_crowding(std::span<const StartingBox> boxes);

}  // namespace ductile
