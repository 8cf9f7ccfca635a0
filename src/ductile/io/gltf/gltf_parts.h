// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/gltf/gltf_document.h>
#include <ductile/io/gltf/json_place.h>

namespace ductile {

/// The pieces of read_gltf_document, in the order in which they need each other. What is wrong is
/// told to the place where it stands; `out` is then of no use.
void read_gltf_materials(const JsonPlace& root, GltfDocument& out);
void read_gltf_meshes(const JsonPlace& root, GltfDocument& out);
void read_gltf_nodes(const JsonPlace& root, GltfDocument& out);  ///< And skins and scenes.
void read_gltf_animations(const JsonPlace& root, GltfDocument& out);

}  // namespace ductile
