// SPDX-License-Identifier: MIT
// STL, OFF, Medit and Gmsh through the door that users take, which picks the reader by content: any
// bytes give a sound model or an error in words. OBJ, PLY and glTF have targets of their own.
// Formulas, pictures of heights and point caches come along: what they are given begins like
// nothing else here, so the one target costs no time more, where two others would.
#include <ductile/core/expression.h>
#include <ductile/io/heights/read_heights.h>
#include <ductile/io/read_model.h>
#include <ductile/io/read_point_cache.h>

#include "model_laws.h"

#include <string_view>
#include <vector>

namespace {

using Bytes = std::span<const std::byte>;

void check_formula(std::string_view text) {
    constexpr std::string_view kVariables[] = {"x", "y", "r"};
    const auto formula = ductile::parse_expression(text, kVariables);
    if (!formula) return ductile::demand(!formula.error().what.empty());
    for (const double at : {0.0, 0.5, -2.0}) {
        const double values[] = {at, 0.25, at * at};
        static_cast<void>(formula.value()(values));
    }
}

void check_heights(Bytes bytes) {
    const auto picture = ductile::read_heights(bytes);
    if (!picture) return ductile::demand(!picture.error().what.empty());
    ductile::demand(picture.value().heights.size() ==
                    std::size_t(picture.value().columns) * std::size_t(picture.value().rows));
    for (const double z : picture.value().heights) ductile::demand(z >= 0.0 && std::isfinite(z));
}

void check_cache(Bytes bytes) {
    const auto cache = ductile::read_point_cache(bytes);
    if (!cache) return ductile::demand(!cache.error().what.empty());
    ductile::demand(cache.value().samples.size() == cache.value().times.size());
    for (const auto& sample : cache.value().samples) {
        ductile::demand(sample.size() == std::size_t(cache.value().point_count));
        for (const ductile::Vec3& p : sample) ductile::demand(ductile::is_finite(p));
    }
}

/// The bytes with every chunk's checksum set right, which no accident would do.
std::vector<std::byte> with_right_checksums(Bytes bytes) {
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    for (std::size_t at = 8; out.size() >= at + 12;) {
        std::size_t length = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            length = length << 8 | std::to_integer<std::size_t>(out[at + k]);
        }
        if (length > out.size() - at - 12) break;
        std::uint32_t sum = ~0U;
        for (std::size_t i = at + 4; i < at + 8 + length; ++i) {
            sum ^= std::to_integer<std::uint32_t>(out[i]);
            for (int k = 0; k < 8; ++k) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320U : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out[at + 8 + length + k] = static_cast<std::byte>(~sum >> (24 - 8 * k));
        }
        at += length + 12;
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.starts_with("\x89PNG")) {
        check_heights(with_right_checksums(bytes));
    } else if (text.starts_with("Pf") || text.starts_with("PF")) {
        check_heights(bytes);
    } else if (text.starts_with("POINTCACHE2")) {
        check_cache(bytes);
    } else if (text.starts_with("=")) {
        check_formula(text.substr(1));
    } else {
        if (text.starts_with('\0')) check_cache(bytes);  // MDD: a count, high byte first
        ductile::check_laws(ductile::read_model(bytes, "a.stl", {}));
    }
    return 0;
}
