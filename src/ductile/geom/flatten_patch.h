// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

#include <span>
#include <vector>

namespace ductile {

/// Whether the triangles are one piece with one border and no handle, no edge has more than two
/// of them, and their windings agree: what can be laid flat. Points of no triangle do not count.
bool is_disc(std::size_t point_count, std::span<const Triangle> triangles);

/// Lays a disc flat: least squares conformal map (Levy et al. 2002), then `rounds` of the local and
/// global steps of an as-rigid-as-possible one (Liu et al. 2008), borders free. A patch that is
/// flat already keeps its lengths. Points of no triangle get (0, 0).
///
/// Error: not a disc; a triangle folded over in the end (the conformal map alone is taken if only
/// the rounds folded it). One factorisation of 2n, one of n unknowns, a solve per round.
Result<std::vector<Vec2>> flatten_patch(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles, int rounds = 10);

}  // namespace ductile
