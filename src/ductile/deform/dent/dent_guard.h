// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent.h>
#include <ductile/geom/query/surface_query.h>

#include <span>

namespace ductile {

/// Softens a dent until it does no harm to the surface it will be pressed into: the front never
/// passes the back, no triangle that faces the impact is turned over.
///
/// Rays through the body along the dent tell which sheets lie behind each other and how thick the
/// body is there; they are pressed on trial. What crosses makes the push fade over a longer way, up
/// to `safe_fade`, then makes the dent shallower (coarse triangles of front and back may cross even
/// where no two points would). A triangle that turns over takes the lean back. Nothing is changed
/// where nothing is wrong. Costs what the dent touches. Requires: `rest` of the surface's size, a
/// hit that check_dent has passed.
void guard_dent(DentHit& hit, const SurfaceQuery& surface, std::span<const Vec3> rest);

}  // namespace ductile
