// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/mapping/press_surface.h>
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// A point of the curve in which two surfaces meet, as a place on each.
struct CurvePoint {
    RealConstraint soft;  ///< Soft vertices and their shares.
    std::int32_t rigid_triangle = 0;
    Vec3 rigid_weights = Vec3::UnitX();  ///< Barycentric.
    Vec3 position = Vec3::Zero();        ///< [m]
    double length = 0.0;                 ///< How much of the curve it stands for [m].
};

/// One connected part of the soft surface that is inside the rigid one, or went through it.
struct PressOverlap {
    std::vector<std::int32_t> inside;  ///< Soft vertices, ascending.
    std::vector<std::int32_t> beyond;  ///< Those of them that lie behind the rigid body, ascending.
    std::vector<CurvePoint> curve;     ///< Its border, curve by curve, in order along each.
    std::vector<std::int32_t> loops;   ///< Where in `curve` each begins.
    bool is_closed = true;             ///< Every one of them closes.
    std::vector<std::int32_t> under;   ///< Rigid triangles that the curve encloses, ascending.
    std::string trouble;               ///< Why it cannot be pressed; empty if it may be.
    /// Where the rigid body goes on to other overlaps: a number that these share; else -1.
    std::int32_t joined = -1;
};

/// Section 3.1: where the two surfaces overlap.
struct PressOverlaps {
    std::vector<PressOverlap> overlaps;
    MeshCrossings crossings;                    ///< Soft first.
    std::vector<std::uint8_t> rigid_is_inside;  ///< Per rigid vertex: within the soft body.
    std::vector<std::string> notes;             ///< What cannot be pressed, for the report.
};
/// `rigid_query` holds the points of `rigid`. Beyond a pass over the points and triangles of
/// `soft`, the work goes with the overlap.
PressOverlaps find_overlaps(const PressSurface& soft, const PressSurface& rigid,
                            const SurfaceQuery& rigid_query);

/// How far an edge can be followed from `inner` until something crosses it, as a share of its
/// length; 1 if nothing does. Requires: crossings sorted by edge. O(log crossings).
double first_crossing(std::span<const EdgeCrossing> crossings, std::int32_t inner,
                      std::int32_t outer);

}  // namespace ductile
