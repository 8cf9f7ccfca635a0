// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <optional>
#include <span>

namespace ductile {

/// What a shape has become, in a few numbers; against the same surface at rest.
struct ShapeMeasures {
    std::optional<double> volume;  ///< Enclosed [m^3]; nothing for an open surface.
    double area = 0.0;             ///< Of the surface [m^2].
    double moved = 0.0;            ///< The longest move of a point [m].
    double mean_moved = 0.0;       ///< Mean length of the moves, by area at rest [m].
    double depth = 0.0;            ///< The deepest push against the normal at rest [m], >= 0.
    double rim = 0.0;              ///< The highest rise along it [m], >= 0.
    double dent_volume = 0.0;      ///< What pushed-in places swept: depth x area at rest [m^3].
    double damaged_area = 0.0;     ///< At rest, of points that moved at all [m^2].
    double strain = 0.0;           ///< The largest of a point (damage_map.h).
    double mean_strain = 0.0;      ///< Mean by area at rest.
};

/// Calls visit(name with unit, value) for each, in the order above: tables name them so. A volume
/// that is not there is a null pointer.
template <class Visitor>
void visit_measures(const ShapeMeasures& m, Visitor&& visit) {
    visit("volume_m3", m.volume ? &*m.volume : nullptr);
    visit("area_m2", &m.area);
    visit("moved_m", &m.moved);
    visit("mean_moved_m", &m.mean_moved);
    visit("depth_m", &m.depth);
    visit("rim_m", &m.rim);
    visit("dent_volume_m3", &m.dent_volume);
    visit("damaged_area_m2", &m.damaged_area);
    visit("strain", &m.strain);
    visit("mean_strain", &m.mean_strain);
}

/// Requires: as many points as at rest, finite ones; triangles that name them. O(n). Of the shape
/// at rest all but volume and area are exactly 0.
ShapeMeasures measure_shape(const TriMesh& rest, std::span<const Vec3> now);

}  // namespace ductile
