// SPDX-License-Identifier: MIT
// A sky by eye, not by physics: gradients tuned so that bare metal has something to show and the
// sun outshines the sky on level ground about 3 to 1, as on a slightly hazy day.
#include <ductile/render/sky.h>

namespace ductile {
namespace {

const Vec3f kZenith(0.10f, 0.23f, 0.56f);
const Vec3f kHorizon(0.68f, 0.86f, 1.08f);
const Vec3f kGlow(1.0f, 0.86f, 0.66f);
const Vec3f kSunHigh(5.6f, 5.0f, 4.2f);
const Vec3f kSunLow(4.2f, 2.2f, 1.0f);
constexpr float kHazeHeight = 0.17f;  // sine of the height over which haze thins out by e

Vec3f sun_direction(const RenderOptions& o) { return o.sun_direction_w.normalized().cast<float>(); }

Vec3f sun_irradiance(const RenderOptions& o) {
    const Vec3f direction = sun_direction(o);
    if (direction.y() <= 0.0f) return Vec3f::Zero();
    return mix(kSunLow, kSunHigh, smooth_step(0.0f, 0.45f, direction.y())) *
           static_cast<float>(o.sun_strength);
}

}  // namespace

Sky::Sky(const RenderOptions& options)
    : kind_(options.sky),
      strength_(static_cast<float>(options.sky_strength)),
      sun_direction_(ductile::sun_direction(options)),
      sun_irradiance_(ductile::sun_irradiance(options)),
      sun_radius_(static_cast<float>(std::tan(options.sun_size_deg * std::numbers::pi / 360.0))),
      sun_frame_(sun_direction_) {
    const Vec3f falling =
        kPiF * gather(1.0f) + sun_irradiance_ * std::max(0.0f, sun_direction_.y());
    floor_ = options.ground_colour.cast<float>().cwiseProduct(falling) / kPiF;
    for (int i = 0; i < kAmbientSteps; ++i) {
        ambient_[i] = gather(2.0f * static_cast<float>(i) / (kAmbientSteps - 1) - 1.0f);
    }
}

Vec3f Sky::upper(const Vec3f& direction) const {
    const float height = std::max(0.0f, direction.y());
    const float haze = std::exp(-height / kHazeHeight);
    const float towards_sun = std::max(0.0f, direction.dot(sun_direction_));
    const float t2 = towards_sun * towards_sun;
    const float t8 = t2 * t2 * t2 * t2;
    const float t64 = t8 * t8 * t8 * t8 * t8 * t8 * t8 * t8;
    const Vec3f air = mix(kZenith, kHorizon, haze * (0.92f + 0.08f * towards_sun));
    return air + kGlow * (sun_direction_.y() > 0.0f ? 0.10f * t8 + 0.45f * t64 : 0.0f);
}

Vec3f Sky::horizon(const Vec3f& direction) const {
    if (kind_ == SkyKind::Uniform) return Vec3f::Constant(strength_);
    return upper(Vec3f(direction.x(), 0.0f, direction.z()).normalized()) * strength_;
}

Vec3f Sky::radiance(const Vec3f& direction) const {
    if (kind_ == SkyKind::Uniform) return Vec3f::Constant(strength_);
    if (direction.y() >= 0.0f) return upper(direction) * strength_;
    // The steeper one looks down, the nearer the floor and the less air before it.
    const float floor_share = 1.0f - std::exp(direction.y() * 18.0f);
    const Vec3f level = upper(Vec3f(direction.x(), 0.0f, direction.z())) * strength_;
    return mix(level, floor_, floor_share);
}

// Midpoints of a grid that is even in the cosine-weighted measure around the normal, which leans
// away from the sun's side by a quarter turn: neither towards the glow nor away from it.
Vec3f Sky::gather(float normal_y) const {
    constexpr int kRings = 12, kSpokes = 24;
    const float level = std::sqrt(std::max(0.0f, 1.0f - normal_y * normal_y));
    Vec3f aside = Vec3f(sun_direction_.z(), 0.0f, -sun_direction_.x());
    aside = aside.norm() > 1e-6f ? Vec3f(aside.normalized()) : Vec3f(1, 0, 0);
    const TangentFrame frame(Vec3f(level * aside.x(), normal_y, level * aside.z()));
    Vec3f sum = Vec3f::Zero();
    for (int r = 0; r < kRings; ++r) {
        const float radius = std::sqrt((static_cast<float>(r) + 0.5f) / kRings);
        const float up = std::sqrt(1.0f - radius * radius);
        for (int s = 0; s < kSpokes; ++s) {
            const float angle = 2.0f * kPiF * (static_cast<float>(s) + 0.5f) / kSpokes;
            sum +=
                radiance(frame.to_world({radius * std::cos(angle), radius * std::sin(angle), up}));
        }
    }
    return sum / static_cast<float>(kRings * kSpokes);
}

Vec3f Sky::ambient(const Vec3f& normal) const {
    const float at = (std::clamp(normal.y(), -1.0f, 1.0f) + 1.0f) * 0.5f * (kAmbientSteps - 1);
    const int low = std::min(static_cast<int>(at), kAmbientSteps - 2);
    return mix(ambient_[low], ambient_[low + 1], at - static_cast<float>(low));
}

Vec3f Sky::sample_sun(float u, float v) const {
    const float radius = sun_radius_ * std::sqrt(u);
    const float angle = 2.0f * kPiF * v;
    return sun_frame_.to_world({radius * std::cos(angle), radius * std::sin(angle), 1.0f})
        .normalized();
}

}  // namespace ductile
