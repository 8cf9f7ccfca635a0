// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// A picture as screens show it: 8 bits of sRGB per channel, row by row from the upper left.
/// Invariant of whoever fills it: rgb.size() == 3 * width * height.
struct Image {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> rgb;
};

/// A picture as light: linear RGB radiance, row by row from the upper left, not limited to 1.
struct Radiance {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<float> rgb;
};

/// The bytes of a PNG file: 8-bit RGB, no alpha, marked sRGB. Same picture, same bytes.
/// Requires: a picture of at least one pixel, sizes that agree.
std::string encode_png(const Image& image);

/// Reads what encode_png writes and any other 8-bit RGB file without interlacing.
/// Error: not a PNG, another kind of PNG, damaged (every checksum is looked at), over 2^26 pixels.
Result<Image> decode_png(std::string_view bytes);

/// Writes a PNG file whole or not at all (core/file.h). Creates missing folders.
Status write_png(const std::filesystem::path& path, const Image& image);

/// Reads a PNG file; `where` of an error is the path.
Result<Image> read_png(const std::filesystem::path& path);

}  // namespace ductile
