// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// What a render mesh or a part of it has of one look: file formats call it primitive or subset.
struct RenderPart {
    std::int32_t look = 0;               ///< Index into RenderMesh::looks.
    std::vector<std::int32_t> vertices;  ///< Ascending indices into the mesh, each used.
    std::vector<Triangle> triangles;     ///< Indices into `vertices`.
};

/// Cuts a mesh by look, in the order of the looks; a look without triangles gives no part.
/// Requires: indices in range.
std::vector<RenderPart> split_by_look(const RenderMesh& mesh);

/// The same of one of the mesh's named parts, or of any run of triangles and the vertices that
/// they use. O(vertices + triangles log triangles) of that part.
std::vector<RenderPart> split_by_look(const RenderMesh& mesh, const MeshPart& part);

}  // namespace ductile
