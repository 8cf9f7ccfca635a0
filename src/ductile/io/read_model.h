// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/core/stop.h>
#include <ductile/geom/model.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace ductile {

/// How much a mesh file may ask for. Checked before anything of that size is allocated.
struct ReadLimits {
    std::uintmax_t file_bytes = std::uintmax_t(512) << 20;
    std::size_t vertices = 5'000'000;    ///< Of all meshes together.
    std::size_t triangles = 10'000'000;  ///< Of all meshes together, after n-gons are cut.
    int json_depth = 64;
    const StopFlag* stop = nullptr;  ///< Ends a reading that takes long with an error; may be null.
};

/// What a reader may look at besides the bytes it is given.
struct ReadContext {
    std::filesystem::path folder;  ///< Where companions (mtl, textures, buffers) lie; empty: none.
    ReadLimits limits;
};

/// Reads a mesh file: OBJ, PLY, STL, OFF, glTF/GLB, Medit, Gmsh, and what assimp reads besides.
///
/// The content decides, not the name: a PLY that is called .obj is read as PLY and a note says so.
/// Companion files are looked for in the asset's own folder and below it, nowhere else.
/// Error (`where`: the file, then line, byte or JSON pointer): what cannot be read, and why.
Result<Model> read_model(const std::filesystem::path& path, const ReadLimits& limits = {});

/// The same from memory. `name` is what errors call it; its extension helps where bytes do not.
Result<Model> read_model(std::span<const std::byte> bytes, std::string_view name,
                         const ReadContext& context);

}  // namespace ductile
