// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/geom/repair/mend.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Gives normals to parts that came without: smooth over the mended surface, across seams, too, and
/// sharp where its faces meet at more than `crease_deg`.
///
/// A vertex that two smooth patches share is split: copies follow the other vertices of their part.
/// Triangles keep their order and winding, and every corner its place and UVs. Back sides of
/// two-sided faces get the opposite normal. `file_vertices` keeps the vertices as they were.
/// Vertices of other parts keep theirs; a single zero among them becomes the mean of the faces
/// around, or +y where there is none. `places` are `render.triangles` welded, `mended` is what
/// became of them. Returns, per vertex that the mesh now has, the one it was.
std::vector<std::int32_t> add_normals(const Mended& mended, std::span<const Triangle> places,
                                      std::span<const std::uint8_t> lacks_normals,
                                      double crease_deg, RenderMesh& render);

}  // namespace ductile
