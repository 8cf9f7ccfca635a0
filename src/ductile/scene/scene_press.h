// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/sim/press_recording.h>

#include <span>
#include <string>
#include <vector>

namespace ductile {

struct Scene;

/// A soft body, and what squashes it wherever they overlap (docs/deformers/press.md): done to every
/// frame of a run when it is over, so the motion knows nothing of it.
struct ScenePress {
    std::string soft{};             ///< Name of a body, or of one copy.
    std::vector<std::string> by{};  ///< The same, of what presses it.
    PressSetup setup{};             ///< Its fields stand beside `soft` and `by`.
};
template <class Visitor>
void visit_fields(ScenePress& p, Visitor&& field) {
    field(Field{"soft", "", 0, 0, "the body, or one copy of it, that gives way"}, p.soft);
    field(Field{"by", "", 0, 0, "the bodies, or copies, that press it"}, p.by);
    visit_fields(p.setup, field);
}

/// Mistakes in a scene's press that no field's range shows, `where` beginning with `pointer`.
std::vector<Error> check_press(const ScenePress& press, const std::string& pointer);

/// Presses the frames of a scene's run as its "press" says, in its order. Nothing to do: no cost.
/// Error: as press_recording; `where` a JSON pointer if a body is not in the recording or a map
/// cannot be read.
Result<std::vector<PressResult>> press_scene(const Scene& scene, Recording& recording,
                                             const PressCallbacks& callbacks = {});

/// The fields of a report, named with their units: "extent_m", "volume_change_m3".
Json press_report_json(const PressReport& report);

/// What was pressed, for reports: an entry per result.
Json press_json(const Recording& recording, std::span<const PressResult> results);

/// The same as text: a line per result, and a line for each different note.
std::vector<std::string> press_summary(const Recording& recording,
                                       std::span<const PressResult> results);

}  // namespace ductile
