// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/model.h>
#include <ductile/io/model_parts.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

using Tet = std::array<std::int32_t, 4>;

/// The skin of a volume mesh.
struct TetSurface {
    std::vector<Triangle> triangles;  ///< Faces that one tetrahedron alone has, facing outward.
    std::size_t inverted_count = 0;   ///< Tetrahedra whose corners are wound inside out.
    std::size_t first_inverted = 0;
    std::size_t flat_count = 0;  ///< Without volume; their faces are taken as they are wound.
};

/// The boundary of tetrahedra, in their order. `loose` are triangles that the file has besides;
/// those that are no face of a tetrahedron are added as they are. O(n log n). Requires: indices in
/// range.
TetSurface tet_surface(std::span<const Vec3> points, std::span<const Tet> tets,
                       std::span<const Triangle> loose);

/// Finishes a volume file as one mesh: all its points, its tetrahedra, and as triangles their skin
/// and the faces that belong to none of them. Notes tell of inverted and flat tetrahedra.
/// Error: as `add_indexed_mesh`; tetrahedra and faces both absent. Requires: indices in range.
Result<Model> volume_model(Model model, std::vector<Vec3> points, std::vector<Tet> tets,
                           IndexedFaces faces, const ReadLimits& limits);

}  // namespace ductile
