// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <cstddef>
#include <span>

namespace ductile {

/// Reads glTF 2.0, binary (.glb) or text (.gltf), as plain data.
///
/// Of the default scene every node with its mesh; the primitives of a mesh are merged, their
/// vertices stay apart. Sparse and quantised accessors, strips and fans, skins, animations,
/// vertex colours and base-colour pictures (kept as they are) come along; what is left out is in
/// the notes. Buffers and pictures are read from data URIs, the file itself, and files in
/// `context.folder` and below it. glTF has metres and Y up.
/// Error (`where`: "byte N" or a JSON pointer such as "#/bufferViews/3/byteLength"): whatever does
/// not fit together. All of it is checked before anything of the size it claims is allocated.
Result<Model> read_gltf(std::span<const std::byte> bytes, const ReadContext& context);

}  // namespace ductile
