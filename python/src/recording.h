// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/record/recording.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/scene.h>

#include "busy.h"
#include "journal.h"

#include <memory>
#include <optional>

namespace ductile::python {

/// A film as Python holds it: its frames never change, so their arrays may be seen without a copy.
struct Film {
    explicit Film(Recording made) : recording(std::make_shared<const Recording>(std::move(made))) {}

    std::shared_ptr<const Recording> recording;
    std::optional<Scene> scene;             ///< Whose camera and picture are taken, if it ran one.
    std::shared_ptr<RunJournals> journals;  ///< Of a scene's run; else null.
    Json report;                            ///< Of the run; null if it is not known.
    std::optional<Renderer> renderer;       ///< Made when the first picture is drawn.
    Busy busy;                              ///< For the renderer.
};

/// A frame by its number; below 0 they count from the end. Raises IndexError for one that is not
/// there.
const Frame& frame_at(const Film& film, std::int64_t given);

}  // namespace ductile::python
