// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene_file.h>

#include <vector>

namespace ductile {

// The parts of check_scene (scene_file.h).

/// Without looking where bodies stand, which makes no sense once a field could not be read; nor at
/// single fields, which the reader has done.
std::vector<Error> check_scene_rules(const Scene& scene);

/// The part of check_scene_rules that looks at bodies.
void check_bodies(const Scene& scene, std::vector<Error>& errors);

/// Where bodies stand.
void check_places(const Scene& scene, std::vector<Error>& errors);

}  // namespace ductile
