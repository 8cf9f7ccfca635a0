// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>

namespace ductile {

/// Where a body is cut across.
struct SectionPlane {
    Vec3 place = Vec3::Zero();    ///< [m]
    Vec3 normal = Vec3(0, 1, 0);  ///< Unit.
};

/// What a cross-section withstands when all of it yields: a moment of yield stress times modulus.
struct PlasticSection {
    double area = 0.0;                 ///< [m^2]
    Vec3 centre = Vec3::Zero();        ///< [m]
    Vec3 weak_axis = Vec3(1, 0, 0);    ///< Unit, in the plane: about which it bends most easily.
    Vec3 strong_axis = Vec3(0, 0, 1);  ///< Across it.
    double weak_modulus = 0.0;         ///< Integral of |distance from the neutral axis| [m^3].
    double strong_modulus = 0.0;       ///< About the other axis [m^3].
};

/// The section of a surface: of the solid that it bounds (`thickness` 0), or of sheet. Of several
/// outlines in the plane, the one nearest to the place counts, with all that lies within it.
/// Each modulus is about the line that halves the area. With `is_sheet` (one per triangle) the
/// triangles it names are sheet and the others solid, as `mass_properties` has it.
/// Error: the plane meets nothing; an outline that is open, or encloses nothing.
Result<PlasticSection> plastic_section(std::span<const Vec3> points,
                                       std::span<const Triangle> triangles,
                                       const SectionPlane& plane, double thickness,
                                       std::span<const std::uint8_t> is_sheet = {});

}  // namespace ductile
