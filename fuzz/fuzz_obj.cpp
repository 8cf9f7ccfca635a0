// SPDX-License-Identifier: MIT
// OBJ and its material libraries: any bytes give a sound model or an error in words. What follows a
// line "%%" is read as a library on its own.
#include <ductile/io/obj/read_mtl.h>
#include <ductile/io/obj/read_obj.h>

#include "model_laws.h"

#include <algorithm>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ductile;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t mark = std::min(text.find("%%"), text.size());
    check_laws(read_obj(text.substr(0, mark), {}));
    Model library;
    read_mtl(text.substr(mark), "a.mtl", {}, library.looks, library.notes);
    for (const Look& look : library.looks) {
        demand(look.base_colour.allFinite() && look.roughness >= 0 && look.roughness <= 1);
        demand(look.opacity >= 0 && look.opacity <= 1 && look.metallic >= 0 && look.metallic <= 1);
    }
    return 0;
}
