// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/field/press_region.h>
#include <ductile/geom/query/surface_query.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Where a soft vertex is at rest, seen from the rigid body.
enum class RigidSide : std::uint8_t { Outside, Inside, Unknown };

/// Keeps a point of the bulge out of the rigid body: the plane that touches it nearby, and how
/// softly the point comes to lie on it. The paper has none, and a strong bulge goes into the rigid
/// body there.
struct PressGuard {
    std::int32_t point = -1;     ///< Of the region.
    Vec3 place = Vec3::Zero();   ///< [m]
    Vec3 normal = Vec3::Zero();  ///< Unit, out of the rigid body.
    double width = 0.0;          ///< Gaps below this are widened [m].
};

/// A gap that is never below 0: `gap` itself from `width` on, 0 up to -width, a parabola between
/// them, so that what slides along a surface leaves it without a crease. Once differentiable.
inline double softened_gap(double gap, double width) {
    if (gap >= width) return gap;
    if (gap <= -width) return 0.0;
    const double x = gap + width;
    return x * x / (4.0 * width);
}

/// Finds the guards of a region's moving points, ascending by point. A point that is inside at rest
/// has the plane where the mapping laid it (`region.touching`), which is on the right side of a
/// thin board, too; one outside that of the place its direction meets within `reaches[i]` and the
/// width [m]. None in a zone, at `radial` >= 1 and where the side is unknown. `sides`: per soft
/// vertex. A ray per outside point that moves outward and may come near.
std::vector<PressGuard> press_guards(const PressRegion& region, std::span<const double> radial,
                                     std::span<const Vec3> directions, const PressGuides& guides,
                                     std::span<const double> reaches, const SurfaceQuery& rigid,
                                     std::span<const RigidSide> sides);

/// Moves guards to where they are needed: each point that would come to lie at `reached[i]`, inside
/// the rigid body or within a guard's width of it, gets the plane at the nearest place of the body,
/// whether it was inside at rest or not. So neighbours across the curve of contact are held alike.
/// A guard whose nearest place shows the other side of a thin board keeps its plane.
void spread_guards(const PressRegion& region, std::span<const double> radial,
                   const PressGuides& guides, std::span<const Vec3> reached,
                   const SurfaceQuery& rigid, std::span<const RigidSide> sides,
                   std::vector<PressGuard>& guards);

}  // namespace ductile
