// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/bulge/press_guard.h>
#include <ductile/deform/press/press_setup.h>

#include <span>
#include <vector>

namespace ductile {

/// Section 4.4: where the points of a region go.
struct PressBulge {
    std::vector<Vec3> points;       ///< Per point of the region [m].
    double height = 0.0;            ///< Of control point 2 where the volume is kept [m].
    double displaced = 0.0;         ///< Volume lost with bulge 0 [m^3].
    double change = 0.0;            ///< Volume gained as it is now [m^3].
    std::int32_t out_of_reach = 0;  ///< Points left inside the rigid body, beyond the extent.
    bool is_kept = true;            ///< The height for bulge 1 was found; else it is an estimate.
};

/// What a bulge is made of. Views; arrays have an entry per point of the region.
struct PressFields {
    const PressRegion& region;
    std::span<const double> radial;
    std::span<const Vec3> directions;
    const PressGuides& guides;
    const SurfaceQuery& rigid;
    std::span<const RigidSide> sides;      ///< Per *soft vertex*.
    std::span<const double> bulge_factor;  ///< Painted, per *soft vertex*; empty: 1.
    double extent = 0.0;                   ///< How far the bulge reaches [m].
    std::span<const Vec3> at_rest;  ///< Where *soft vertices* are in the body's own frame [m].
    bool is_sharp = false;          ///< The rigid surface has edges that jut out under the contact.
};

/// The bulge as it is used, over one that keeps the volume: `bulge` times what Poisson's ratio
/// leaves.
double bulge_of(const PressOptions& options);

/// Lays contact points on the rigid surface and moves those with `radial` < 1 along their profile;
/// guards keep them out of the rigid body. The height that keeps the volume is found on the
/// triangles' true volume by secants: a cubic in the height where no guard acts. `bulge_of`
/// the options multiplies it. A point with `radial` >= 1 keeps its place bit for bit.
PressBulge press_bulge(const PressFields& fields, const PressOptions& options);

}  // namespace ductile
