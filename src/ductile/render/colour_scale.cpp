// SPDX-License-Identifier: MIT
// Colours are blended in OKLab: Bjoern Ottosson 2020, "A perceptual color space for image
// processing". Six colours for six directions, weighted by the squares of the direction's parts:
// the ambient cube of Mitchell, McTaggart and Green 2006, "Shading in Valve's Source Engine".
#include <ductile/core/assert.h>
#include <ductile/record/example_colours.h>
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

Vec3f DamageScale::colour(const Vec3f& measure) const {
    DUCTILE_ASSERT(by != ColourBy::None && range > 0.0, "a scale for something");
    if (by == ColourBy::Example) return example_colour(measure.cast<double>()).cast<float>();
    const float end = static_cast<float>(range);
    Vec3f lab = along_scale(measure.x() / end);
    if (by == ColourBy::Scratch) lab = by_direction(measure, end);
    return linear_from_oklab(lab.cast<double>()).cast<float>().cwiseMax(0.0f).cwiseMin(1.0f);
}

}  // namespace ductile
