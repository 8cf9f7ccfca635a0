// SPDX-License-Identifier: MIT
#include <ductile/scene/camera_path.h>
#include <ductile/scene/surroundings.h>

namespace ductile {

FilmSet surroundings(const Scene& scene, const Recording& recording) {
    FilmSet set;
    if (!scene.outputs.surroundings) return set;
    if (scene.ground.is_on) set.ground = {scene.ground.height, scene.ground.colour};
    const double aspect = static_cast<double>(scene.picture.width) / scene.picture.height;
    FilmSet::Camera camera{{}, scene.camera.field_of_view_deg, aspect};
    const CameraPath path(scene.camera, recording, aspect);
    for (const Frame& frame : recording.frames) {
        const CameraKey key = path.at(frame.time);
        if (key.eye_w == key.target_w) return set;
        camera.poses_w.push_back(looking_pose(key.eye_w, key.target_w));
        if (!path.moves()) break;
    }
    set.camera = std::move(camera);
    const PictureOptions& picture = scene.picture;
    if (picture.sun_strength > 0 && picture.sun_direction_w.y() > 0) {
        set.sun = {picture.sun_direction_w, picture.sun_strength, picture.sun_size_deg};
    }
    return set;
}

}  // namespace ductile
