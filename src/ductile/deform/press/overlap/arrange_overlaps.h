// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/overlap/press_overlap.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Sorts the crossings of two surfaces into overlaps: for each the soft vertices that belong to it,
/// the curve around them, and the rigid triangles under them. See PressOverlap.
///
/// The curves decide what belongs together, so that parts joined by less than a triangle are
/// one. A soft part that went right through a thin rigid one is filled: what lies beyond, up to
/// the larger rest of the body, is part of the overlap, and the curve it came in by is all of its
/// border; overlaps within what is filled are part of it. Where the soft surface only leaves the
/// rigid one for a while (over the hole of a ring), both curves stay.
///
/// Curves that do not count any more are taken out of `crossings.of_first`. Overlaps come by their
/// lowest vertex; those without one are left out. Beyond a pass over the vertices, and one over the
/// triangles where an overlap has several curves, the work goes with what lies inside.
std::vector<PressOverlap> arrange_overlaps(const PressSurface& soft, const PressSurface& rigid,
                                           std::span<const std::uint8_t> soft_is_inside,
                                           std::span<const std::uint8_t> rigid_is_inside,
                                           MeshCrossings& crossings);

}  // namespace ductile
