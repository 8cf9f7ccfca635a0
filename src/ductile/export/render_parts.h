// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// The part of a render mesh that has one look: what file formats call a primitive or a subset.
struct RenderPart {
    std::int32_t look = 0;               ///< Index into RenderMesh::looks.
    std::vector<std::int32_t> vertices;  ///< Ascending indices into the mesh, each used.
    std::vector<Triangle> triangles;     ///< Indices into `vertices`.
};

/// Cuts a mesh by look, in the order of the looks; a look without triangles gives no part.
/// Requires: indices in range. O(looks x vertices + triangles).
std::vector<RenderPart> split_by_look(const RenderMesh& mesh);

}  // namespace ductile
