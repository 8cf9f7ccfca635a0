// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene.h>

#include <cstddef>
#include <string>

namespace ductile::cli {

/// A scene as it was filmed, and one of its bodies.
struct FilmedBody {
    Recording recording;
    std::size_t at = 0;
    PreparedBody prepared;
};

/// Runs a scene, until somebody interrupts it. Error: it has no such body, or what a run would say.
Result<FilmedBody> film_body(const Scene& scene, const std::string& name, const Progress& progress);

}  // namespace ductile::cli
