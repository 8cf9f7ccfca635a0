// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/render/brdf.h>
#include <ductile/render/colour_scale.h>

namespace ductile {

/// How a body's look reflects at one place of its surface.
///
/// Bare metal gets faint smudges in its roughness, rough mineral surfaces (matte, roughness of
/// 0.7 and more) get stains and grain, paint stays even. `rest_b` is the place in the rest shape
/// [m], so that stains stay put when the surface moves; `footprint` is how far a pixel reaches
/// there [m]: finer detail is left out. `variation` 0 gives the look itself. `tint` multiplies
/// the base colour: what vertices and pictures bring.
Paint paint_of(const Look& look, const Vec3f& tint, const Vec3& rest_b, double footprint,
               double variation);

/// How a body reflects where its damage is shown: matte, in the colour of what was measured there,
/// or in a plain grey where `measure` is null. Half of the colour glows, so that it can be read in
/// shadow. Of the look only glass stays glass, with the share `alpha` of its opacity.
Paint paint_of_damage(const Look& look, float alpha, const Vec3f* measure,
                      const DamageScale& scale);

/// How the endless floor reflects at a place in the world: cast concrete with joints 4 m apart.
Paint paint_of_ground(const Vec3& colour, const Vec3& place_w, double footprint, double variation);

}  // namespace ductile
