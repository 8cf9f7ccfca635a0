// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/kinds.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene.h>

#include <span>

namespace ductile {

/// The record of a hit by hand on a body of the scene; of a dent its shape included. A projectile
/// is pressed in as it is turned at the scene's start, its foremost point first.
/// Error (`where`: the field, from the hit on): not exactly one record, one without sense; a shape
/// that cannot be read or made; a body that is not there.
Result<HitRecord> directed_record(const Scene& scene, const SceneHit& hit,
                                  std::span<const PreparedBody> bodies);

}  // namespace ductile
