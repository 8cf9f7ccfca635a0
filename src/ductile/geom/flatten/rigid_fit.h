// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <array>
#include <span>
#include <vector>

namespace ductile {

/// Local and global steps of an as-rigid-as-possible map end their first one near to where they
/// lead, and then come a third nearer each time; going so much further makes that a half.
inline constexpr double kRigidRelaxation = 1.6;

/// The local step of an as-rigid-as-possible map into the plane: turns each triangle, laid flat by
/// itself, to fit where it is now, and tells what all of them together ask of the Laplacian.
class RigidFit {
public:
    /// `cotangents`: halves, per triangle, times what it counts. `is_mirrored`: seen from behind.
    RigidFit(std::span<const Vec3> points, std::span<const Triangle> triangles,
             std::span<const Vec3> cotangents, bool is_mirrored = false);

    /// Fills in the right-hand side b of L x = b, an entry per point, for triangles `scale` times
    /// as large.
    void pull(std::span<const Vec2> flat, double scale, std::span<Vec2> right) const;

private:
    std::span<const Triangle> triangles_;
    /// What corners 1 and 2 are drawn by when the triangle lies flat and unturned; corner 0 by what
    /// is left of zero.
    std::vector<std::array<Vec2, 2>> corners_;
};

}  // namespace ductile
