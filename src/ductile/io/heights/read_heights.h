// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace ductile {

/// A picture read as a relief: how high each pixel is.
/// Invariant of whoever fills it: heights.size() == columns * rows.
struct HeightPicture {
    std::int32_t columns = 0, rows = 0;
    std::vector<double> heights;  ///< Row by row from the upper left, >= 0 and finite.
};

/// A picture read as vectors: where the place under each pixel goes.
/// Invariant of whoever fills it: vectors.size() == columns * rows.
struct VectorPicture {
    std::int32_t columns = 0, rows = 0;
    std::vector<Vec3> vectors;  ///< Row by row from the upper left; red, green, blue; finite.
};

/// How large a picture of heights may be. Checked before anything of that size is allocated.
struct HeightLimits {
    std::int32_t side = 4096;  ///< [pixels]; as many samples as a dent map may have.
    std::uintmax_t file_bytes = std::uintmax_t(512) << 20;
};

/// Reads a PNG or PFM file as heights; the content decides, not the name.
///
/// PNG of any kind: the stored number over the largest that fits, so 16 bits give value / 65535 to
/// the last bit. No gamma curve is undone: a relief is numbers, not light. Colours and palettes
/// count by their luminance (weights of Rec. 709), and what is see-through by its alpha.
/// PFM, grey (Pf) or colour (PF, by luminance), in both byte orders: the numbers as they are.
/// Error (`where`: the file, then the byte): another format, beyond the limits, damaged or cut
/// short, more pixels than so many bytes can hold, a number in a PFM that is negative or not
/// finite. O(pixels); a damaged file costs at most 1.1 kB per byte of it before it is refused.
Result<HeightPicture> read_heights(const std::filesystem::path& path,
                                   const HeightLimits& limits = {});

/// The same from memory. `where` of an error is the byte.
Result<HeightPicture> read_heights(std::span<const std::byte> bytes,
                                   const HeightLimits& limits = {});

/// Reads a colour PFM (PF) as vectors, of any sign, from memory.
/// Error (`where`: the byte): as read_heights, and a grey one, which has no vectors.
Result<VectorPicture> read_vectors(std::span<const std::byte> bytes,
                                   const HeightLimits& limits = {});

}  // namespace ductile
