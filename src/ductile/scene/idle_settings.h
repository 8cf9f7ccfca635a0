// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/scene/scene.h>

#include <string>
#include <vector>

namespace ductile {

/// What a scene says of soft coats and drives that has no effect, and why: a note in words per
/// body, or part of one, and reason. Only values that differ from their defaults are told.
/// Requires: a scene that check_scene found nothing wrong with.
std::vector<std::string> idle_settings(const Scene& scene);

}  // namespace ductile
