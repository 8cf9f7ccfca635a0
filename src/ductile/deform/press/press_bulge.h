// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press_options.h>
#include <ductile/deform/press/press_region.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Where a soft vertex is at rest, seen from the rigid body.
enum class RigidSide : std::uint8_t { Outside, Inside, Unknown };

/// How far each point may move along its direction before it meets the rigid surface [m]: negative
/// for one that is inside and must come out, infinity where nothing is within `reach`, in a zone,
/// at `radial` >= 1 and where the side is unknown. The seed has no such limit, and a strong bulge
/// goes into the rigid body there. `sides`: per soft vertex. A ray per point.
std::vector<double> press_limits(const PressRegion& region, std::span<const double> radial,
                                 std::span<const Vec3> directions, const SurfaceQuery& rigid,
                                 std::span<const RigidSide> sides, double reach);

/// Section 4.4: where the points of a region go.
struct PressBulge {
    std::vector<Vec3> points;  ///< Per point of the region [m].
    double height = 0.0;       ///< Of control point 2 where the volume is kept [m].
    double displaced = 0.0;    ///< Volume lost with bulge 0 [m^3].
    double change = 0.0;       ///< Volume gained as it is now [m^3].
    bool is_kept = true;       ///< The height for bulge 1 was found; else it is an estimate.
};

/// Lays contact points on the rigid surface and moves those with `radial` < 1 along their profile,
/// up to their limits (which pull none in by more than 1.5 amplitudes). The height that keeps the
/// volume is found on the triangles' true volume, by secants from the seed's linear estimate; the
/// options' bulge multiplies it. A point with `radial`
/// >= 1 keeps its place bit for bit.
PressBulge press_bulge(const PressRegion& region, std::span<const double> radial,
                       std::span<const Vec3> directions, const PressGuides& guides,
                       std::span<const double> limits, const PressOptions& options);

}  // namespace ductile
