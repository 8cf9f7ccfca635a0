// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <optional>
#include <vector>

namespace ductile {

/// What surrounds the bodies of a film, for files that can hold it: floor, camera and sun. Plain
/// data; empty as it stands. Scenes and exporters share it.
struct FilmSet {
    struct Ground {
        double height = 0.0;                    ///< [m]
        Vec3 colour = Vec3(0.31, 0.30, 0.285);  ///< Linear RGB.
    };
    struct Camera {
        /// One for all time, or one per frame: it looks along its -z, with +y up.
        std::vector<Transform> poses_w;
        double field_of_view_deg = 35.0;  ///< From the lower to the upper edge.
        double aspect = 16.0 / 9.0;       ///< Width over height of the picture.
    };
    struct Sun {
        Vec3 direction_w = Vec3(-0.55, 0.62, 0.45);  ///< Towards it; any length but 0.
        double strength = 1.0;                       ///< As PictureOptions has it.
        double size_deg = 1.5;                       ///< Angle across it.
    };
    std::optional<Ground> ground;
    std::optional<Camera> camera;
    std::optional<Sun> sun;

    bool empty() const { return !ground && !camera && !sun; }
};

/// The pose of a camera, or of a light, that looks from one place to another, with +y up as far as
/// that goes. Requires: two places.
Transform looking_pose(const Vec3& from_w, const Vec3& to_w);

}  // namespace ductile
