// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/geom/mass_integrals.h>

#include <vector>

namespace ductile {

/// Integrals over groups of triangles as they are, not closed where other groups begin, relative to
/// a reference place.
struct GroupIntegrals {
    std::vector<MassIntegrals> sums;  ///< Per group; areas of solids to a factor of sqrt(3).
    std::vector<Box> boxes;           ///< Around each group, relative as well.
    MassIntegrals whole;
    Vec3 open = Vec3::Zero();  ///< Area vectors of all solid triangles; 0: they are closed [m^2].
    double solid_area = 0.0;   ///< Likewise [m^2].
};

/// O(triangles). Requires: as `group_masses`.
GroupIntegrals group_integrals(const GroupedSurface& surface, const Vec3& reference);

}  // namespace ductile
