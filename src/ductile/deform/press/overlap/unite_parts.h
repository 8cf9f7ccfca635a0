// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <optional>

namespace ductile {

/// The surface of what two closed surfaces enclose together: the parts of either that lie outside
/// of the other, cut along the curve in which they meet, as one mesh. Points on the curve are new;
/// triangles that it does not touch are kept.
///
/// None where the curve does not say what lies inside: a surface is open or goes through itself
/// there. Requires: valid indices, finite points; at least one edge of either goes through the
/// other. O(n log n).
std::optional<TriMesh> unite_surfaces(const TriMesh& a, const TriMesh& b);

/// The surface of what all connected parts of a mesh enclose together, if some go through each
/// other or lie within others: those that go through each other become one, those within are left
/// out. A hollow's wall, which faces inward, stays unless something goes through it.
///
/// None where there is nothing to unite, and where it cannot be done: parts that go through each
/// other are open, inside out, or go through themselves. The same at any number of threads.
/// Requires: valid indices, finite points. O(n) for a single part, O(n log n) and as many unions as
/// parts meet for several.
std::optional<TriMesh> unite_parts(const TriMesh& mesh);

}  // namespace ductile
