// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace ductile {

/// What a pair of sample numbers is used for; each use has its own shuffle.
enum class SampleUse : std::uint32_t { Pixel, Sun, Bounce, Gloss, BounceSun, GlossSun };

/// Well-spread sample points for pictures: the same pixel always gets the same points.
///
/// The first two Sobol dimensions with hashed Owen scrambling (Burley 2020, "Practical Hash-based
/// Owen Scrambling"), walked through along a Z-order curve over the picture (Ahmed and Wonka 2020,
/// "Screen-Space Blue-Noise Diffusion of Monte Carlo Sampling Error via Hierarchical Ordering of
/// Pixels"): a pixel's samples are stratified, and neighbouring pixels err in different
/// directions, which the eye and the denoiser average out. Nothing depends on the frame, so that
/// what does not move does not flicker.
class PixelSampler {
public:
    /// Requires: samples >= 1; x, y >= 0.
    PixelSampler(std::int32_t x, std::int32_t y, std::int32_t samples)
        : first_(morton(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))
                 << std::bit_width(static_cast<std::uint32_t>(samples - 1))) {}

    struct Pair {
        float u, v;  ///< In [0, 1).
    };
    Pair pair(std::uint32_t sample, SampleUse use) const {
        const std::uint32_t seed = hash(static_cast<std::uint32_t>(use) + 1);
        const std::uint32_t index = reverse(scramble(reverse(first_ + sample), seed));
        return {unit(reverse(scramble(index, hash(seed ^ 0x51633e2dU)))),
                unit(reverse(scramble(pascal(index), hash(seed ^ 0x68bc21ebU))))};
    }

    /// A hash for choices that need no spreading.
    static std::uint32_t hash(std::uint32_t x) {
        x ^= x >> 16;
        x *= 0x7feb352dU;
        x ^= x >> 15;
        x *= 0x846ca68bU;
        return x ^ (x >> 16);
    }

private:
    static float unit(std::uint32_t x) { return static_cast<float>(x >> 8) * 0x1.0p-24f; }

    static std::uint32_t reverse(std::uint32_t x) {
        x = (x & 0x55555555U) << 1 | (x >> 1 & 0x55555555U);
        x = (x & 0x33333333U) << 2 | (x >> 2 & 0x33333333U);
        x = (x & 0x0f0f0f0fU) << 4 | (x >> 4 & 0x0f0f0f0fU);
        x = (x & 0x00ff00ffU) << 8 | (x >> 8 & 0x00ff00ffU);
        return x << 16 | x >> 16;
    }
    /// Laine and Karras' permutation: every bit depends on the seed and the bits below it.
    static std::uint32_t scramble(std::uint32_t x, std::uint32_t seed) {
        x += seed;
        x ^= x * 0x6c50b47cU;
        x ^= x * 0xb82f1e52U;
        x ^= x * 0xc7afe638U;
        return x ^ x * 0x8d22f6e6U;
    }
    /// The second Sobol dimension before its bits are reversed: its matrix is Pascal's triangle
    /// modulo 2, a Kronecker power of ((1, 1), (0, 1)), hence five steps instead of a loop.
    static std::uint32_t pascal(std::uint32_t x) {
        x ^= x >> 16 & 0x0000ffffU;
        x ^= x >> 8 & 0x00ff00ffU;
        x ^= x >> 4 & 0x0f0f0f0fU;
        x ^= x >> 2 & 0x33333333U;
        return x ^ (x >> 1 & 0x55555555U);
    }
    static std::uint32_t spread(std::uint32_t x) {
        x &= 0x3ffU;  // beyond 1024 pixels the pattern repeats, unseen
        x = (x | x << 8) & 0x00ff00ffU;
        x = (x | x << 4) & 0x0f0f0f0fU;
        x = (x | x << 2) & 0x33333333U;
        return (x | x << 1) & 0x55555555U;
    }
    static std::uint32_t morton(std::uint32_t x, std::uint32_t y) {
        return spread(x) | spread(y) << 1;
    }

    std::uint32_t first_;
};

}  // namespace ductile
