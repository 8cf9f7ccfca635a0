// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// A triangulated flat piece in the (x, z) plane seen from above, where x points right and z
/// towards the viewer; triangles are counter-clockwise from above (+y).
struct FlatMesh {
    std::vector<Vec2> points;  ///< (x, z) [m].
    std::vector<Triangle> triangles;
};

/// A round hole with a ring of points along its edge.
struct FlatHole {
    Vec2 centre = Vec2::Zero();     ///< (x, z) [m].
    double radius = 0.0;            ///< [m]
    std::int32_t segments = 12;     ///< Divisible by 4.
    std::int32_t first_point = -1;  ///< Filled in by `punch_holes`; ring point i is at angle i.
};

/// A disc of concentric rings; its first n points are the outer ring, in the order of
/// `unit_circle`. Requires: n as `ring_segments` gives it.
FlatMesh flat_disc(double radius, std::int32_t n);

/// Cuts the holes and joins their edges to the faces around. Returns those that were cut: none is
/// where the mesh is too coarse, where it would reach the border, or where it meets another.
std::vector<FlatHole> punch_holes(FlatMesh& mesh, const std::vector<FlatHole>& holes);

/// Evens out the points that belong to neither the first `fixed` ones nor the border: a few rounds
/// of moving each to the mean of its neighbours, none of which turns a triangle over.
void relax_flat(FlatMesh& mesh, std::int32_t fixed);

}  // namespace ductile
