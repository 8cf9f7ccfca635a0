// SPDX-License-Identifier: MIT
#include "picture.h"

namespace ductile::cli {

RenderOptions render_options(const Scene& scene) {
    const ScenePicture& p = scene.picture;
    RenderOptions o;
    o.width = p.width;
    o.height = p.height;
    o.samples = p.samples;
    o.exposure = p.exposure;
    o.is_denoised = p.is_denoised;
    o.sun_direction_w = p.sun_direction_w;
    o.sun_strength = p.sun_strength;
    o.sun_size_deg = p.sun_size_deg;
    o.sky = p.sky == SceneSky::Uniform ? SkyKind::Uniform : SkyKind::Clear;
    o.sky_strength = p.sky_strength;
    o.variation = p.variation;
    o.has_ground = scene.ground.is_on;
    o.ground_height = scene.ground.height;
    o.ground_colour = scene.ground.colour;
    return o;
}

Camera camera_for(const Scene& scene, double time) {
    const CameraKey key = camera_at(scene.camera, time);
    return {key.eye_w, key.target_w, scene.camera.field_of_view_deg};
}

}  // namespace ductile::cli
