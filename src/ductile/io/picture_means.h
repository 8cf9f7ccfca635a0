// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/model.h>
#include <ductile/image/rgba_image.h>

#include <cstdint>
#include <optional>
#include <span>

namespace ductile {

/// The mean of a picture's stored red, green and blue, each in [0, 1], where triangles of a look
/// show it, by their area: what no triangle shows, as the ground of an atlas, does not count.
/// Nothing where no triangle with texture coordinates and area has the look. Pictures repeat.
/// O(triangles). Requires: a picture with pixels; valid indices.
std::optional<Vec3> picture_mean(const RgbaImage& picture, std::span<const ModelMesh> meshes,
                                 std::int32_t look);

/// Means of the pictures that a look cannot hold, as glTF has them; nothing for those it lacks.
struct PictureMeans {
    std::optional<Vec3> metal;      ///< Green: roughness; blue: metal.
    std::optional<Vec3> occlusion;  ///< Red: the share of light that gets in.
    double occlusion_strength = 1.0;
};

/// Puts them into the look's factors: metal and roughness are multiplied, and what light does not
/// reach is darker. The mean of a normal map is a smooth surface, which a look is without it.
void add_picture_means(const PictureMeans& means, Look& look);

}  // namespace ductile
