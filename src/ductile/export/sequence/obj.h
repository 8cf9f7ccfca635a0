// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

#include <filesystem>
#include <span>

namespace ductile {

/// What the parts of a mesh become in an OBJ file.
enum class ObjParts {
    Objects,  ///< "o": readers make an object of each.
    Groups,   ///< "g": most readers keep the mesh in one, with its vertices in their order.
};

/// Writes one moment of a render mesh as Wavefront OBJ, and its looks as an MTL file beside it
/// (same name, extension .mtl), with their pictures (same name, numbered), Y up. Numbers are read
/// back as the same floats. Parts are objects or groups by their names.
///
/// `points` and `normals` are those of the asset's render mesh, as RenderSkin::pose gives them;
/// `to_file` takes them into the file's frame. Vertices are those of the file that the asset came
/// from, in its order and number (RenderMesh::file_vertices); UVs and normals of their own are per
/// corner. UVs are flipped to OBJ's convention (0 is below).
/// Requires: an asset whose indices are in range. Error: a count that does not match, a number that
/// is not finite, a path that cannot be written.
Status write_obj(const SurfaceAsset& asset, std::span<const Vec3> points,
                 std::span<const Vec3> normals, const std::filesystem::path& path,
                 ObjParts parts = ObjParts::Objects, const Transform& to_file = {});

}  // namespace ductile
