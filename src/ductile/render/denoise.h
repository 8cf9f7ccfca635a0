// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/shading_math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// What a pixel shows, as far as smoothing needs to know.
struct PixelSurface {
    Vec3f position = Vec3f::Zero();  ///< Mean over the samples that met a surface.
    Vec3f normal = Vec3f::Zero();    ///< Mean of those, not normalised; zero: no surface.
    float reach = 0.0f;              ///< How far the pixel reaches on a surface facing the eye [m].
};

/// One kind of light at one pixel, its colour divided out.
struct PixelLight {
    Vec3f light = Vec3f::Zero();
    float variance = 0.0f;  ///< Of the luminance of `light`, as far as it is noise.
};

/// One kind of light over the picture, and how far it may be smoothed.
struct LightLayer {
    std::vector<PixelLight> pixels;
    int passes = 4;  ///< Each reaches twice as far as the one before: 2, 4, 8 pixels ...
    float normal_power = 32.0f;  ///< How fast weights fall with the angle between normals.
    float contrast = 8.0f;       ///< Steps above this many standard deviations are edges.
};

/// Replaces the light of each pixel by a mean over pixels that show the same surface under like
/// light (the edge-avoiding a-trous wavelets of Dammertz et al. 2010, guided by variance as in
/// Schied et al. 2017). A pixel without noise stays as it is where its neighbours differ.
/// Requires: width * height pixels everywhere, at most kMostLayers layers.
inline constexpr int kMostLayers = 4;
void denoise(std::int32_t width, std::int32_t height, std::span<const PixelSurface> surface,
             std::span<LightLayer> layers);

}  // namespace ductile
