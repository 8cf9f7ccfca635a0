// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A picture with alpha: 8 bits per channel, sRGB and straight alpha, row by row from the upper
/// left. Invariant of whoever fills it: rgba.size() == 4 * width * height.
struct RgbaImage {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> rgba;
};

/// Half the size, rounded down but at least one pixel: areas are averaged as light, and the
/// colour of a pixel counts as far as it is opaque, so that what is cut away does not bleed.
RgbaImage halved(const RgbaImage& image);

/// Linear light of each 8-bit sRGB level.
std::span<const float> linear_levels();

}  // namespace ductile
