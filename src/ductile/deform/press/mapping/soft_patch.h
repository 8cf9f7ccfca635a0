// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/overlap/press_overlap.h>

#include <algorithm>
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

    std::int32_t local(std::int32_t v) const {
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), v);
        return at != vertices.end() && *at == v ? static_cast<std::int32_t>(at - vertices.begin())
                                                : -1;
    }
};

/// All triangles around the overlap's vertices. O(vertices of the surface / 64 + patch).
SoftPatch make_soft_patch(const PressSurface& soft, const PressOverlap& overlap);

}  // namespace ductile
