// SPDX-License-Identifier: MIT
// Khronos Group, "glTF 2.0 Specification", section 4.4 (GLB layout).
#include <ductile/io/gltf/gltf_container.h>

#include <fmt/format.h>

#include <cstdint>

namespace ductile {
namespace {

constexpr std::size_t kHeaderSize = 12, kChunkHeaderSize = 8;
constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 4; i-- > 0;)
        word = word << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return word;
}

Error at_byte(std::size_t byte, std::string what, std::string hint = "") {
    return {std::move(what), fmt::format("byte {}", byte), std::move(hint)};
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Spaces by the specification; some writers fill up with zeros.
std::string_view without_padding(std::string_view text) {
    const std::size_t last = text.find_last_not_of(std::string_view(" \0", 2));
    return text.substr(0, last + 1);  // npos + 1 is 0
}

Result<GltfContainer> open_text(std::span<const std::byte> bytes) {
    const std::string_view text = text_of(bytes);
    const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == text.npos || text[first] != '{') {
        return at_byte(0, "is no glTF: it begins neither with \"glTF\" nor with a brace",
                       "export it again as .glb");
    }
    return GltfContainer{text, std::nullopt, false};
}

}  // namespace

Result<GltfContainer> open_gltf(std::span<const std::byte> bytes) {
    if (bytes.size() < 4 || word_at(bytes, 0) != kMagic) return open_text(bytes);
    if (bytes.size() < kHeaderSize + kChunkHeaderSize) {
        return at_byte(bytes.size(), "the file ends within its header", "it was cut short");
    }
    if (const std::uint32_t version = word_at(bytes, 4); version != 2) {
        return at_byte(4, fmt::format("is glTF version {}, and only 2 is read", version),
                       "export it again as glTF 2.0");
    }
    const std::size_t length = word_at(bytes, 8);
    if (length > bytes.size()) {
        return at_byte(8, fmt::format("claims {} bytes, but the file has {}", length, bytes.size()),
                       "the file was cut short or its header is damaged");
    }
    GltfContainer file;
    file.is_binary_file = true;
    for (std::size_t at = kHeaderSize; at < length;) {
        if (length - at < kChunkHeaderSize) {
            // Some writers count the padding of the last chunk into the file only.
            if (length - at < 4) break;
            return at_byte(at, "a chunk's header is cut short");
        }
        const std::size_t size = word_at(bytes, at);
        const std::uint32_t kind = word_at(bytes, at + 4);
        if (size > length - at - kChunkHeaderSize) {
            return at_byte(at, fmt::format("a chunk claims {} bytes, but only {} are left", size,
                                           length - at - kChunkHeaderSize));
        }
        const std::span<const std::byte> content = bytes.subspan(at + kChunkHeaderSize, size);
        if (at == kHeaderSize) {
            if (kind != kJsonChunk) return at_byte(at + 4, "the first chunk is not JSON");
            file.json = without_padding(text_of(content));
        } else if (kind == kBinaryChunk && !file.binary) {
            file.binary = content;
        }
        at += kChunkHeaderSize + size;
    }
    if (file.json.empty()) return at_byte(kHeaderSize, "the JSON chunk is empty");
    return file;
}

}  // namespace ductile
