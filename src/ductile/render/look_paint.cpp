// SPDX-License-Identifier: MIT
#include <ductile/render/look_paint.h>
#include <ductile/render/noise.h>

namespace ductile {
namespace {

constexpr float kDielectric = 0.04f;       // head-on reflectance of paint, plastic, stone
constexpr float kMineralRoughness = 0.7f;  // from here on a matte look is taken for a mineral one
constexpr float kGlowShare = 0.5f;         // of a colour that means something: read it in shadow
constexpr float kPlainGrey = 0.4f;         // of bodies that take no damage among those that do
constexpr double kJointSpacing = 4.0;      // [m]
constexpr double kJointWidth = 0.012;      // [m]

/// Relative brightness of concrete: broad stains, blotches of a hand's size, grain.
float concrete_shade(const Vec3& p, double footprint) {
    const float stains = fractal_noise(p * 0.7, 2, footprint * 0.7);
    const float blotches = fractal_noise(p * 6.0, 2, footprint * 6.0);
    const float grain = fractal_noise(p * 90.0, 2, footprint * 90.0);
    return 1.0f + 0.16f * stains + 0.10f * blotches + 0.14f * grain;
}

/// Share of the footprint that a joint covers, along one axis.
double joint_cover(double x, double footprint) {
    const double width = kJointWidth + footprint;
    const double away = std::abs(x - kJointSpacing * std::round(x / kJointSpacing));
    const double edge =
        std::clamp((0.5 * width - away) / (0.5 * footprint + 0.003) + 0.5, 0.0, 1.0);
    return edge * kJointWidth / width;
}

}  // namespace

Paint paint_of(const Look& look, const Vec3f& tint, const Vec3& rest_b, double footprint,
               double variation) {
    Paint paint;
    // Colours beyond white would reflect more light than falls on them.
    const Vec3f base =
        look.base_colour.cast<float>().cwiseProduct(tint).cwiseMax(0.0f).cwiseMin(1.0f);
    const float metallic = static_cast<float>(look.metallic);
    paint.matte = base * (1.0f - metallic);
    paint.mirror = mix(Vec3f(Vec3f::Constant(kDielectric)), base, metallic);
    paint.roughness = static_cast<float>(look.roughness);
    paint.opacity = static_cast<float>(look.opacity);
    if (variation <= 0.0) return paint;
    const float amount = static_cast<float>(variation);
    if (metallic > 0.5f) {
        const float smudge = fractal_noise(rest_b * 9.0, 3, footprint * 9.0);
        paint.roughness =
            std::clamp(paint.roughness * (1.0f + 0.30f * amount * smudge), 0.02f, 1.0f);
        paint.mirror =
            paint.mirror * std::clamp(1.0f - 0.06f * amount * (1.0f + smudge), 0.0f, 1.0f);
    } else if (paint.roughness >= kMineralRoughness) {
        const float shade = 1.0f + amount * (concrete_shade(rest_b, footprint) - 1.0f);
        paint.matte = (paint.matte * shade).cwiseMax(0.0f).cwiseMin(1.0f);
    }
    return paint;
}

Paint paint_of_damage(const Look& look, float alpha, const Vec3f* measure,
                      const DamageScale& scale) {
    Paint paint;
    const Vec3f colour = measure ? scale.colour(*measure) : Vec3f(Vec3f::Constant(kPlainGrey));
    paint.glow = kGlowShare * colour;
    paint.matte = (1.0f - kGlowShare) * colour;
    paint.mirror = Vec3f::Constant(kDielectric);
    paint.roughness = kMineralRoughness;
    paint.opacity = static_cast<float>(look.opacity);
    if (paint.opacity < 1.0f) paint.opacity *= alpha;
    return paint;
}

Paint paint_of_ground(const Vec3& colour, const Vec3& place_w, double footprint, double variation) {
    Paint paint;
    paint.roughness = 0.85f;
    const float amount = static_cast<float>(variation);
    float shade = 1.0f;
    if (amount > 0.0f) {
        shade += amount * (concrete_shade(place_w, footprint) - 1.0f);
        const double joints = std::max(joint_cover(place_w.x() + 1.3, footprint),
                                       joint_cover(place_w.z() + 0.9, footprint));
        shade *= 1.0f - std::min(1.0f, 0.6f * amount) * static_cast<float>(joints);
    }
    paint.matte = (colour.cast<float>() * shade).cwiseMax(0.0f).cwiseMin(1.0f);
    return paint;
}

}  // namespace ductile
