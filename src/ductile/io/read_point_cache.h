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

/// Where every point of a mesh is at some times: what modellers bake an animation into.
struct PointCache {
    std::vector<double> times;  ///< Of the samples, ascending: MDD [s]; PC2 [frames].
    bool is_in_seconds = false;
    std::int32_t point_count = 0;
    std::vector<std::vector<Vec3>> samples;  ///< As many as times, each of point_count places.
};

/// How much a cache may ask for. Checked before anything of that size is allocated.
struct PointCacheLimits {
    std::uintmax_t file_bytes = std::uintmax_t(4) << 30;
    std::size_t points = 5'000'000;
    std::size_t samples = 1'000'000;
};

/// Reads a PC2 or MDD file; the content decides, not the name: a PC2 says what it is, anything else
/// must be an MDD to the byte.
///
/// Error (`where`: the file, then the byte): neither, beyond the limits, cut short or with
/// bytes left over, a place or time that is not finite, times that do not ascend. O(bytes).
Result<PointCache> read_point_cache(const std::filesystem::path& path,
                                    const PointCacheLimits& limits = {});

/// The same from memory. `where` of an error is the byte.
Result<PointCache> read_point_cache(std::span<const std::byte> bytes,
                                    const PointCacheLimits& limits = {});

}  // namespace ductile
