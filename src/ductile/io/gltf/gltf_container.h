// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace ductile {

/// The two things that a glTF file holds; both point into its bytes.
struct GltfContainer {
    std::string_view json;
    std::optional<std::span<const std::byte>> binary;  ///< The BIN chunk, where there is one.
    bool is_binary_file = false;                       ///< A .glb, not a .gltf.
};

/// Takes a .glb apart, or finds a .gltf to be text.
/// Error (`where`: "byte N"): not glTF, another version than 2, a length that lies.
Result<GltfContainer> open_gltf(std::span<const std::byte> bytes);

}  // namespace ductile
