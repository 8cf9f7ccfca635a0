// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/impact/rigid_queries.h>

class btCollisionShape;
class btConvexShape;

namespace ductile {

// How far a point is from shapes of Bullet, all in the shape's own frame. These read only: several
// threads may ask at once.

/// The answer where there is nothing within reach.
RigidQueries::Nearest nowhere();

/// The place of a convex shape nearest to p, once its surface is moved inwards by `margin`.
RigidQueries::Nearest nearest_on_convex(const btConvexShape& shape, double margin, const Vec3& p);

/// The place nearest to p on a shape as it collides, with its margin, if that is within `reach`:
/// of a convex shape, a plane, anything that lists its triangles (a mesh, a scaled one, a field of
/// heights), or a compound of such; `nowhere` of others. Triangles have no inside: the normal
/// points from them to p on either side, and the distance is less than zero within the margin
/// alone. Costs what lies within reach.
RigidQueries::Nearest nearest_on_shape(const btCollisionShape& shape, const Vec3& p, double reach);

}  // namespace ductile
