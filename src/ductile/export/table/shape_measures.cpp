// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/table/shape_measures.h>
#include <ductile/geom/damage_map.h>
#include <ductile/geom/mass.h>

#include <algorithm>
#include <vector>

namespace ductile {

ShapeMeasures measure_shape(const TriMesh& rest, std::span<const Vec3> now) {
    DUCTILE_ASSERT(now.size() == rest.points.size(), "a shape of the same surface");
    ShapeMeasures m;
    if (is_closed(rest.triangles)) m.volume = volume(now, rest.triangles);
    for (const Triangle& t : rest.triangles) m.area += 0.5 * area_vector(now, t).norm();
    const DamageMap damage = damage_map(rest.points, now, rest.triangles);
    const std::vector<double> areas = vertex_areas(rest.points, rest.triangles);
    double area_at_rest = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const double moved = (now[i] - rest.points[i]).norm();
        area_at_rest += areas[i];
        m.moved = std::max(m.moved, moved);
        m.mean_moved += areas[i] * moved;
        m.depth = std::max(m.depth, damage.depth[i]);
        m.rim = std::max(m.rim, -damage.depth[i]);
        m.dent_volume += areas[i] * std::max(damage.depth[i], 0.0);
        if (moved > 0.0) m.damaged_area += areas[i];
        m.strain = std::max(m.strain, damage.strain[i]);
        m.mean_strain += areas[i] * damage.strain[i];
    }
    if (area_at_rest > 0.0) {
        m.mean_moved /= area_at_rest;
        m.mean_strain /= area_at_rest;
    }
    return m;
}

}  // namespace ductile
