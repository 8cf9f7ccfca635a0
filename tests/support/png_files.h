// SPDX-License-Identifier: MIT
#pragma once

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ductile::test {

/// How a PNG file stores its pixels.
struct PngLayout {
    int type = PNG_COLOR_TYPE_GRAY;
    int depth = 8;
    int interlace = PNG_INTERLACE_NONE;
    std::vector<png_color> palette = {};
    std::vector<png_byte> palette_alpha = {};
    bool has_clear_colour = false;
    png_color_16 clear_colour = {};
};

/// A PNG file of packed rows, as libpng writes it.
inline std::vector<std::byte> png_bytes(std::uint32_t columns, std::uint32_t rows, PngLayout layout,
                                        std::vector<std::uint8_t> packed) {
    std::vector<std::byte> out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp writer, png_bytep data, std::size_t size) {
            auto* bytes = static_cast<std::vector<std::byte>*>(png_get_io_ptr(writer));
            const auto* first = reinterpret_cast<const std::byte*>(data);
            bytes->insert(bytes->end(), first, first + size);
        },
        nullptr);
    png_set_benign_errors(png, 1);
    png_set_check_for_invalid_index(png, -1);  // broken palettes are wanted, too
    png_set_IHDR(png, info, columns, rows, layout.depth, layout.type, layout.interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!layout.palette.empty()) {
        png_set_PLTE(png, info, layout.palette.data(), static_cast<int>(layout.palette.size()));
    }
    if (!layout.palette_alpha.empty()) {
        png_set_tRNS(png, info, layout.palette_alpha.data(),
                     static_cast<int>(layout.palette_alpha.size()), nullptr);
    }
    if (layout.has_clear_colour) png_set_tRNS(png, info, nullptr, 0, &layout.clear_colour);
    std::vector<png_bytep> pointers;
    const std::size_t stride = packed.size() / rows;
    for (std::size_t j = 0; j < rows; ++j) pointers.push_back(packed.data() + j * stride);
    png_set_rows(png, info, pointers.data());
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    png_destroy_write_struct(&png, &info);
    return out;
}

/// Gives every chunk that is whole the checksum that belongs to it.
inline void mend_checksums(std::vector<std::byte>& bytes) {
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
        }
        return value;
    };
    for (std::size_t at = 8; bytes.size() >= at + 12;) {
        const std::size_t length = number(at);
        if (length > bytes.size() - at - 12) return;
        std::uint32_t sum = ~0U;
        for (std::size_t i = at + 4; i < at + 8 + length; ++i) {
            sum ^= std::to_integer<std::uint32_t>(bytes[i]);
            for (int k = 0; k < 8; ++k) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320U : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            bytes[at + 8 + length + k] = static_cast<std::byte>(~sum >> (24 - 8 * k));
        }
        at += length + 12;
    }
}

}  // namespace ductile::test
