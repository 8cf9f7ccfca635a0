// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>
#include <ductile/scene/scene.h>

#include <vector>

namespace ductile {

/// Where the camera is and looks at a time: its place, or a smooth curve through its keys that
/// passes through each at its time and rests before the first and after the last; then turned
/// around the target by `turn_time`. Where the scene gives no eye or target, those of a CameraKey.
/// Requires: keys by strictly ascending time.
CameraKey camera_at(const SceneCamera& camera, double time);

/// The place turned around the vertical through its target, counter-clockwise from above.
CameraKey turned(CameraKey key, double angle);

/// The camera of a scene over a recording: what camera_at says, carried along by the middle of the
/// body that it follows. Of that body's way only the slow part counts, so that a bounce does not
/// shake the view. An eye or target that the scene does not give is chosen so that all that happens
/// is in the picture (record/framing.h), or the body that is followed and what is around it; where
/// what happens wanders far, the camera goes along. It looks from the front, or from another side
/// where something stands in the way.
class CameraPath {
public:
    /// A body that is not in the recording (or none) is not followed. `aspect`: width over height
    /// of the picture. Requires: frames by ascending time.
    CameraPath(const SceneCamera& camera, const Recording& recording, double aspect = 16.0 / 9.0);

    /// At any time; before the first frame and after the last as at these. O(log frames).
    CameraKey at(double time) const;

    /// Whether it is not the same place at all times.
    bool moves() const {
        return !shifts_.empty() || !camera_.keys.empty() || camera_.turn_time > 0;
    }

private:
    /// Shifts along a way; so close that the box around its begin stays in the picture, if any.
    void go_along(const std::vector<Vec3>& way, const Box& box);

    SceneCamera camera_;
    std::vector<double> times_;
    std::vector<Vec3> shifts_;  ///< Per frame, from where the body was at first [m]; or empty.
};

}  // namespace ductile
