// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/tri_mesh.h>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace ductile {

/// Whether the triangles are one piece with one border and no handle, no edge has more than two
/// of them, and their windings agree: what can be laid flat. Points of no triangle do not count.
bool is_disc(std::size_t point_count, std::span<const Triangle> triangles);

struct FlattenOptions {
    int rounds = 4;            ///< Of as-rigid-as-possible steps, >= 0.
    bool fills_holes = false;  ///< Borders but the longest are closed with a fan for the while.
    bool keeps_sizes = false;  ///< Rather none than a map that shrinks parts of the patch.
};

/// Lays a disc flat so that its triangles keep their shape and size as well as they can: local and
/// global steps of an as-rigid-as-possible map (Liu et al. 2008), borders free. They start from
/// the projection along the mean normal where that turns no triangle over, else from a map to a
/// circle with its areas put right, and where that folds from a least squares conformal map (Levy
/// et al. 2002). A patch that is flat already keeps its lengths. Points of no triangle get (0, 0).
///
/// Guarantees: no triangle with an area is turned over and the border does not cross itself, by
/// taking the conformal map alone, and at last one onto a circle (Tutte 1963), where a map before
/// it would.
/// Error: not a disc (a piece with holes, if they are to be filled); if sizes are to be kept, that
/// only the last two would do. A factorisation of n unknowns
/// and a solve per round; one more of n, and at worst one of 2n, where no projection will do.
Result<std::vector<Vec2>> flatten_patch(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles,
                                        const FlattenOptions& options = {});

/// The map of a disc onto a circle of its own area, border by length, that turns no triangle over:
/// harmonic with positive weights. Requires: a disc. Error: no unique solution.
Result<std::vector<Vec2>> map_to_circle(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles);

/// Any piece of surface drawn into the plane by constraints on it: harmonic with positive weights
/// between them, so that a convex outline makes no triangle turn over. Row i of `targets` belongs
/// to constraint i. Error: no unique solution.
Result<std::vector<Vec2>> draw_patch(std::span<const Vec3> points,
                                     std::span<const Triangle> triangles,
                                     std::span<const RealConstraint> constraints,
                                     const Eigen::MatrixX2d& targets);

/// Twice the signed area of a flat triangle.
inline double flat_area(std::span<const Vec2> flat, const Triangle& t) {
    const Vec2 u = flat[t[1]] - flat[t[0]], v = flat[t[2]] - flat[t[0]];
    return u.x() * v.y() - u.y() * v.x();
}

}  // namespace ductile
