// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Two points of an edge, the lower index first.
using MeshEdge = std::array<std::int32_t, 2>;

/// The edges of a mesh that are longer than this [m], ascending. Requires: valid indices. O(n).
std::vector<MeshEdge> longer_edges(const TriMesh& mesh, double length);

/// A mesh whose marked edges got a point each. Points and triangles without a marked edge are as
/// they were, in their order; each other triangle became two, three or four, in its place.
struct SplitMesh {
    TriMesh mesh;
    std::vector<MeshEdge> parents;      ///< Per new point, which follow the old ones: its edge.
    std::vector<std::int32_t> sources;  ///< Per triangle: which it was a part of.
};

/// Puts a point in the middle of every edge of `marked` (ascending, each once). Shape and volume
/// stay what they were; no gap opens, since both sides of an edge get the same point. Where two
/// sides of a triangle are marked, the shorter diagonal cuts what is left.
/// Requires: valid indices. O(n log marked).
SplitMesh split_edges(const TriMesh& mesh, std::span<const MeshEdge> marked);

/// Of such a split, which triangle each one of the split mesh is a part of: SplitMesh::sources.
std::vector<std::int32_t> split_sources(std::span<const Triangle> triangles,
                                        std::span<const MeshEdge> marked);

/// The same for a body's shape: what is drawn is split where its surface is, each side of a seam
/// with its own UVs, colours and normals, halfway; the light at a new vertex is what it was there,
/// after any number of splits; looks, parts, sheets and attributes are carried over. A drawn
/// triangle that is not anchored to three points of the surface stays whole and follows as before.
/// `marked` is of the surface.
SurfaceAsset split_edges(const SurfaceAsset& asset, std::span<const MeshEdge> marked);

}  // namespace ductile
