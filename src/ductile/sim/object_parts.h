// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/pieces/pieces.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// One more than the largest entry; 0 if an entry is negative, or a part has no point.
std::size_t part_count(std::span<const std::int32_t> part_of_point);

/// The part that most of a piece's tracked points belong to; of several the lowest.
std::int32_t part_of_piece(const Piece& piece, std::span<const std::int32_t> part_of_point);

/// Masses of the parts of a surface, their sum being `mass` [kg]. The mass is spread over the area:
/// positive whatever is cut off, and right for sheets. A triangle counts to its corners' parts by
/// thirds. Error: a part without area.
Result<std::vector<MassProperties>> part_masses(std::span<const Triangle> triangles,
                                                std::span<const Vec3> points,
                                                std::span<const std::int32_t> part_of_point,
                                                double mass);

}  // namespace ductile
