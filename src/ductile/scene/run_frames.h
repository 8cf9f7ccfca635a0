// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/scene/scene.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <cstdint>
#include <functional>

namespace ductile {

/// How a scene's world is to be run.
struct FrameRun {
    std::int32_t max_frames = 0;        ///< Stop after this many; 0: run to the scene's end.
    std::function<Status()> may_go_on;  ///< Asked before each frame; its error ends the run.
    Progress progress;                  ///< Told after each frame.
};

/// Where a body that moves by keys is at a time [s]. `start_w`: where the scene puts it, or the
/// copy of it; `pose_w`: its pose there. Requires: keys.
Transform keyed_pose(const SceneBody& body, const Vec3& start_w, const Transform& pose_w,
                     double time);

/// How many frames a run takes, the one at time 0 included.
std::int64_t frame_count(const Scene& scene, std::int32_t max_frames = 0);

/// Steps a populated simulation through the scene's frames and films each, the start and the
/// impacts of every step included.
/// Error: that of `may_go_on`; the frames before it are filmed.
Status run_frames(const Scene& scene, Simulation& simulation, Recorder& recorder,
                  const FrameRun& run = {});

}  // namespace ductile
