// SPDX-License-Identifier: MIT
// Colours are blended in OKLab: Bjoern Ottosson 2020, "A perceptual color space for image
// processing". Six colours for six directions, weighted by the squares of the direction's parts:
// the ambient cube of Mitchell, McTaggart and Green 2006, "Shading in Valve's Source Engine".
#include <ductile/core/assert.h>
#include <ductile/render/colour_scale.h>

#include <array>

namespace ductile {
namespace {

// Lightness, chroma and hue [deg] of the ends of scales, all within what screens show.
Vec3f from_polar(float lightness, float chroma, float hue_deg) {
    const float hue = hue_deg * kPiF / 180.0f;
    return {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
}

struct ScaleColours {
    Vec3f blue = from_polar(0.38f, 0.11f, 268.0f);
    Vec3f teal = from_polar(0.62f, 0.095f, 185.0f);
    Vec3f yellow = from_polar(0.91f, 0.16f, 104.0f);
    Vec3f pink = from_polar(0.80f, 0.13f, 350.0f);
    Vec3f grey = {0.38f, 0.0f, 0.0f};
    /// +x, -x, +y, -y, +z, -z: ends of an axis are as unlike as can be.
    std::array<Vec3f, 6> directions = {
        from_polar(0.72f, 0.12f, 25.0f),  from_polar(0.72f, 0.12f, 195.0f),
        from_polar(0.72f, 0.12f, 145.0f), from_polar(0.72f, 0.12f, 325.0f),
        from_polar(0.72f, 0.12f, 262.0f), from_polar(0.72f, 0.12f, 95.0f)};
    Vec3f white = {0.97f, 0.0f, 0.0f};
    /// Neighbours in this order are as unlike as can be.
    std::array<Vec3f, 8> poses = {
        from_polar(0.58f, 0.20f, 27.0f),  from_polar(0.62f, 0.17f, 145.0f),
        from_polar(0.52f, 0.19f, 265.0f), from_polar(0.80f, 0.16f, 92.0f),
        from_polar(0.60f, 0.20f, 330.0f), from_polar(0.70f, 0.11f, 205.0f),
        from_polar(0.68f, 0.16f, 55.0f),  from_polar(0.50f, 0.16f, 300.0f)};
};

const ScaleColours& scale_colours() {
    static const ScaleColours colours;
    return colours;
}

Vec3f along_scale(float share) {
    const ScaleColours& c = scale_colours();
    if (share < 0.0f) return mix(c.blue, c.pink, std::min(1.0f, -share));
    // Teal sits where both parts of the way are equally steep.
    const float first = (c.teal - c.blue).norm(), second = (c.yellow - c.teal).norm();
    const float way = std::min(1.0f, share) * (first + second);
    return way < first ? mix(c.blue, c.teal, way / first)
                       : mix(c.teal, c.yellow, (way - first) / second);
}

Vec3f by_direction(const Vec3f& scratch, float range) {
    const ScaleColours& c = scale_colours();
    const float length = scratch.norm();
    if (!(length > 0.0f)) return c.grey;
    Vec3f hue = Vec3f::Zero();
    for (int axis = 0; axis < 3; ++axis) {
        const float part = scratch[axis] / length;
        hue += part * part * c.directions[2 * axis + (part < 0.0f ? 1 : 0)];
    }
    return mix(c.grey, hue, std::min(1.0f, length / range));
}

}  // namespace

Vec3f linear_from_oklab(const Vec3f& lab) {
    const Vec3f cones(lab.x() + 0.3963377774f * lab.y() + 0.2158037573f * lab.z(),
                      lab.x() - 0.1055613458f * lab.y() - 0.0638541728f * lab.z(),
                      lab.x() - 0.0894841775f * lab.y() - 1.2914855480f * lab.z());
    const Vec3f l = cones.cwiseProduct(cones).cwiseProduct(cones);
    return {4.0767416621f * l.x() - 3.3077115913f * l.y() + 0.2309699292f * l.z(),
            -1.2684380046f * l.x() + 2.6097574011f * l.y() - 0.3413193965f * l.z(),
            -0.0041960863f * l.x() - 0.7034186147f * l.y() + 1.7076147010f * l.z()};
}

Vec3f example_tint(std::size_t pose) {
    const ScaleColours& c = scale_colours();
    const float lighter = (pose / c.poses.size()) % 2 == 0 ? 1.0f : 0.55f;
    return lighter * (c.poses[pose % c.poses.size()] - c.white);
}

Vec3f DamageScale::colour(const Vec3f& measure) const {
    DUCTILE_ASSERT(by != ColourBy::None && range > 0.0, "a scale for something");
    const float end = static_cast<float>(range);
    Vec3f lab = along_scale(measure.x() / end);
    if (by == ColourBy::Scratch) lab = by_direction(measure, end);
    if (by == ColourBy::Example) lab = scale_colours().white + measure;
    return linear_from_oklab(lab).cwiseMax(0.0f).cwiseMin(1.0f);
}

}  // namespace ductile
