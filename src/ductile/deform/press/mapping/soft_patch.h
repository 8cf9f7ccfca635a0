// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/overlap/press_overlap.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// The soft triangles that an overlap reaches, as a mesh of its own.
struct SoftPatch {
    std::vector<std::int32_t> vertices;  ///< Of the soft surface, ascending.
    std::vector<std::int32_t> faces;     ///< Of the soft surface, ascending.
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;      ///< Per face, into `points`.
    std::vector<double> shares;           ///< Per triangle: what part of it the curve encloses.
    std::vector<std::uint8_t> is_inside;  ///< Per point.
    double area = 0.0;                    ///< Enclosed by the curve [m^2].

    /// Where a vertex of the soft surface is among `vertices`; -1 if it is not.
    std::int32_t local(std::int32_t v) const { return index_in(vertices, v); }
};

/// All triangles around the overlap's vertices. O(vertices of the surface / 64 + patch).
SoftPatch make_soft_patch(const PressSurface& soft, const PressOverlap& overlap);

}  // namespace ductile
