// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/mapping/press_mapping.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Where the border of the contact zone crosses an edge of the soft mesh.
struct ZoneCrossing {
    std::int32_t inner = 0;    ///< Its end in the zone.
    std::int32_t outer = 0;    ///< Its end out of it.
    double along = 0.0;        ///< Share of the way from inner to outer, in [0, 1].
    Vec3 rest = Vec3::Zero();  ///< The place on the soft surface [m].
    RigidPlace touching;       ///< What it comes to lie on.
};

/// Section 3.3: the soft vertices that stay in contact, and the zone's border between vertices.
struct ContactZone {
    std::vector<std::int32_t> points;  ///< Soft vertices.
    std::vector<RigidPlace> touching;  ///< Per point: what it comes to lie on.
    std::vector<ZoneCrossing> border;
    std::vector<std::int32_t> beside;  ///< Soft vertices of the overlap that are not in the zone.
    std::vector<RigidPlace> below;     ///< Per entry of `beside`: where it is mapped to.
    bool is_sharp = false;             ///< The rigid surface under it has edges that jut out.
    double fitting = 1.0;  ///< Without a point: what share of the radius would give it one.
};

/// Finds the zone of one overlap. A vertex is in it if a ball of `radius` [m] that rests on the
/// rigid surface where the vertex is mapped to has no other soft vertex in it; the border lies
/// where a ball that slides along an edge first meets one, or where the overlap ends.
///
/// Soft vertices can be in the way that a path along edges, near the box of all balls, joins to the
/// overlap; those of the overlap count where they are mapped to.
/// `factors`: of the radius, per soft vertex; empty: 1. The same at any number of threads. Empty if
/// the ball fits nowhere.
ContactZone find_contact_zone(const PressSurface& soft, const PressOverlap& overlap,
                              const PressMapping& mapping,
                              std::span<const EdgeCrossing> soft_crossings, double radius,
                              std::span<const double> factors = {});

}  // namespace ductile
