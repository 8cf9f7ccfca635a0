// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_options.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene.h>

#include <span>

namespace ductile {

/// The shape that a scene names for dents; a round Gaussian for the projectile's, which is not
/// known before it hits. Error (`where`: the field): what it names cannot be read or made.
Result<DentStamp> make_stamp(const Scene& scene, const DentShapeOptions& shape);

/// The record of a hit by hand on a body of the scene, its shape included. A projectile is pressed
/// in as it is turned at the scene's start, its foremost point first.
/// Error (`where`: the field, from the hit on): as above; a body that is not there.
Result<DentHit> directed_dent(const Scene& scene, const SceneHit& hit,
                              std::span<const PreparedBody> bodies);

}  // namespace ductile
