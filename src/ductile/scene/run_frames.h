// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/scene/scene.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// How a scene's world is to be run.
struct FrameRun {
    std::int32_t max_frames = 0;        ///< Stop after this many; 0: run to the scene's end.
    std::function<Status()> may_go_on;  ///< Asked before each frame; its error ends the run.
    Progress progress;                  ///< Told after each frame.
};

/// Where the bodies that move by keys are at a time [s]; nothing for the others. `starts_w`: the
/// pose of every body, copies included, as the scene puts it.
std::vector<std::optional<Transform>> keyed_poses(const Scene& scene,
                                                  std::span<const Transform> starts_w, double time);

/// How many frames a run takes, the one at time 0 included.
std::int64_t frame_count(const Scene& scene, std::int32_t max_frames = 0);

/// Steps a populated simulation through the scene's frames and films each, the start and the
/// impacts of every step included.
/// Error: that of `may_go_on`; the frames before it are filmed.
Status run_frames(const Scene& scene, Simulation& simulation, Recorder& recorder,
                  const FrameRun& run = {});

}  // namespace ductile
