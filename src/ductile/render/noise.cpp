// SPDX-License-Identifier: MIT
#include <ductile/render/noise.h>
#include <ductile/render/sampler.h>
#include <ductile/render/shading_math.h>

#include <cmath>
#include <cstdint>

namespace ductile {
namespace {

constexpr double kLargest = 1e9;  // lattice coordinates stay within 32 bits

float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

/// The slope at a lattice point, one of Perlin's twelve, times the way from there.
float slope(std::uint32_t corner, float x, float y, float z) {
    const std::uint32_t h = corner >> 28;
    const float a = h < 8 ? x : y;
    const float b = h < 4 ? y : (h == 12 || h == 14 ? x : z);
    return ((h & 1) ? -a : a) + ((h & 2) ? -b : b);
}

std::uint32_t lattice(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return PixelSampler::hash(x * 0x9e3779b1U ^ y * 0x85ebca77U ^ z * 0xc2b2ae3dU);
}

}  // namespace

float gradient_noise(const Vec3& p) {
    if (!(p.cwiseAbs().maxCoeff() < kLargest)) return 0.0f;
    const Vec3 cell = p.array().floor();
    const float x = static_cast<float>(p.x() - cell.x());
    const float y = static_cast<float>(p.y() - cell.y());
    const float z = static_cast<float>(p.z() - cell.z());
    const auto i = static_cast<std::uint32_t>(static_cast<std::int32_t>(cell.x()));
    const auto j = static_cast<std::uint32_t>(static_cast<std::int32_t>(cell.y()));
    const auto k = static_cast<std::uint32_t>(static_cast<std::int32_t>(cell.z()));
    float planes[2];
    for (std::uint32_t c = 0; c < 2; ++c) {
        const float dz = z - static_cast<float>(c);
        const float low = mix(slope(lattice(i, j, k + c), x, y, dz),
                              slope(lattice(i + 1, j, k + c), x - 1, y, dz), fade(x));
        const float high = mix(slope(lattice(i, j + 1, k + c), x, y - 1, dz),
                               slope(lattice(i + 1, j + 1, k + c), x - 1, y - 1, dz), fade(x));
        planes[c] = mix(low, high, fade(y));
    }
    return mix(planes[0], planes[1], fade(z));
}

float fractal_noise(const Vec3& p, int octaves, double footprint) {
    float sum = 0.0f;
    float weight = 0.5f;
    double frequency = 1.0;
    for (int i = 0; i < octaves; ++i, weight *= 0.5f, frequency *= 2.0) {
        const float shown =
            1.0f - smooth_step(0.4f, 1.0f, static_cast<float>(footprint * frequency));
        if (shown <= 0.0f) break;
        // Each octave is shifted, or all would be 0 at the origin.
        const Vec3 q = frequency * p + Vec3::Constant(17.31 * (i + 1));
        sum += shown * weight * gradient_noise(q);
    }
    return sum * 1.4f;
}

}  // namespace ductile
