// SPDX-License-Identifier: MIT
#include <ductile/render/contact_sheet.h>

#include "map_stages.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile::cli {
namespace {

constexpr std::int32_t kMapSide = 420;  // of one picture [pixels]
using Rgb = std::array<double, 3>;
// Nothing is paper, depth goes through blue to night, height through orange to brown.
constexpr Rgb kPaper = {246, 244, 238}, kPressed = {70, 130, 180}, kNight = {12, 20, 60},
              kRaised = {235, 150, 60}, kHigh = {120, 40, 10};

Rgb between(const Rgb& a, const Rgb& b, double share) {
    Rgb out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = a[k] + share * (b[k] - a[k]);
    return out;
}

// Of a value in [-1, 1].
Rgb colour_of(double value) {
    const double share = std::min(1.0, std::abs(value));
    const Rgb& half = value > 0 ? kPressed : kRaised;
    if (share < 0.5) return between(kPaper, half, 2.0 * share);
    return between(half, value > 0 ? kNight : kHigh, 2.0 * share - 1.0);
}

// Whose ground it is; neighbours get colours of their own.
Rgb colour_of_owner(std::int32_t owner) {
    if (owner < 0) return kPaper;
    const std::uint32_t mixed = static_cast<std::uint32_t>(owner) * 2654435761U;
    return {90.0 + (mixed >> 8) % 150U, 90.0 + (mixed >> 16) % 150U, 90.0 + (mixed >> 24) % 150U};
}

// The map in the middle of a square, a sample a block; `colour` of a sample.
template <class Colour>
Image map_image(const DentMap& map, const Colour& colour) {
    Image image{kMapSide, kMapSide, {}};
    const double per_pixel = static_cast<double>(std::max(map.columns, map.rows)) / kMapSide;
    for (std::int32_t y = 0; y < kMapSide; ++y) {
        for (std::int32_t x = 0; x < kMapSide; ++x) {
            const double u = (x + 0.5 - 0.5 * kMapSide) * per_pixel + 0.5 * map.columns;
            const double v = (y + 0.5 - 0.5 * kMapSide) * per_pixel + 0.5 * map.rows;
            const bool is_inside = u >= 0 && v >= 0 && u < map.columns && v < map.rows;
            const Rgb rgb =
                is_inside
                    ? colour(static_cast<std::size_t>(v) * static_cast<std::size_t>(map.columns) +
                             static_cast<std::size_t>(u))
                    : Rgb{210, 210, 210};
            for (const double c : rgb) image.rgb.push_back(static_cast<std::uint8_t>(c));
        }
    }
    return image;
}

Image depth_image(const DentMap& map, double deepest) {
    return map_image(map, [&](std::size_t at) { return colour_of(map.depths[at] / deepest); });
}

}  // namespace

Result<Image> stage_pictures(const MapStages& stages) {
    const double deepest = stages.smoothed.deepest();
    std::vector<Image> images = {depth_image(stages.profile, deepest),
                                 depth_image(stages.envelope, deepest),
                                 depth_image(stages.smoothed, deepest)};
    std::vector<std::string> captions = {"depth picture", "envelope of Gaussians", "smoothed"};
    if (!stages.owner.empty()) {
        images.push_back(map_image(
            stages.profile, [&](std::size_t at) { return colour_of_owner(stages.owner[at]); }));
        captions.emplace_back("whose Gaussian is uppermost");
    }
    return contact_sheet(images, captions, 2);
}

Result<Image> vector_pictures(const VectorMap& map) {
    double furthest = 0.0;
    for (const Vec2& aside : map.aside) furthest = std::max(furthest, aside.cwiseAbs().maxCoeff());
    std::vector<Image> images = {depth_image(map.in, map.in.deepest())};
    std::vector<std::string> captions = {"in (blue), out (orange)"};
    for (int axis = 0; furthest > 0.0 && axis < 2; ++axis) {
        images.push_back(map_image(
            map.in, [&](std::size_t at) { return colour_of(map.aside[at][axis] / furthest); }));
        captions.emplace_back(axis == 0 ? "along x: + blue, - orange"
                                        : "along y: + blue, - orange");
    }
    return contact_sheet(images, captions, 3);
}

}  // namespace ductile::cli
