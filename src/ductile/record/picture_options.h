// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace ductile {

/// What lights a picture besides the sun.
enum class SkyKind {
    Clear,    ///< A blue sky with haze at the horizon and a glow around the sun.
    Uniform,  ///< The same white radiance, sky_strength, from everywhere: for tests and studies.
};
inline std::span<const std::string_view> enum_names(SkyKind) {
    static constexpr std::string_view names[] = {"clear", "uniform"};
    return names;
}

/// What the colours of bodies show.
enum class ColourBy {
    None,     ///< What they look like.
    Depth,    ///< How far each place was pushed in.
    Strain,   ///< How much it was stretched or squeezed.
    Scratch,  ///< Which way it was dragged along the surface, in the body's frame, and how far.
    Example,  ///< How much each place has of which example pose; white at rest.
};
inline std::span<const std::string_view> enum_names(ColourBy) {
    static constexpr std::string_view names[] = {"none", "depth", "strain", "scratch", "example"};
    return names;
}

/// Where a picture says what its colours mean.
enum class LegendPlace { LowerLeft, LowerRight, UpperLeft, UpperRight, None };
inline std::span<const std::string_view> enum_names(LegendPlace) {
    static constexpr std::string_view names[] = {"lower_left", "lower_right", "upper_left",
                                                 "upper_right", "none"};
    return names;
}

/// How a picture is made. Plain data; every default is usable as it stands. Scenes and the
/// renderer share it.
struct PictureOptions {
    std::int32_t width = 640;   ///< [pixels]
    std::int32_t height = 360;  ///< [pixels]
    std::int32_t samples = 8;   ///< Camera rays per pixel; powers of two spread best.
    double exposure = 0.0;      ///< Brightening of the picture [stops].
    bool is_denoised = true;    ///< Smooth the light (not the textures) between like pixels.

    Vec3 sun_direction_w = Vec3(-0.55, 0.62, 0.45);  ///< Towards the sun; any length but 0.
    double sun_strength = 1.0;  ///< 0 switches the sun off; below the horizon it is off anyway.
    double sun_size_deg = 1.5;  ///< Angle across the sun: how soft shadows are. The real one: 0.53.
    SkyKind sky = SkyKind::Clear;
    double sky_strength = 1.0;   ///< 0 switches the sky off.
    double haze_distance = 0.0;  ///< At which most of the floor has faded [m]; 0: by what is seen.
    double variation = 1.0;      ///< How strongly stains, grain and wear show.

    ColourBy colour_by = ColourBy::None;  ///< Damage instead of looks, with a legend.
    double colour_range = 0.0;  ///< What the end of the scale stands for ([m], or strain); 0: as
                                ///< much as the whole recording has.
    LegendPlace legend = LegendPlace::LowerLeft;  ///< Of `colour_by`.
};
template <class Visitor>
void visit_fields(PictureOptions& o, Visitor&& field) {
    field(Field{"width", "pixels", 1, 8192, "pixels across"}, o.width);
    field(Field{"height", "pixels", 1, 8192, "pixels down"}, o.height);
    field(Field{"samples", "", 1, 1024, "camera rays per pixel; powers of two spread best"},
          o.samples);
    field(Field{"exposure", "stops", -10.0, 10.0, "brightening of the picture"}, o.exposure);
    field(Field{"is_denoised", "", 0, 0, "smooth the light between like pixels"}, o.is_denoised);
    field(Field{"sun_direction", "", -1e6, 1e6, "towards the sun"}, o.sun_direction_w);
    field(Field{"sun_strength", "", 0.0, 100.0, "0 switches the sun off"}, o.sun_strength);
    field(Field{"sun_size_deg", "deg", 0.0, 20.0, "angle across the sun: softness of shadows"},
          o.sun_size_deg);
    field(Field{"sky", "", 0, 0, "what lights the picture besides the sun"}, o.sky);
    field(Field{"sky_strength", "", 0.0, 100.0, "0 switches the sky off"}, o.sky_strength);
    field(Field{"haze_distance", "m", 0.0, 1e6,
                "at which most of the floor has faded; 0: well behind what the camera looks at"},
          o.haze_distance);
    field(Field{"variation", "", 0.0, 4.0, "how strongly stains, grain and wear show"},
          o.variation);
    field(Field{"colour_by", "", 0, 0, "show damage as colours, with a legend, instead of looks"},
          o.colour_by);
    field(Field{"colour_range", "", 0.0, 1000.0,
                "where colours end, in metres or as strain; 0: where all but few places are"},
          o.colour_range);
    field(Field{"legend", "", 0, 0, "the corner in which the legend of colours stands"}, o.legend);
}

}  // namespace ductile
