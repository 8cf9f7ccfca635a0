// SPDX-License-Identifier: MIT
#include <ductile/scene/run_frames.h>

#include <algorithm>
#include <cmath>

namespace ductile {

std::int64_t frame_count(const Scene& scene, std::int32_t max_frames) {
    // A duration of n frames, rounded in its last digit, has n frames.
    const auto frames =
        static_cast<std::int64_t>(std::floor(scene.duration * scene.frame_rate + 1e-9)) + 1;
    return max_frames > 0 ? std::min<std::int64_t>(frames, max_frames) : frames;
}

Status run_frames(const Scene& scene, Simulation& simulation, Recorder& recorder,
                  const FrameRun& run) {
    const std::int64_t last = frame_count(scene, run.max_frames) - 1;
    const auto steps = static_cast<std::int64_t>(std::lround(scene.step_rate / scene.frame_rate));
    recorder.capture(simulation);
    for (std::int64_t frame = 1; frame <= last; ++frame) {
        if (run.may_go_on) {
            if (Status on = run.may_go_on(); !on) return on;
        }
        for (std::int64_t i = 0; i < steps; ++i) {
            simulation.step(1.0 / scene.step_rate);
            recorder.note_step(simulation);
        }
        recorder.capture(simulation);
        if (run.progress) {
            run.progress("simulate", static_cast<double>(frame) / static_cast<double>(last));
        }
    }
    return {};
}

}  // namespace ductile
