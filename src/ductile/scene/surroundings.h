// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/film_set.h>
#include <ductile/record/recording.h>
#include <ductile/scene/scene.h>

namespace ductile {

/// The ground, film camera and sun of a scene over its recording, for files that can hold them;
/// nothing where the scene's outputs go without. Requires: a recording with frames.
FilmSet surroundings(const Scene& scene, const Recording& recording);

}  // namespace ductile
