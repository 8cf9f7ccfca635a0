// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// What was done to a surface, vertex by vertex; all in the body's own frame.
struct DamageMap {
    /// How far a vertex was pushed in along its rest normal [m]; negative where it was raised, as
    /// rims of dents are.
    std::vector<double> depth;
    /// How much the faces around it were stretched or squeezed at most: |stretch - 1| along the
    /// direction where that is largest, mean over the faces by their area at rest; >= 0.
    std::vector<double> strain;
    /// How far it was dragged along the surface [m]: its move without the part along the rest
    /// normal. The dent of a glancing hit leans the way the projectile travelled.
    std::vector<Vec3> scratch;
};

/// Measures a surface against its shape at rest. What has not moved is exactly 0.
///
/// Depth and scratch are exact: rest - depth * normal + scratch is where a vertex is now, with
/// `vertex_normals` of the rest shape. Faces that have no area at rest say nothing about strain; a
/// vertex without others has none. Same input, same bytes.
/// Requires: as many points as at rest, finite ones; triangles that name them. O(n).
DamageMap damage_map(std::span<const Vec3> rest, std::span<const Vec3> now,
                     std::span<const Triangle> triangles);

/// |stretch - 1| of one face between rest and now, along the direction where it is largest; nothing
/// where the face has no area at rest. Does not change with rigid motions, to rounding.
std::optional<double> face_strain(std::span<const Vec3> rest, std::span<const Vec3> now,
                                  const Triangle& t);

}  // namespace ductile
