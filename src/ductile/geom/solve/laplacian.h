// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/solve/sparse_cholesky.h>
#include <ductile/geom/tri_mesh.h>

#include <Eigen/SparseCore>

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// What a triangle's part in the Laplacian is made of: the integral of |grad f|^2 over it is the
/// sum over its sides of half the cotangent across times the square of f's difference.
struct TriangleWeights {
    Vec3 half_cotangents = Vec3::Zero();  ///< Of each corner's angle. Finite without area, too.
    double area = 0.0;  ///< [m^2]; where it all but vanishes, what the cotangents take it for.
};
TriangleWeights triangle_weights(std::span<const Vec3> points, const Triangle& triangle);

/// The cotangents of all triangles.
std::vector<Vec3> half_cotangents(std::span<const Vec3> points,
                                  std::span<const Triangle> triangles);

/// The cotangent Laplacian: f^T L f is the integral of |grad f|^2 for f linear on each triangle.
/// Positive semi-definite, rows sum to zero, no unit. A linear f on a flat patch has (L f) = 0 at
/// inner vertices. `shares` weighs each triangle's integral; empty: all count fully.
Eigen::SparseMatrix<double> cotangent_laplacian(std::size_t point_count,
                                                std::span<const Triangle> triangles,
                                                std::span<const Vec3> half_cotangents,
                                                std::span<const double> shares = {});

/// One triangle's part, added to a matrix of a mesh's edges. `sides`: its edges (`triangle_edges`).
inline void add_triangle(const Triangle& triangle, const std::array<std::int32_t, 3>& sides,
                         const Vec3& half_cotangents, double share, EdgeMatrix<double>& matrix) {
    const auto weight = [&](int k) { return sides[k] < 0 ? 0.0 : share * half_cotangents[k]; };
    const double w[3] = {weight(0), weight(1), weight(2)};
    matrix.diagonal[triangle[0]] += w[1] + w[2];
    matrix.diagonal[triangle[1]] += w[2] + w[0];
    matrix.diagonal[triangle[2]] += w[0] + w[1];
    for (int k = 0; k < 3; ++k) {
        if (sides[k] >= 0) matrix.edge[sides[k]] -= w[k];
    }
}
/// All of them.
void add_triangles(std::span<const Triangle> triangles,
                   std::span<const std::array<std::int32_t, 3>> sides,
                   std::span<const Vec3> half_cotangents, std::span<const double> shares,
                   EdgeMatrix<double>& matrix);

/// An equation that a field should meet as well as it can, at a place between up to three vertices:
/// sum of weights[k] f[points[k]] equals a target. Unused entries have weight 0 and name any
/// vertex.
template <class Scalar>
struct SoftConstraint {
    std::array<std::int32_t, 3> points = {0, 0, 0};
    std::array<Scalar, 3> weights = {Scalar(0), Scalar(0), Scalar(0)};
};

/// Solves for fields f that are as smooth as constraints allow: minimises
///     f^* L f / 2 - Re(b^* f) + weight / 2 |C f - t|^2
/// with f given at some vertices (Appendix A of Brunel et al. 2020, with both signs turned so that
/// all terms are positive). Factored once, solved for many right-hand sides.
template <class Scalar>
class SmoothSolver {
public:
    using Sparse = Eigen::SparseMatrix<Scalar>;
    using Fields = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    /// `laplacian` Hermitian and positive semi-definite; `is_given` per vertex. `weight` is in
    /// units of the mean diagonal of `laplacian`, its columns in order. A vertex that nothing
    /// reaches gets 0. Error: no unique solution.
    static Result<SmoothSolver> make(const Sparse& laplacian,
                                     std::span<const std::uint8_t> is_given,
                                     std::span<const SoftConstraint<Scalar>> constraints,
                                     double weight);

    /// `given`: a row per vertex, those that are not given ignored; `targets`: a row per
    /// constraint; `right`: b, a row per vertex, or no rows for none. Returns a row per vertex.
    Fields solve(const Fields& given, const Fields& targets, const Fields& right = {}) const;

private:
    SmoothSolver() = default;
    std::shared_ptr<const SparseCholesky<Scalar>> factor_;
    std::vector<std::int32_t> place_;  ///< Of each vertex among the unknowns; -1 if given.
    Sparse from_given_;                ///< Rows: unknowns; columns: vertices.
    Sparse constraints_;               ///< Rows: constraints; columns: vertices.
    double weight_ = 0.0;
};

using RealConstraint = SoftConstraint<double>;
using ComplexConstraint = SoftConstraint<std::complex<double>>;

/// How strongly constraints bind where nobody says otherwise: the seed's 100 on a regular mesh,
/// whose diagonal is 2 sqrt(3).
inline constexpr double kConstraintWeight = 30.0;

}  // namespace ductile
