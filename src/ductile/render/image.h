// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
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

/// Writes a PNG file whole or not at all (core/file.h). Creates missing folders.
Status write_png(const std::filesystem::path& path, const Image& image);

}  // namespace ductile
