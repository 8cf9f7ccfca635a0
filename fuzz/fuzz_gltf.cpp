// SPDX-License-Identifier: MIT
// Our reader of glTF: any bytes give a sound model or an error in words.
#include <ductile/io/gltf/read_gltf.h>

#include "model_laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    ductile::check_laws(ductile::read_gltf(bytes, {}));
    return 0;
}
