// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <string_view>

namespace ductile {

/// Reads Gmsh's .msh as text, of the versions 1, 2 and 4: triangles, quads and tetrahedra, of which
/// the skin is taken (tet_surface.h). Points, lines and other solids are left out with a note; of
/// elements with nodes on their edges the corners count.
/// Error (`where`: "line N"): a binary file, an end within a section, numbers missing or not
/// finite, counts that the file cannot hold, node numbers that do not exist, nothing to show.
Result<Model> read_gmsh(std::string_view text, const ReadContext& context);

}  // namespace ductile
