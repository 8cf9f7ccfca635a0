// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>
#include <ductile/geom/query/surface_query.h>

#include <memory>

namespace ductile {

/// The surface of a plain collider, in the body's frame: what a body that came without a surface of
/// its own presses into others. Null for pieces, whose hulls are not known.
std::shared_ptr<const SurfaceQuery> collider_surface(const Collider& collider);

}  // namespace ductile
