// SPDX-License-Identifier: MIT
// The path through assimp, as far as it is promised: whatever the child answers and however it
// ends, the caller gets a sound model or an error in words.
//
// Input that begins with 'M' or 'E' is taken as the child's answer. Any other first byte picks a
// kind of file, and the rest goes through assimp in a child, if ductile-import is found: what
// crashes assimp there is no finding, that is what the child is for.
#include <ductile/io/import/import_answer.h>
#include <ductile/io/import/read_assimp.h>

#include "model_laws.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    if (data[0] == 'M' || data[0] == 'E') {
        ductile::check_laws(ductile::unpack_answer(bytes, {}));
        return 0;
    }
    ::setenv("DUCTILE_IMPORT_SECONDS", "3", 1);  // less than the fuzzer's own patience
    const std::span<const std::string_view> kinds = ductile::assimp_extensions();
    ductile::check_laws(ductile::read_assimp(bytes.subspan(1), kinds[data[0] % kinds.size()], {}));
    return 0;
}
