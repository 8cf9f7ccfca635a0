// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>
#include <ductile/scene/scene.h>

#include <vector>

namespace ductile {

/// Where the camera is and looks at a time: its place, or a smooth curve through its keys that
/// passes through each at its time and rests before the first and after the last; then turned
/// around the target by `turn_time`. Requires: keys by strictly ascending time.
CameraKey camera_at(const SceneCamera& camera, double time);

/// The place turned around the vertical through its target, counter-clockwise from above.
CameraKey turned(CameraKey key, double angle);

/// The camera of a scene over a recording: what camera_at says, carried along by the body that it
/// follows. Of that body's way only the slow part counts, so that a bounce does not shake the view.
class CameraPath {
public:
    /// A body that is not in the recording (or none) is not followed.
    /// Requires: frames by ascending time.
    CameraPath(const SceneCamera& camera, const Recording& recording);

    /// At any time; before the first frame and after the last as at these. O(log frames).
    CameraKey at(double time) const;

private:
    SceneCamera camera_;
    std::vector<double> times_;
    std::vector<Vec3> shifts_;  ///< Per frame, from where the body was at first [m]; or empty.
};

}  // namespace ductile
