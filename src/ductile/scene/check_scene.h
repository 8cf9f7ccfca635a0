// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <vector>

namespace ductile {

/// Finds what no single field can show: unknown bodies and materials, rates that do not fit each
/// other, colliders that a solid cannot have, bodies inside each other at the start, and also
/// any number out of its range (for scenes made in code). `where` is a JSON pointer. Empty: the
/// scene can be built, unless a solid cannot be made at its resolution.
std::vector<Error> check_scene(const Scene& scene);

/// The same without looking where bodies stand, which makes no sense once a field could not be
/// read; nor at single fields, which the reader has done.
std::vector<Error> check_scene_rules(const Scene& scene);

/// The part of check_scene_rules that looks at bodies.
void check_bodies(const Scene& scene, std::vector<Error>& errors);

/// The part of check_scene that looks where bodies stand.
void check_places(const Scene& scene, std::vector<Error>& errors);

}  // namespace ductile
