// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/heights/read_heights.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ductile {

/// The readers behind read_heights, which has looked at the file's first bytes and its size.
Result<HeightPicture> read_png_heights(std::span<const std::byte> bytes,
                                       const HeightLimits& limits);
Result<HeightPicture> read_pfm_heights(std::span<const std::byte> bytes,
                                       const HeightLimits& limits);

/// Error: no pixels, or a side beyond the limits.
Status check_height_sides(std::int64_t columns, std::int64_t rows, const HeightLimits& limits,
                          std::size_t byte);

/// 10,000 times the luminance of a colour (Rec. ITU-R BT.709). Whole weights: a grey comes out
/// exactly as it is, for numbers of up to 39 bits.
inline double ten_thousand_luminances(double red, double green, double blue) {
    return 2126.0 * red + 7152.0 * green + 722.0 * blue;
}

}  // namespace ductile
