// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/sim/press_recording.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

struct Scene;

/// Factors painted on a soft body: exactly one of formula, file and colour.
struct ScenePressMap {
    std::string formula;                 ///< Of x, y and z in the body's frame [m].
    std::string file;                    ///< Numbers, one per vertex of the body's mesh file.
    std::optional<PaintChannel> colour;  ///< Of the vertex colours.
    double black = 0.0;                  ///< What a colour of 0 stands for.
    double white = 1.0;                  ///< What a colour of 1 stands for.
};
template <class Visitor>
void visit_fields(ScenePressMap& m, Visitor&& field) {
    field(Field{"formula", "", 0, 0, "of x, y and z in the body's own frame [m]"}, m.formula);
    field(file_field("file", "numbers, one per vertex of the body's mesh file"), m.file);
    field(Field{"colour", "", 0, 0, "a channel of the mesh's vertex colours"}, m.colour);
    field(Field{"black", "", 0.0, 100.0, "what a colour of 0 stands for"}, m.black);
    field(Field{"white", "", 0.0, 100.0, "what a colour of 1 stands for"}, m.white);
}

struct ScenePressMaps {
    std::optional<ScenePressMap> stiffness, bulge;
};
template <class Visitor>
void visit_fields(ScenePressMaps& m, Visitor&& field) {
    field(Field{"stiffness", "", 0, 0, "factors of the stiffness, 0.01 to 100"}, m.stiffness);
    field(Field{"bulge", "", 0, 0, "factors of the bulge's height, 0 to 20"}, m.bulge);
}

/// What a soft body is pressed by is soft, too.
struct ScenePressBoth {
    double share = 0.5;                   ///< By which the first body gives way.
    std::optional<PressOptions> options;  ///< Of the second body; none: as the first one's.
    ScenePressMaps maps;                  ///< Painted on it.
};
template <class Visitor>
void visit_fields(ScenePressBoth& b, Visitor&& field) {
    field(Field{"share", "", 0.0, 1.0, "of the overlap by which `soft` gives way"}, b.share);
    field(Field{"options", "", 0, 0, "how the other one gives way; none: alike"}, b.options);
    field(Field{"maps", "", 0, 0, "factors painted on the other one"}, b.maps);
}

/// A soft body, and what squashes it wherever they overlap (docs/deformers/press.md): done to every
/// frame of a run when it is over, so the motion knows nothing of it.
struct ScenePress {
    std::string soft;             ///< Name of a body, or of one copy.
    std::vector<std::string> by;  ///< The same, of what presses it.
    PressOptions options;
    ScenePressMaps maps;
    std::optional<PressDetailOptions> detail;
    std::optional<PressRefineOptions> refine;
    std::optional<PressProxyOptions> proxy;
    std::optional<ScenePressBoth> both;
};
template <class Visitor>
void visit_fields(ScenePress& p, Visitor&& field) {
    field(Field{"soft", "", 0, 0, "the body, or one copy of it, that gives way"}, p.soft);
    field(Field{"by", "", 0, 0, "the bodies, or copies, that press it"}, p.by);
    field(Field{"options", "", 0, 0, "how it gives way"}, p.options);
    field(Field{"maps", "", 0, 0, "factors painted on it"}, p.maps);
    field(Field{"detail", "", 0, 0, "a smoothed base is pressed; {} takes every default"},
          p.detail);
    field(Field{"refine", "", 0, 0, "its mesh is made finer where frames stretch it"}, p.refine);
    field(Field{"proxy", "", 0, 0, "what it swallows is drawn out to press it"}, p.proxy);
    field(Field{"both", "", 0, 0, "what presses it is soft, too"}, p.both);
}

/// Mistakes in a scene's press that no field's range tells, `where` beginning with `pointer`.
std::vector<Error> check_press(const ScenePress& press, const std::string& pointer);

/// Presses the frames of a scene's run as its "press" says, in its order. Nothing to do: no cost.
/// Error: as press_recording; `where` a JSON pointer if a body is not in the recording or a map
/// cannot be had.
Result<std::vector<TaskPress>> press_scene(const Scene& scene, Recording& recording,
                                           const PressRun& run = {});

/// What was pressed, for reports: an entry per task.
Json press_json(const Recording& recording, std::span<const TaskPress> done);

/// The same in a line per task, and a line for each different note.
std::vector<std::string> press_words(const Recording& recording, std::span<const TaskPress> done);

}  // namespace ductile
