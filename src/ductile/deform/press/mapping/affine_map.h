// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/mapping/patch_solver.h>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace ductile {

/// Takes one plane to another.
struct AffineMap {
    Eigen::Matrix2d linear = Eigen::Matrix2d::Identity();
    Vec2 from = Vec2::Zero(), to = Vec2::Zero();  ///< A place and where it goes.

    Vec2 operator()(const Vec2& p) const { return to + linear * (p - from); }
};

/// The one that takes `from` to `to` best in the sense of weighted least squares. Requires: equal
/// sizes, weights >= 0. Error: places in one line, or fewer than three.
Result<AffineMap> fit_affine(std::span<const Vec2> from, std::span<const Vec2> to,
                             std::span<const double> weights);

/// Section 3.2 of Brunel et al. 2020: where the points of a soft patch go in the rigid plane. The
/// patch is laid flat by itself, an affine map fits its curve to the one in the rigid plane, and
/// what that leaves is spread over the patch as a harmonic field.
/// Guarantees: an affine map is found to rounding. Error: a patch that cannot be laid flat.
Result<std::vector<Vec2>> affine_flat(const PressSurface& soft, const SoftPatch& patch,
                                      const CurveConstraints& curve);

}  // namespace ductile
