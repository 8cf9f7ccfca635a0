// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/mapping/rigid_plane.h>
#include <ductile/deform/press/mapping/soft_patch.h>
#include <ductile/geom/solve/laplacian.h>

#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// The curve of contact as constraints on a soft patch, and where it lies in the rigid plane.
struct CurveConstraints {
    std::vector<RealConstraint> constraints;  ///< On soft vertices, all of them in the patch.
    std::vector<double> weights;              ///< Their lengths in units of the soft mesh's edges.
    std::vector<Vec2> targets;                ///< In the plane [m].
    double area = 0.0;                        ///< That the curve encloses in the plane [m^2].
    bool is_clockwise = false;                ///< How the outermost curve runs there.
};

/// Error: a curve too short to find a map.
Result<CurveConstraints> curve_constraints(const PressOverlap& overlap, const SoftPatch& patch,
                                           const RigidPlane& plane);

/// The Laplacian of a soft patch with the curve's constraints, factored in the soft body's own
/// order.
class PatchSolver {
public:
    /// `cotangents`: halves, per triangle of the patch, times what it counts. The patch must
    /// outlive it. Error: no unique solution.
    static Result<PatchSolver> make(const PressSurface& soft, const SoftPatch& patch,
                                    std::span<const Vec3> cotangents,
                                    const CurveConstraints& curve);

    /// Where the curve's targets and `right`, an entry per point or none, draw the points.
    void solve(std::span<const Vec2> right, std::vector<Vec2>& flat);

private:
    explicit PatchSolver(const SoftPatch& patch) : patch_(patch) {}
    void add_constraint(const PressSystem& system, const RealConstraint& constraint, double weight,
                        const Vec2& target, EdgeMatrix<double>& matrix);

    const SoftPatch& patch_;
    std::unique_ptr<SparseCholesky<double>> factor_;
    std::vector<Vec2> pull_;                 ///< Of the constraints, per point.
    SparseCholesky<double>::Fields fields_;  ///< Per soft vertex.
};

/// Half the cotangents of a patch's triangles, each times the share that the curve encloses.
std::vector<Vec3> enclosed_cotangents(const PressSurface& soft, const SoftPatch& patch);

}  // namespace ductile
