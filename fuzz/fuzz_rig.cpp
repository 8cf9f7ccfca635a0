// SPDX-License-Identifier: MIT
// Rig files: any text gives mistakes in words, each with its place, or a rig that its own text
// gives back. Meshes and caches that a rig names have targets of their own.
#include <ductile/scene/rig_file.h>

#include "model_laws.h"

#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ductile::LoadedRigFile read = ductile::parse_rig(text, "a.json");
    for (const ductile::Error& error : read.errors) {
        ductile::demand(!error.what.empty());
        ductile::demand(error.where.starts_with("a.json"));
    }
    if (!read.ok()) return 0;
    const std::string written = ductile::rig_text(read.rig);
    const ductile::LoadedRigFile again = ductile::parse_rig(written, "b.json");
    ductile::demand(again.ok());
    ductile::demand(ductile::rig_text(again.rig) == written);
    return 0;
}
