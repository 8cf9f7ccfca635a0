// SPDX-License-Identifier: MIT
// STL, OFF, Medit and Gmsh through the door that users take, which picks the reader by content: any
// bytes give a sound model or an error in words. OBJ, PLY and glTF have targets of their own.
#include <ductile/io/read_model.h>

#include "model_laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    ductile::check_laws(ductile::read_model(bytes, "a.stl", {}));
    return 0;
}
