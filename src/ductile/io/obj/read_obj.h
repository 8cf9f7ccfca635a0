// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <string_view>

namespace ductile {

/// Reads Wavefront OBJ and the material libraries beside it.
///
/// A mesh per object (`o`), or per group (`g`) where there are no objects; a vertex per different
/// combination of place, texture coordinate and normal. Faces may come before their vertices and
/// have any number of corners. Texture coordinates are turned to (0, 0) at the upper left. A
/// comment such as "File units = inches" sets the units. Mended or left out, with a note: faces of
/// fewer than three different corners, texture coordinates and normals that do not exist, unknown
/// keywords, material libraries that cannot be opened. docs/mesh-files.md tells the rest.
/// Error (`where`: "line N"): a number that is none or not finite, a face that names a vertex that
/// does not exist, an end within a face, nothing to show.
Result<Model> read_obj(std::string_view text, const ReadContext& context);

}  // namespace ductile
