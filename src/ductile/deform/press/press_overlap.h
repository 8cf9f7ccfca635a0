// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press_surface.h>
#include <ductile/geom/laplacian.h>
#include <ductile/geom/mesh_crossings.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// A point of the curve in which two surfaces meet, as a place on each.
struct CurvePoint {
    RealClaim soft;  ///< Soft vertices and their shares.
    std::int32_t rigid_triangle = 0;
    Vec3 rigid_weights = Vec3::UnitX();  ///< Barycentric.
};

/// One connected part of the soft surface that is inside the rigid one.
struct PressOverlap {
    std::vector<std::int32_t> inside;  ///< Soft vertices, ascending.
    std::vector<CurvePoint> curve;     ///< Its border.
};

/// Section 3.1: where the two surfaces overlap.
struct PressOverlaps {
    std::vector<PressOverlap> overlaps;
    MeshCrossings crossings;                    ///< Soft first.
    std::vector<std::uint8_t> rigid_is_inside;  ///< Per rigid vertex: within the soft body.
    std::vector<std::string> notes;             ///< What cannot be pressed, in words.
};
/// `rigid_query` holds the points of `rigid`. Beyond a pass over the points and triangles of
/// `soft`, the work goes with the overlap.
PressOverlaps find_overlaps(const PressSurface& soft, const PressSurface& rigid,
                            const SurfaceQuery& rigid_query);

}  // namespace ductile
