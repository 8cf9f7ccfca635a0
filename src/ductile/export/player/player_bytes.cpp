// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/player/player_bytes.h>

#include <zlib.h>

#include <bit>

namespace ductile {
namespace {

static_assert(std::endian::native == std::endian::little, "the player's arrays begin low");

// Level 9 measured 1 % smaller and three times slower on a pile of barrels.
constexpr int kDeflateLevel = 6;

}  // namespace

void append_number(std::string& bytes, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
}

std::size_t append_bytes(std::string& bytes, const void* data, std::size_t size) {
    bytes.append((4 - bytes.size() % 4) % 4, '\0');
    const std::size_t at = bytes.size();
    if (size > 0) bytes.append(static_cast<const char*>(data), size);
    return at;
}

std::string deflated(std::string_view bytes) {
    uLongf size = compressBound(bytes.size());
    std::string out(size, '\0');
    const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kDeflateLevel);
    DUCTILE_ASSERT(status == Z_OK, "compressBound leaves room for anything");
    out.resize(size);
    return out;
}

std::string base64(std::string_view bytes) {
    static constexpr char kLetters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out.push_back(k <= count ? kLetters[word >> (18 - 6 * k) & 63] : '=');
        }
    }
    return out;
}

}  // namespace ductile
