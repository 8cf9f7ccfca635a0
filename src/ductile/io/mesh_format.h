// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace ductile {

enum class MeshFormat { Unknown, Obj, Ply, Stl, Off, Gltf, Medit, Gmsh };

/// "OBJ", "PLY" ...; "unknown".
std::string_view format_name(MeshFormat format);

/// What the first bytes of a file say; `Unknown` where they may be anything.
MeshFormat format_of_content(std::string_view bytes);

/// What an extension says (with its dot, in any case).
MeshFormat format_of_extension(std::string_view extension);

}  // namespace ductile
