// SPDX-License-Identifier: MIT
// For the command and the Python module: no folder of the library may see both scenes and players.
#pragma once

#include <ductile/export/player/player.h>
#include <ductile/scene/camera_path.h>

namespace ductile {

/// The player of a scene's run: its name, ground, sun and camera. Requires: a frame.
inline PlayerOptions scene_player(const Scene& scene, const Recording& recording) {
    PlayerOptions o;
    o.title = scene.name;
    o.description = scene.description;
    o.has_ground = scene.ground.is_on;
    o.ground_height = scene.ground.height;
    o.ground_colour = scene.ground.colour;
    o.sun_direction_w = scene.picture.sun_direction_w;
    o.field_of_view_deg = scene.camera.field_of_view_deg;
    const CameraPath path(scene.camera, recording);
    for (std::size_t f = 0; f < (path.moves() ? recording.frames.size() : 1); ++f) {
        const CameraKey key = path.at(recording.frames[f].time);
        o.camera.push_back({key.eye_w, key.target_w});
    }
    return o;
}

}  // namespace ductile
