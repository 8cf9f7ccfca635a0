// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/dent/dent_law.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/geom/query/surface_query.h>

#include <span>

namespace ductile {

/// A place that a collider holds up over a hollow, taken to the hollow's bottom, at most `reach`
/// away along the unit `direction_b`. One on the surface, or just within it, stays.
Vec3 lowered_to_surface(const SurfaceQuery& surface, const Vec3& place_b, const Vec3& direction_b,
                        double reach);

/// The same for many places; returns their middle, taken there, too. Requires: at least one.
Vec3 lower_to_surface(const SurfaceQuery& surface, const Vec3& direction_b, double reach,
                      std::span<Vec3> places_b);

/// Where a place of a body's surface, dented as it is, was at rest. Requires: a triangle.
Vec3 rest_place(const BodyShape& shape, const SurfacePoint& at);

/// How far it has been pushed in along the unit `direction_b` since then [m], >= 0.
double pushed_in(const BodyShape& shape, const SurfacePoint& at, const Vec3& direction_b);

/// A place of a surface and the ways in and across.
struct HollowFrame {
    Vec3 bottom_b, direction_b, across_b;
};

/// How much of a hollow `depth` deep fits what presses, in [0, 1]: how high its walls are where a
/// striker that fits it is half as high as the hollow is deep. 0 for a flat bottom, 1 for the
/// hollow that the striker has left itself, or a narrower one.
double hollow_fit(const SurfaceQuery& surface, const PressCurve& press, const HollowFrame& frame,
                  double depth);

/// What of a dent's push at a place of its plane comes to the surface behind that, in [0, 1]: 0
/// where there is none.
double reached_share(const SurfaceQuery& surface, const Vec3& place_b, const DentHit& hit);

/// Lowers a striker's map by how far the struck surface lies behind the plane that it was taken in:
/// what has not come there is not pressed yet.
void lower_by_relief(const SurfaceQuery& surface, const ProjectilePress& striker,
                     ProjectileMap& map);

/// What is new in a map against an earlier, shallower one of the same impact; `side` and `across`
/// are the ways along which its x and y grow.
DentMap growth(const ProjectileMap& now, const ProjectileMap& before, const Vec3& side,
               const Vec3& across);

}  // namespace ductile
