// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/deform/press/press.h>
#include <ductile/record/recording.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ductile {

/// A soft body of a recording, and the bodies that press it, all together as one surface.
struct PressTask {
    std::int32_t soft = 0;  ///< Index into Recording::bodies.
    /// The soft mesh may get points where frames are above limits of their residuals. For setups
    /// without `refine`, `detail` and `both`; elsewhere it says nothing.
    bool refines_itself = false;
    std::vector<std::int32_t> by;  ///< Indices; not the soft one. A setup with `both` takes one.
    PressSetup setup;              ///< Maps have their values.
};
/// As `check` of its setup, and whether that goes with so many bodies. Errors name the field.
Status check(const PressTask& task);

/// What a press did at one frame.
struct FrameReport {
    std::int32_t frame = 0;
    PressReport report;
};

/// What a task did to one body.
struct PressResult {
    std::int32_t soft = 0;            ///< Index of the body that gave way.
    std::int32_t added_points = 0;    ///< To its mesh.
    std::vector<FrameReport> frames;  ///< Those at which something overlaps, in order.
};

/// Who is asked and called while a recording is pressed.
struct PressCallbacks {
    std::function<Status()> may_go_on;  ///< Asked every few frames; its error ends the work.
    Progress progress;
    /// Called with the soft body at each frame that was pressed, in order; again from the start
    /// where a mesh was refined.
    std::function<void(std::size_t frame, const Pressed& soft)> on_frame;
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
/// A task that refines itself does so where a frame is above a limit of its residuals (depth left,
/// folds, stretch), at most three times, by as many points as there were and 2,000 more, and keeps
/// the finer mesh if all frames together are above limits by a fifth less then. Else nothing
/// changes.
///
/// A result per body that gives way: a task's soft one, then the other one of `both`.
/// Requires: indices of bodies, each task's `by` not empty and without its soft body.
/// Error (the recording keeps the shapes of the tasks before): that of `may_go_on`; what `check`
/// refuses, a surface that cannot be pressed at all.
Result<std::vector<PressResult>> press_recording(Recording& recording,
                                                 std::span<const PressTask> tasks,
                                                 const PressCallbacks& callbacks = {});

}  // namespace ductile
