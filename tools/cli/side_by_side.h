// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/scene/scene.h>

#include "run_scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ductile::cli {

struct Variant {
    std::string caption;
    Scene scene;
};

/// Runs several scenes and shows them side by side: each leaves what it asks for, but its pictures,
/// in a folder of its own below options.out; sheet.png has a picture of each under its caption, and
/// sheet.mp4, if the first scene asks for a film, all of them moving at once (a shorter one waits
/// at its end). Pictures are smaller the more there are across; colours of damage mean the same in
/// all. Errors as of run_scene; scenes of different frame rates or picture sizes are bad input.
RunResult run_side_by_side(const std::vector<Variant>& variants, std::size_t columns,
                           const RunOptions& options, const Progress& progress);

}  // namespace ductile::cli
