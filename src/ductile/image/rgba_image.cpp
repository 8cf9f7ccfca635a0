// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/image/rgba_image.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

constexpr std::size_t kRowsPerTask = 16;

std::array<float, 256> make_linear_levels() {
    std::array<float, 256> out{};
    for (int i = 0; i < 256; ++i) {
        const double x = i / 255.0;
        out[i] = static_cast<float>(x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
    }
    return out;
}

/// The level whose light is nearest.
std::uint8_t nearest_level(float light) {
    const std::span<const float> levels = linear_levels();
    const auto above = std::lower_bound(levels.begin(), levels.end(), light);
    if (above == levels.begin()) return 0;
    if (above == levels.end()) return 255;
    const bool is_upper = *above - light < light - *(above - 1);
    return static_cast<std::uint8_t>(above - levels.begin() - (is_upper ? 0 : 1));
}

/// The pixels of one side that a pixel of half the size covers: two, or three in part.
struct Covered {
    std::int32_t first = 0;
    std::int32_t count = 0;
    std::array<float, 3> share = {};

    Covered(std::int32_t at, std::int32_t from, std::int32_t to) {
        const double scale = double(from) / to;
        const double begin = at * scale, end = (at + 1) * scale;
        first = static_cast<std::int32_t>(begin);
        for (std::int32_t i = first; i < from && i < end && count < 3; ++i) {
            share[count++] =
                static_cast<float>(std::min(end, i + 1.0) - std::max(begin, double(i)));
        }
    }
};

void average(const RgbaImage& from, const Covered& across, const Covered& down, std::uint8_t* out) {
    const std::span<const float> levels = linear_levels();
    float opaque[3] = {}, plain[3] = {}, alpha = 0.0f, area = 0.0f;
    for (std::int32_t j = 0; j < down.count; ++j) {
        for (std::int32_t i = 0; i < across.count; ++i) {
            const float share = down.share[j] * across.share[i];
            const std::uint8_t* pixel =
                &from.rgba[4 * (std::size_t(down.first + j) * from.width + across.first + i)];
            const float weight = share * static_cast<float>(pixel[3]) / 255.0f;
            for (int k = 0; k < 3; ++k) {
                plain[k] += share * levels[pixel[k]];
                opaque[k] += weight * levels[pixel[k]];
            }
            alpha += weight;
            area += share;
        }
    }
    for (int k = 0; k < 3; ++k) {
        out[k] = nearest_level(alpha > 0.0f ? opaque[k] / alpha : plain[k] / area);
    }
    out[3] = static_cast<std::uint8_t>(std::lround(std::min(1.0f, alpha / area) * 255.0f));
}

}  // namespace

std::span<const float> linear_levels() {
    static const std::array<float, 256> levels = make_linear_levels();
    return levels;
}

RgbaImage halved(const RgbaImage& image) {
    RgbaImage half{std::max(1, image.width / 2), std::max(1, image.height / 2), {}};
    half.rgba.resize(std::size_t(4) * half.width * half.height);
    parallel_for(static_cast<std::size_t>(half.height), kRowsPerTask, [&](std::size_t y) {
        const Covered down(static_cast<std::int32_t>(y), image.height, half.height);
        for (std::int32_t x = 0; x < half.width; ++x) {
            const Covered across(x, image.width, half.width);
            average(image, across, down, &half.rgba[4 * (y * half.width + x)]);
        }
    });
    return half;
}

}  // namespace ductile
