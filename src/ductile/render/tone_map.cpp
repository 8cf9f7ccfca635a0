// SPDX-License-Identifier: MIT
// The curve is Stephen Hill's fit of the Academy's reference transforms (ACES RRT and ODT, 2016).
// Dithering by Jimenez' interleaved gradient noise (2014, "Next Generation Post Processing").
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/render/shading_math.h>
#include <ductile/render/tone_map.h>

namespace ductile {
namespace {

// Middle grey in the default daylight lands where a photographer would put it.
constexpr float kBaseExposure = 1.1f;

Vec3f film_curve(const Vec3f& light) {
    Eigen::Matrix3f into, out_of;
    into << 0.59719f, 0.35458f, 0.04823f, 0.07600f, 0.90834f, 0.01566f, 0.02840f, 0.13383f,
        0.83777f;
    out_of << 1.60475f, -0.53108f, -0.07367f, -0.10208f, 1.10813f, -0.00605f, -0.00327f, -0.07276f,
        1.07602f;
    const Eigen::Array3f v = (into * light).array();
    const Eigen::Array3f toe = v * (v + 0.0245786f) - 0.000090537f;
    const Eigen::Array3f shoulder = v * (0.983729f * v + 0.4329510f) + 0.238081f;
    return (out_of * (toe / shoulder).matrix()).cwiseMax(0.0f).cwiseMin(1.0f);
}

float to_srgb(float x) {
    return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1.0f / 2.4f) - 0.055f;
}

float dither(std::int32_t x, std::int32_t y) {
    const float a = 0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y);
    const float b = 52.9829189f * (a - std::floor(a));
    return b - std::floor(b);
}

}  // namespace

Image develop(const Radiance& light, double exposure, ToneCurve curve) {
    DUCTILE_ASSERT(light.rgb.size() == std::size_t(3) * light.width * light.height,
                   "three numbers a pixel");
    const bool is_film = curve == ToneCurve::Film;
    const float scale = (is_film ? kBaseExposure : 1.0f) * static_cast<float>(std::exp2(exposure));
    Image image{light.width, light.height, std::vector<std::uint8_t>(light.rgb.size())};
    parallel_for(static_cast<std::size_t>(light.height), 8, [&](std::size_t row) {
        for (std::int32_t x = 0; x < light.width; ++x) {
            const std::size_t at = 3 * (row * light.width + x);
            Vec3f c(light.rgb[at], light.rgb[at + 1], light.rgb[at + 2]);
            c = c.allFinite() ? Vec3f((scale * c).cwiseMax(0.0f).cwiseMin(1e4f)) : Vec3f(0, 0, 0);
            c = is_film ? film_curve(c) : Vec3f(c.cwiseMin(1.0f));
            const float d = dither(x, static_cast<std::int32_t>(row));
            for (int k = 0; k < 3; ++k) {
                image.rgb[at + k] = static_cast<std::uint8_t>(
                    std::min(255.0f, std::floor(255.0f * to_srgb(c[k]) + d)));
            }
        }
    });
    return image;
}

}  // namespace ductile
