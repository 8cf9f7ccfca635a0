// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace ductile {

/// Reads a file through assimp, here and now. `ductile-import` calls this; everyone else calls
/// read_assimp, since a broken file may crash assimp.
///
/// n-gons are cut, nothing else is changed, joined or dropped, but for points and lines. Meshes
/// that one node shows become one. Companions are opened in `context.folder` and below only.
Result<Model> import_assimp(std::span<const std::byte> bytes, std::string_view extension,
                            const ReadContext& context);

}  // namespace ductile
