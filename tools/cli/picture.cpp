// SPDX-License-Identifier: MIT
#include "picture.h"

namespace ductile::cli {

RenderOptions render_options(const Scene& scene) {
    RenderOptions o{scene.picture};
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
