// SPDX-License-Identifier: MIT
// PLY, text and binary: any bytes give a sound model or an error in words.
#include <ductile/io/polygons/read_ply.h>

#include "model_laws.h"

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    ductile::check_laws(ductile::read_ply(bytes, {}));
    return 0;
}
