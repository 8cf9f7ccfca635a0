// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/cut/cut_cells.h>

#include <cstdint>
#include <span>

namespace ductile {

/// How far two boxes are apart, squared [m^2]; 0 where they overlap.
double gap_sq(const Box& a, const Box& b);

/// Fills in what the pieces have in common: walls, and edges of sheet that is `thickness` thick [m]
/// (0: sheets have no joints). `is_solid`: per triangle of the mesh.
void measure_joints(std::span<const std::uint8_t> is_solid, double thickness, CutMesh& cut);

/// Fills in what pieces without walls have in common: the area over which faces of two of them lie
/// on each other, turned against each other and no further apart than `touch` [m]. Faces of sheets
/// may be turned either way.
void measure_contacts(std::span<const std::uint8_t> is_solid, double touch, CutMesh& cut);

/// Joins pieces that hang together nowhere, as loose parts of a mesh do: each such group to the
/// nearest other one, at the place where they are nearest, by a joint as large as the mean of all,
/// but for those further away than `furthest` [m]. Returns how many joints that took.
std::int32_t tie_loose_parts(CutMesh& cut, double furthest = kInfinity);

}  // namespace ductile
