// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <string_view>

namespace ductile {

/// Reads Medit's .mesh as text: vertices, triangles, quads and tetrahedra, of which the skin is
/// taken (tet_surface.h). Other sections are passed over.
/// Error (`where`: "line N"): numbers missing or not finite, counts that the file cannot hold,
/// vertex numbers that do not exist, nothing to show.
Result<Model> read_medit(std::string_view text, const ReadContext& context);

}  // namespace ductile
