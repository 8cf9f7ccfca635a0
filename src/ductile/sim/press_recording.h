// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/deform/press/extensions/press_both.h>
#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/deform/press/press_frames.h>
#include <ductile/record/recording.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// What a soft body is pressed by gives way, too.
struct PressShare {
    double share = 0.5;    ///< Of the overlap by which the first body gives way, in [0, 1].
    PressOptions options;  ///< Of the second body.
    PressMaps maps;        ///< Painted on it; empty: 1.
};

/// A soft body of a recording, and the bodies that press it, all together as one surface.
struct PressTask {
    std::int32_t soft = 0;         ///< Index into Recording::bodies.
    std::vector<std::int32_t> by;  ///< Indices; not the soft one.
    PressOptions options;
    PressExtras extras;
    /// Its mesh is made finer where some frame stretches it: once, for all frames.
    std::optional<PressRefineOptions> refine;
    std::optional<PressShare> both;  ///< Only with a single body in `by`.
};
/// Whether its parts go together and are in range. Errors name the field.
Status check(const PressTask& task);

/// What a press did at one frame.
struct FramePress {
    std::int32_t frame = 0;
    PressReport report;
};

/// What a task came to for one body.
struct TaskPress {
    std::int32_t soft = 0;           ///< Index of the body that gave way.
    std::vector<FramePress> frames;  ///< Those at which something overlaps, in order.
};

/// How a recording is to be pressed.
struct PressRun {
    std::function<Status()> may_go_on;  ///< Asked every few frames; its error ends the work.
    Progress progress;
    /// Told of the soft body at each frame that was pressed, in order; again from the start where a
    /// mesh was refined.
    std::function<void(std::size_t frame, const Pressed& soft)> see;
};

/// Presses every frame of a recording: the last layer of a simulation, or all of an animation.
///
/// A soft body's points of a frame are pressed onto the others' of that frame and become its shape
/// there; frames where nothing overlaps keep theirs, and frames alike share one. Tasks come one
/// after the other: a body pressed by a task presses, or is pressed, as it then is. Bodies that are
/// not there at a frame have no part in it. Frames run in parallel; each depends on nothing but
/// itself, so the result is the same in any order and at any number of threads.
///
/// A task that refines presses all frames to see where, splits those edges of the body's mesh that
/// some frame stretches, and presses again: the body gets an asset of its own, the same at all
/// frames, and all its shapes get the new points, halfway. So the mesh, and with it the bits of a
/// frame, then depend on which frames there are; where no frame stretches it, nothing changes.
///
/// An entry per body that gives way: a task's soft one, then the other one of `both`.
/// Requires: indices of bodies, each task's `by` not empty and without its soft body.
/// Error (the recording keeps the shapes of the tasks before): that of `may_go_on`; what `check`
/// refuses, a surface that cannot be pressed at all.
Result<std::vector<TaskPress>> press_recording(Recording& recording,
                                               std::span<const PressTask> tasks,
                                               const PressRun& run = {});

/// The bits of all shapes that a recording shows, frame by frame: to compare two of them.
std::uint64_t shown_shapes_hash(const Recording& recording);

}  // namespace ductile
