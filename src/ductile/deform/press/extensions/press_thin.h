// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/overlap/press_overlap.h>

#include <span>
#include <vector>

namespace ductile {

/// The triangles of a soft body without those behind which a rigid one comes out again, where that
/// goes right through a wall that is thin beside the hole it would make: what is left can be
/// pressed from in front. Empty where nothing like that is found; all others keep their order. The
/// front is the side that faces most of the rigid body. O(n log n) where overlaps are joined.
std::vector<Triangle> front_of_walls(const PressSurface& soft, const PressSurface& rigid,
                                     const PressOverlaps& found);

/// How much of a wall a body of this thickness [m] is to these overlaps: 0 where all are narrower
/// than that, 1 where one is twice as wide. A thickness of 0: 0.
double wall_share(std::span<const PressOverlap> overlaps, double thickness);

/// Moves what lies behind a wall out of the way of its front, by this share. A wall gives way by at
/// most 0.7 of its thickness, and less the further it is bent; what its front moves further its
/// back goes, too, in the same way. `zone`: which contact zone a point lies in, -1 for none. Says
/// how many points went along. Requires: a point per point; `before` as the body stands, closed.
/// O(n log n).
std::int32_t carry_backs(std::span<const Vec3> before, std::span<const Triangle> triangles,
                         std::span<const std::int32_t> zone, double share, std::span<Vec3> pressed);

}  // namespace ductile
