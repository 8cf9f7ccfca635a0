// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent_law.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/geom/query/surface_query.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace ductile {

/// What is pressed in, and how.
struct ProjectilePress {
    const SurfaceQuery* surface = nullptr;  ///< Of the projectile, in its own frame.
    Transform to_body;                      ///< From there into the struck body's frame.
    Vec3 direction_b = Vec3(0, -1, 0);      ///< Unit; the way in, against the struck normal.
    Vec3 from_b = Vec3::UnitX();     ///< Unit, across it: the side that the impact came from.
    double slant = 0.0;              ///< How far from the way in it came [rad], < pi / 2.
    std::span<const Vec3> places_b;  ///< Where the struck surface is touched, at least one.
    Box box_b;                       ///< Of the struck body: what lies outside is not seen.
    /// How much further it reaches along its way than the first of the places that it touches [m];
    /// nothing: looked for.
    std::optional<double> lead;
    double distance = 0.0;    ///< How far it is pressed in, along its way [m], > 0.
    double smoothing = 0.0;   ///< How softly the dent runs out, in [0, 1]; 0: not at all.
    double rim_height = 0.0;  ///< Of a rim, at most [share of the distance].
    double rim_width = 0.28;  ///< Over which it falls off [share of the footprint's radius].
    /// Of the volume pressed in, what the rim holds, in [0, 1]: its width follows. 0: as its width
    /// has it.
    double rim_volume = 0.0;
    /// What of a push at a place of the plane reaches the struck surface behind it, in [0, 1];
    /// nothing: all. Asked for where a rim has a volume.
    std::function<double(const Vec3& place_b)> reached{};
    std::optional<BasinShape> basin;  ///< Of a sheet, bent in around it.
    double edge = 0.0;        ///< Of the struck mesh's triangles [m], > 0: no use in finer maps.
    double other_edge = 0.0;  ///< Of the projectile's [m], > 0.
    std::int32_t grid = 100;  ///< Samples along the longer side at most.
    /// Whether it has as many samples as a square of that side, so that what is long and narrow is
    /// seen across, too.
    bool is_even = false;
    double margin = 0.0;  ///< How far the map goes beyond what it shows, at least [cells].
};

/// A map of what a projectile presses in, and where its middle lies.
struct ProjectileMap {
    DentMap map;                   ///< Across the way of the impact; x towards where it came from.
    Vec3 middle_b = Vec3::Zero();  ///< On the plane through the deepest of the places.
    std::vector<double> profile;   ///< Before broadening and smoothing, sample by sample.
};

/// Looks along the impact at the projectile's foremost part and takes its depth picture beyond the
/// plane that the struck surface touches it in (Patkar et al. 2014, section 3.2); then broadens and
/// smooths it.
///
/// The plane is the struck surface's own, not one across the impact: a slanted impact then presses
/// just what it would sweep, and the map needs no re-centring (the seed puts the foremost point
/// where the bodies touch). How far the bodies are apart along the impact does not matter. Only
/// triangles near the plane are looked at. Nothing: the projectile is not met along its way.
///
/// A rim rises along the projectile's own flank, which it never enters, up to `rim_height`, and
/// falls off from there. A basin lies around the part that is deepest. Both are part of the map.
std::optional<ProjectileMap> projectile_map(const ProjectilePress& press);

}  // namespace ductile
