// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// PNG files, read by libpng for everything that wants one: once as the numbers that are stored,
// once as the colours that they mean. A caller looks at the header first, refuses what is too large
// for it, and asks for the pixels then.
namespace ductile {

inline constexpr std::string_view kPngSignature("\x89PNG\r\n\x1a\n", 8);

/// What the first chunk of a PNG file says.
struct PngHeader {
    std::uint32_t columns = 0, rows = 0;
    int depth = 0;  ///< Bits a sample: 1, 2, 4, 8 or 16.
    bool has_colour = false, has_alpha = false, has_palette = false;

    int channels() const { return (has_colour && !has_palette ? 3 : 1) + (has_alpha ? 1 : 0); }
    /// Bytes of an unpacked row.
    std::size_t row_bytes() const {
        return (std::size_t(columns) * std::size_t(channels()) * std::size_t(depth) + 7) / 8;
    }
};

/// Byte of a PNG file at which its width stands: `where` of errors about its size.
inline constexpr std::size_t kPngSizeAt = 16;

/// Requires: bytes that begin with kPngSignature.
/// Error (`where`: "byte N"): no header, or one that names no kind of picture. Sizes are for the
/// caller to judge: they may be anything.
Result<PngHeader> read_png_header(std::span<const std::byte> bytes);

/// Pixels as they are stored: no gamma curve, palette or alpha has been applied.
struct PngSamples {
    PngHeader header;
    std::vector<std::uint8_t> packed;                  ///< Rows of `header.row_bytes()` each.
    std::vector<std::array<std::uint8_t, 4>> palette;  ///< Red, green, blue, alpha.
    /// The one colour that a file without alpha calls see-through: red, green, blue; greys thrice.
    std::optional<std::array<int, 3>> clear_colour;

    int largest() const { return (1 << header.depth) - 1; }
    /// Number `index` of a row, counting all channels of all pixels before it.
    int sample(std::size_t row, std::size_t index) const {
        const std::uint8_t* bytes = packed.data() + row * header.row_bytes();
        if (header.depth == 16) return bytes[2 * index] << 8 | bytes[2 * index + 1];
        if (header.depth == 8) return bytes[index];
        const std::size_t bit = index * static_cast<std::size_t>(header.depth);
        return bytes[bit / 8] >> (8 - header.depth - static_cast<int>(bit % 8)) & largest();
    }
};

/// Requires of both: the header of these bytes, of at least one pixel.
/// Error of both: damaged or cut short, or more pixels than so many bytes can hold, which is found
/// before memory is asked for. `where` is "byte N" where it is known. O(pixels).
///
/// Checksums of pixels, and of all that they need, must be right.
Result<PngSamples> read_png_samples(std::span<const std::byte> bytes, const PngHeader& header);

/// Every kind of picture as red, green, blue and straight alpha, 8 bits each, in sRGB: what names
/// no colour space is taken for sRGB, also with 16 bits.
Result<std::vector<std::uint8_t>> read_png_rgba(std::span<const std::byte> bytes,
                                                const PngHeader& header);

/// The bytes of a PNG file: 8-bit RGB, no alpha, marked sRGB. Same picture, same bytes.
/// Requires: at least one pixel, three bytes each.
std::string encode_png(std::int32_t columns, std::int32_t rows, std::span<const std::uint8_t> rgb);

}  // namespace ductile
