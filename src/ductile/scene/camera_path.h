// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene.h>

namespace ductile {

/// Where the camera is and looks at a time: its place, or a smooth curve through its keys that
/// passes through each at its time and rests before the first and after the last. Field of view
/// as it is. Requires: keys by strictly ascending time.
CameraKey camera_at(const SceneCamera& camera, double time);

}  // namespace ductile
