// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/render/denoise.h>

#include <array>

namespace ductile {
namespace {

// Luminance steps below this are not worth keeping apart, even where no noise was measured.
constexpr float kLeastContrast = 0.004f;

/// A tent over 3 x 3 pixels, spread out by `step`.
constexpr float kKernel[2] = {2.0f / 4.0f, 1.0f / 4.0f};

/// A layer on its way from one pass to the next.
struct Running {
    const LightLayer* layer;
    const std::vector<PixelLight>* in;
    std::vector<PixelLight>* out;
};

struct Pass {
    std::int32_t width, height;
    std::int32_t step;
    std::span<const PixelSurface> surface;
    std::span<const Running> layers;
};

/// A mean on its way, and what its own pixel allows.
struct Gathering {
    float own = 0.0f;  ///< Luminance in the middle.
    float inverse_tolerance = 0.0f;
    Vec3f light = Vec3f::Zero();
    float variance = 0.0f;
    float weights = 0.0f;

    void add(const PixelLight& p, float w) {
        light += w * p.light;
        variance += w * w * p.variance;
        weights += w;
    }
};

// A single pixel's variance, from few samples, is itself noise: its neighbours' mean is steadier.
float steady_variance(const Pass& p, const std::vector<PixelLight>& in, std::int32_t x,
                      std::int32_t y) {
    float sum = 0.0f, weights = 0.0f;
    for (std::int32_t j = std::max(0, y - 1); j <= std::min(p.height - 1, y + 1); ++j) {
        for (std::int32_t i = std::max(0, x - 1); i <= std::min(p.width - 1, x + 1); ++i) {
            const float w = (i == x ? 2.0f : 1.0f) * (j == y ? 2.0f : 1.0f);
            sum += w * in[std::size_t(j) * p.width + i].variance;
            weights += w;
        }
    }
    return sum / weights;
}

/// exp(-x) to a few percent, and exactly 0 from 8 on.
float fall_off(float x) {
    const float t = std::max(0.0f, 1.0f - 0.125f * x);
    const float t2 = t * t;
    const float t4 = t2 * t2;
    return t4 * t4;
}

void add_neighbour(const Pass& p, const PixelSurface& here, std::size_t there, float kernel,
                   std::array<Gathering, kMostLayers>& sums) {
    const PixelSurface& other = p.surface[there];
    const float apart = std::max(0.0f, 1.0f - here.normal.dot(other.normal));
    if (apart >= 1.0f) return;
    // Distance from the tangent plane, in pixels: curvature may add a little per step.
    const float off = here.normal.dot(other.position - here.position) /
                      (here.reach * static_cast<float>(p.step) + 1e-9f);
    const float off_sq = off * off;
    const float same_place = kernel / (1.0f + off_sq * off_sq);
    for (std::size_t k = 0; k < p.layers.size(); ++k) {
        const PixelLight& light = (*p.layers[k].in)[there];
        const float contrast = (luminance(light.light) - sums[k].own) * sums[k].inverse_tolerance;
        const float near = 1.0f - contrast * contrast;
        if (near <= 0.0f) continue;
        sums[k].add(light,
                    same_place * near * near * fall_off(p.layers[k].layer->normal_power * apart));
    }
}

void smooth_pixel(const Pass& p, std::int32_t x, std::int32_t y) {
    const std::size_t at = std::size_t(y) * p.width + x;
    const PixelSurface& here = p.surface[at];
    for (const Running& r : p.layers) (*r.out)[at] = (*r.in)[at];
    if (here.normal.isZero()) return;
    std::array<Gathering, kMostLayers> sums;
    for (std::size_t k = 0; k < p.layers.size(); ++k) {
        const Running& r = p.layers[k];
        const float noise = std::sqrt(steady_variance(p, *r.in, x, y));
        sums[k].own = luminance((*r.in)[at].light);
        sums[k].inverse_tolerance = 1.0f / (r.layer->contrast * noise + kLeastContrast);
        sums[k].add((*r.in)[at], kKernel[0] * kKernel[0]);
    }
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        const std::int32_t j = y + dy * p.step;
        if (j < 0 || j >= p.height) continue;
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::int32_t i = x + dx * p.step;
            if (i < 0 || i >= p.width || (dx == 0 && dy == 0)) continue;
            add_neighbour(p, here, std::size_t(j) * p.width + i,
                          kKernel[std::abs(dx)] * kKernel[std::abs(dy)], sums);
        }
    }
    for (std::size_t k = 0; k < p.layers.size(); ++k) {
        const float w = sums[k].weights;
        (*p.layers[k].out)[at] = {sums[k].light / w, sums[k].variance / (w * w)};
    }
}

}  // namespace

void denoise(std::int32_t width, std::int32_t height, std::span<const PixelSurface> surface,
             std::span<LightLayer> layers) {
    const std::size_t pixels = std::size_t(width) * height;
    DUCTILE_ASSERT(surface.size() == pixels && layers.size() <= kMostLayers, "as the header asks");
    std::vector<std::vector<PixelLight>> others(layers.size(), std::vector<PixelLight>(pixels));
    for (int pass = 0;; ++pass) {
        std::vector<Running> running;
        for (std::size_t k = 0; k < layers.size(); ++k) {
            DUCTILE_ASSERT(layers[k].pixels.size() == pixels, "one entry per pixel");
            if (pass < layers[k].passes)
                running.push_back({&layers[k], &layers[k].pixels, &others[k]});
        }
        if (running.empty()) return;
        const Pass p{width, height, 1 << pass, surface, running};
        parallel_for(static_cast<std::size_t>(height), 4, [&](std::size_t y) {
            for (std::int32_t x = 0; x < width; ++x)
                smooth_pixel(p, x, static_cast<std::int32_t>(y));
        });
        for (std::size_t k = 0; k < layers.size(); ++k) {
            if (pass < layers[k].passes) std::swap(layers[k].pixels, others[k]);
        }
    }
}

}  // namespace ductile
