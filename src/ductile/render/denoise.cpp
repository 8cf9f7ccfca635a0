// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/render/denoise.h>

namespace ductile {
namespace {

// Luminance steps below this are not worth keeping apart, even where no noise was measured.
constexpr float kLeastContrast = 0.004f;

/// A B-spline over 5 x 5 pixels, spread out by `step`.
constexpr float kKernel[3] = {6.0f / 16.0f, 4.0f / 16.0f, 1.0f / 16.0f};

struct Pass {
    std::int32_t width, height;
    std::int32_t step;
    const std::vector<PixelSurface>& surface;
    const DenoiseOptions& options;
    const LightLayer& in;
    LightLayer& out;
};

// A single pixel's variance, from few samples, is itself noise: its neighbours' mean is steadier.
float steady_variance(const Pass& p, std::int32_t x, std::int32_t y) {
    float sum = 0.0f, weights = 0.0f;
    for (std::int32_t j = std::max(0, y - 1); j <= std::min(p.height - 1, y + 1); ++j) {
        for (std::int32_t i = std::max(0, x - 1); i <= std::min(p.width - 1, x + 1); ++i) {
            const float w = (i == x ? 2.0f : 1.0f) * (j == y ? 2.0f : 1.0f);
            sum += w * p.in.variance[std::size_t(j) * p.width + i];
            weights += w;
        }
    }
    return sum / weights;
}

/// How far two pixels show one surface, 0 to 1.
float likeness(const PixelSurface& a, const PixelSurface& b, float normal_power, float step) {
    const float cosine = a.normal.dot(b.normal);
    if (!(cosine > 0.0f)) return 0.0f;
    const float same_way = std::exp2(normal_power * 1.4427f * std::min(0.0f, cosine - 1.0f));
    // Distance from the tangent plane, in pixels: curvature may add a little per step.
    const float off = std::abs(a.normal.dot(b.position - a.position)) / (a.reach * step + 1e-9f);
    return same_way / (1.0f + off * off * off * off);
}

void smooth_pixel(const Pass& p, std::int32_t x, std::int32_t y) {
    const std::size_t at = std::size_t(y) * p.width + x;
    const PixelSurface& here = p.surface[at];
    p.out.light[at] = p.in.light[at];
    p.out.variance[at] = p.in.variance[at];
    if (here.normal.isZero()) return;
    const float own = luminance(p.in.light[at]);
    const float tolerance =
        p.options.contrast * std::sqrt(steady_variance(p, x, y)) + kLeastContrast;
    Vec3f light = Vec3f::Zero();
    float variance = 0.0f, weights = 0.0f;
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
        const std::int32_t j = y + dy * p.step;
        if (j < 0 || j >= p.height) continue;
        for (std::int32_t dx = -2; dx <= 2; ++dx) {
            const std::int32_t i = x + dx * p.step;
            if (i < 0 || i >= p.width) continue;
            const std::size_t there = std::size_t(j) * p.width + i;
            float w = kKernel[std::abs(dx)] * kKernel[std::abs(dy)];
            if (there != at) {
                const float apart = (luminance(p.in.light[there]) - own) / tolerance;
                if (apart * apart >= 1.0f) continue;
                const float near = 1.0f - apart * apart;
                w *= near * near *
                     likeness(here, p.surface[there], p.options.normal_power,
                              static_cast<float>(p.step));
            }
            light += w * p.in.light[there];
            variance += w * w * p.in.variance[there];
            weights += w;
        }
    }
    p.out.light[at] = light / weights;
    p.out.variance[at] = variance / (weights * weights);
}

}  // namespace

void denoise(std::int32_t width, std::int32_t height, const std::vector<PixelSurface>& surface,
             const DenoiseOptions& options, LightLayer& layer) {
    const std::size_t pixels = std::size_t(width) * height;
    DUCTILE_ASSERT(
        surface.size() == pixels && layer.light.size() == pixels && layer.variance.size() == pixels,
        "one entry per pixel");
    LightLayer other{std::vector<Vec3f>(pixels), std::vector<float>(pixels)};
    for (int pass = 0; pass < options.passes; ++pass) {
        const Pass p{width, height, 1 << pass, surface, options, layer, other};
        parallel_for(static_cast<std::size_t>(height), 4, [&](std::size_t y) {
            for (std::int32_t x = 0; x < width; ++x) {
                smooth_pixel(p, x, static_cast<std::int32_t>(y));
            }
        });
        std::swap(layer, other);
    }
}

}  // namespace ductile
