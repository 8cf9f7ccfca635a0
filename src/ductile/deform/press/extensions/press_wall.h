// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <span>
#include <vector>

namespace ductile {

/// The triangles of a mesh all of whose corners a map marks with a half or more. An empty map marks
/// all. Requires: a number per point, or none.
std::vector<Triangle> marked_triangles(std::span<const Triangle> triangles,
                                       std::span<const double> map);

/// Moves the points of no marked triangle that lie within `wall` [m] of one at rest by as much as
/// the nearest place of those moved, all the way to half of it and less and less beyond: the back
/// of a thin wall goes along with its front. `before` and `pressed` are placed alike; distances are
/// those of `before`. O(n log n).
void carry_wall(std::span<const Vec3> before, std::span<const Triangle> marked, double wall,
                std::span<Vec3> pressed);

}  // namespace ductile
