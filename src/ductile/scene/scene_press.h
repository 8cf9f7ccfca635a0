// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/deform/press/press_options.h>
#include <ductile/sim/press_recording.h>

#include <span>
#include <string>
#include <vector>

namespace ductile {

struct Scene;

/// A soft body, and what squashes it wherever they overlap (docs/deformers/press.md): done to every
/// frame of a run when it is over, so the motion knows nothing of it.
struct ScenePress {
    std::string soft;             ///< Name of a body, or of one copy.
    std::vector<std::string> by;  ///< The same, of what presses it.
    PressOptions options;
};
template <class Visitor>
void visit_fields(ScenePress& p, Visitor&& field) {
    field(Field{"soft", "", 0, 0, "the body, or one copy of it, that gives way"}, p.soft);
    field(Field{"by", "", 0, 0, "the bodies, or copies, that press it"}, p.by);
    field(Field{"options", "", 0, 0, "how it gives way"}, p.options);
}

/// Presses the frames of a scene's run as its "press" says, in its order. Nothing to do: no cost.
/// Error: as press_recording; `where` a JSON pointer if a body is not in the recording.
Result<std::vector<TaskPress>> press_scene(const Scene& scene, Recording& recording,
                                           const PressRun& run = {});

/// What was pressed, for reports: an entry per task.
Json press_json(const Recording& recording, std::span<const TaskPress> done);

/// The same in a line per task, and a line for each different note.
std::vector<std::string> press_words(const Recording& recording, std::span<const TaskPress> done);

}  // namespace ductile
