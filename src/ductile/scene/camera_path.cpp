// SPDX-License-Identifier: MIT
#include <ductile/scene/camera_path.h>

#include <algorithm>

namespace ductile {
namespace {

// Catmull and Rom's tangent for uneven times; zero at both ends, where the camera rests.
Vec3 tangent(const std::vector<CameraKey>& keys, std::size_t i, Vec3 CameraKey::*what) {
    if (i == 0 || i + 1 == keys.size()) return Vec3::Zero();
    return (keys[i + 1].*what - keys[i - 1].*what) / (keys[i + 1].time - keys[i - 1].time);
}

Vec3 between(const std::vector<CameraKey>& keys, std::size_t i, double time,
             Vec3 CameraKey::*what) {
    const double span = keys[i + 1].time - keys[i].time;
    const double t = (time - keys[i].time) / span;
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * keys[i].*what + (3 * t2 - 2 * t3) * keys[i + 1].*what +
           (t3 - 2 * t2 + t) * span * tangent(keys, i, what) +
           (t3 - t2) * span * tangent(keys, i + 1, what);
}

}  // namespace

CameraKey camera_at(const SceneCamera& camera, double time) {
    const std::vector<CameraKey>& keys = camera.keys;
    if (keys.empty()) return {time, camera.eye_w, camera.target_w};
    CameraKey out = time <= keys.front().time ? keys.front() : keys.back();
    out.time = time;
    if (time <= keys.front().time || time >= keys.back().time) return out;
    std::size_t i = 0;
    while (keys[i + 1].time <= time) ++i;
    out.eye_w = between(keys, i, time, &CameraKey::eye_w);
    out.target_w = between(keys, i, time, &CameraKey::target_w);
    return out;
}

}  // namespace ductile
