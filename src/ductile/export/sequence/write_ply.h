// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/damage_map.h>
#include <ductile/record/recording.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace ductile {

/// One moment of a render mesh as binary little-endian PLY, in the frame of `points`, metres.
///
/// Of each vertex: x y z, nx ny nz; s t where the mesh has UVs ((0, 0) is below, as PLY readers
/// have it); red green blue alpha where it has colours (bytes, sRGB); dent_depth [m], strain,
/// scratch_x scratch_y scratch_z [m]. All else are floats. Vertices are those of the file that the
/// asset came from, in its order and number (RenderMesh::file_vertices); where a seam of the
/// texture parts their UVs, faces have the list `texcoord`, s and t of each corner. Faces are
/// triangles; looks, pictures and parts have no place in the format. `points` and `normals` are
/// those of the asset's render mesh, as RenderSkin::pose gives them; `damage` has an entry per
/// render vertex, as carry_damage gives it. Error: a count that does not match, a number that is
/// not finite or fits into no float, no triangle. Same input, same bytes.
Result<std::string> ply_bytes(const SurfaceAsset& asset, std::span<const Vec3> points,
                              std::span<const Vec3> normals, const DamageMap& damage);

/// Writes the shape that a body ended with, in its own frame, to a file that is either whole or not
/// there. Requires: check_recording is content; an existing body. Error: what ply_bytes refuses; a
/// body that ended as it was at rest (final_damage.h tells).
Status write_final_ply(const Recording& recording, std::size_t body,
                       const std::filesystem::path& path);

}  // namespace ductile
