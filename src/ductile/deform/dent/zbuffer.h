// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent_map.h>
#include <ductile/geom/tri_mesh.h>

#include <span>

namespace ductile {

/// Where a dent map lies: z is the way in, x and y span the map. Right-handed and orthonormal.
struct DentFrame {
    Vec3 origin = Vec3::Zero();  ///< The middle of the map [m].
    Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();

    Vec3 to_local(const Vec3& p) const {
        const Vec3 d = p - origin;
        return {d.dot(x), d.dot(y), d.dot(z)};
    }
};

/// A frame with this way in; x is as near to `wanted_x` as it can be.
/// Requires: a way with a length.
DentFrame dent_frame(const Vec3& origin, const Vec3& way_in, const Vec3& wanted_x);

/// How deep a body presses into the plane that it meets, sample by sample: a picture of its
/// depth, taken along z without perspective (Patkar et al. 2014, section 3.2).
///
/// The body is pushed on until its foremost point, of those over the map, is `distance` beyond the
/// plane; what lies behind the plane presses nothing. Hollows and horns come out as they are. Where
/// the mesh is finer than the map every vertex counts at its nearest sample (or samples), so no tip
/// is lost. The deepest depth is `distance` exactly; all are 0 if nothing lies over the map.
/// O(triangles + samples they cover). Requires: valid indices, finite points, distance >= 0, and
/// `map` of the size wanted; its depths are overwritten.
void press_profile(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   const DentFrame& frame, double distance, DentMap& map);

}  // namespace ductile
