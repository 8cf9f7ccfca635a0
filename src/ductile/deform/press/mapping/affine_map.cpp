// SPDX-License-Identifier: MIT
// The paper sums over crossings of soft edges alike; here each counts with the length of curve that
// it stands for, so that one that comes or goes does so with weight 0.
#include <ductile/core/assert.h>
#include <ductile/deform/press/mapping/affine_map.h>
#include <ductile/geom/flatten/flatten_patch.h>

#include <Eigen/LU>

namespace ductile {

Result<AffineMap> fit_affine(std::span<const Vec2> from, std::span<const Vec2> to,
                             std::span<const double> weights) {
    DUCTILE_ASSERT(from.size() == to.size() && from.size() == weights.size(), "equal sizes");
    AffineMap map;
    double total = 0.0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        map.from += weights[i] * from[i];
        map.to += weights[i] * to[i];
        total += weights[i];
    }
    if (total > 0) map.from /= total;
    if (total > 0) map.to /= total;
    // About the means it is a matrix of two by two, so a far origin costs no digits.
    Eigen::Matrix2d spread = Eigen::Matrix2d::Zero(), both = Eigen::Matrix2d::Zero();
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Vec2 a = from[i] - map.from, b = to[i] - map.to;
        spread += weights[i] * a * a.transpose();
        both += weights[i] * b * a.transpose();
    }
    const double area = spread.determinant();
    if (from.size() < 3 || !(area > 1e-12 * spread.squaredNorm())) {
        return Error{"the curve of contact is too short to find a map", "",
                     "a finer soft mesh helps"};
    }
    map.linear = both * spread.inverse();
    return map;
}

Result<std::vector<Vec2>> affine_flat(const PressSurface& soft, const SoftPatch& patch,
                                      const CurveConstraints& curve) {
    const Result<std::vector<Vec2>> own =
        flatten_patch(patch.points, patch.triangles, {.fills_holes = true});
    if (!own) return Error{"the soft side: " + own.error().what, "", own.error().hint};
    std::vector<Vec2> from;
    for (const RealConstraint& constraint : curve.constraints) {
        Vec2 at = Vec2::Zero();
        for (int k = 0; k < 3; ++k) {
            at += constraint.weights[k] * own.value()[patch.local(constraint.points[k])];
        }
        from.push_back(at);
    }
    const Result<AffineMap> map = fit_affine(from, curve.targets, curve.weights);
    if (!map) return map.error();
    CurveConstraints left = curve;
    for (std::size_t c = 0; c < from.size(); ++c) left.targets[c] -= map.value()(from[c]);
    Result<PatchSolver> solver =
        PatchSolver::make(soft, patch, enclosed_cotangents(soft, patch), left);
    if (!solver) return solver.error();
    std::vector<Vec2> flat;
    solver.value().solve({}, flat);
    for (std::size_t i = 0; i < flat.size(); ++i) flat[i] += map.value()(own.value()[i]);
    return flat;
}

}  // namespace ductile
