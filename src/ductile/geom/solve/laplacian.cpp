// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/solve/laplacian.h>

#include <algorithm>

namespace ductile {
namespace {

// A triangle's area is taken as at least this share of its longest side's square: a cotangent of a
// million says no more.
constexpr double kLeastSine = 1e-6;

}  // namespace

TriangleWeights triangle_weights(std::span<const Vec3> points, const Triangle& t) {
    const Vec3 sides[3] = {points[t[2]] - points[t[1]], points[t[0]] - points[t[2]],
                           points[t[1]] - points[t[0]]};
    const double longest_sq =
        std::max({sides[0].squaredNorm(), sides[1].squaredNorm(), sides[2].squaredNorm()});
    // One area for all three corners: then the integral is a square, whatever the area.
    const double twice = std::max(sides[0].cross(sides[1]).norm(), kLeastSine * longest_sq);
    const double scale = twice > 0 ? -0.5 / twice : 0.0;
    return {scale * Vec3(sides[1].dot(sides[2]), sides[2].dot(sides[0]), sides[0].dot(sides[1])),
            0.5 * twice};
}

std::vector<Vec3> half_cotangents(std::span<const Vec3> points,
                                  std::span<const Triangle> triangles) {
    std::vector<Vec3> halves;
    halves.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        halves.push_back(triangle_weights(points, t).half_cotangents);
    }
    return halves;
}

Eigen::SparseMatrix<double> cotangent_laplacian(std::size_t point_count,
                                                std::span<const Triangle> triangles,
                                                std::span<const Vec3> half_cotangents,
                                                std::span<const double> shares) {
    DUCTILE_ASSERT(half_cotangents.size() == triangles.size(), "cotangents per triangle");
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(12 * triangles.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const double share = shares.empty() ? 1.0 : shares[f];
        for (int k = 0; k < 3; ++k) {
            const std::int32_t i = triangles[f][(k + 1) % 3], j = triangles[f][(k + 2) % 3];
            const double w = share * half_cotangents[f][k];
            entries.emplace_back(i, i, w);
            entries.emplace_back(j, j, w);
            entries.emplace_back(i, j, -w);
            entries.emplace_back(j, i, -w);
        }
    }
    const auto n = static_cast<Eigen::Index>(point_count);
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

void add_triangles(std::span<const Triangle> triangles,
                   std::span<const std::array<std::int32_t, 3>> sides,
                   std::span<const Vec3> half_cotangents, std::span<const double> shares,
                   EdgeMatrix<double>& matrix) {
    DUCTILE_ASSERT(half_cotangents.size() == triangles.size() && sides.size() == triangles.size(),
                   "sides and cotangents per triangle");
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        add_triangle(triangles[f], sides[f], half_cotangents[f], shares.empty() ? 1.0 : shares[f],
                     matrix);
    }
}

namespace {

template <class Scalar>
Eigen::SparseMatrix<Scalar> constraint_rows(std::span<const SoftConstraint<Scalar>> constraints,
                                            Eigen::Index points) {
    std::vector<Eigen::Triplet<Scalar>> rows;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        for (int k = 0; k < 3; ++k) {
            if (constraints[c].weights[k] == Scalar(0)) continue;
            rows.emplace_back(static_cast<std::int32_t>(c), constraints[c].points[k],
                              constraints[c].weights[k]);
        }
    }
    Eigen::SparseMatrix<Scalar> matrix(static_cast<Eigen::Index>(constraints.size()), points);
    matrix.setFromTriplets(rows.begin(), rows.end());
    return matrix;
}

/// The rows and columns of unknowns, as a graph with values; the columns of given ones beside it.
template <class Scalar>
struct SplitMatrix {
    SplitMatrix(const Eigen::SparseMatrix<Scalar>& whole, std::span<const std::int32_t> place,
                std::int32_t unknowns)
        : matrix(unknowns, 0), from_given(unknowns, whole.cols()) {
        graph.start.push_back(0);
        std::vector<Eigen::Triplet<Scalar>> outer;
        for (Eigen::Index column = 0; column < whole.cols(); ++column) {
            const std::int32_t j = place[column];
            for (typename Eigen::SparseMatrix<Scalar>::InnerIterator it(whole, column); it; ++it) {
                const std::int32_t i = place[it.row()];
                if (i < 0) continue;
                if (j < 0) outer.emplace_back(i, static_cast<std::int32_t>(column), it.value());
                if (j < 0) continue;
                if (i == j) matrix.diagonal[j] = std::real(it.value());
                if (i != j) graph.neighbours.push_back(i);
                // An edge's row is its lower end: this column, turned over.
                if (i > j) matrix.edge.push_back(Eigen::numext::conj(it.value()));
            }
            if (j >= 0) graph.start.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
        }
        from_given.setFromTriplets(outer.begin(), outer.end());
    }

    VertexGraph graph;
    EdgeMatrix<Scalar> matrix;
    Eigen::SparseMatrix<Scalar> from_given;
};

}  // namespace

template <class Scalar>
Result<SmoothSolver<Scalar>> SmoothSolver<Scalar>::make(
    const Sparse& laplacian, std::span<const std::uint8_t> is_given,
    std::span<const SoftConstraint<Scalar>> constraints, double weight) {
    const Eigen::Index n = laplacian.rows();
    DUCTILE_ASSERT(static_cast<std::size_t>(n) == is_given.size(), "a mark per vertex");
    double mean = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) mean += std::real(laplacian.coeff(i, i));
    mean = n > 0 && mean > 0 ? mean / static_cast<double>(n) : 1.0;
    SmoothSolver solver;
    solver.weight_ = weight * mean;
    solver.constraints_ = constraint_rows(constraints, n);
    std::int32_t unknowns = 0;
    for (const std::uint8_t given : is_given) {
        solver.place_.push_back(given ? -1 : unknowns);
        unknowns += !given;
    }
    Sparse whole = laplacian;
    if (!constraints.empty()) {
        whole +=
            Scalar(solver.weight_) * Sparse(solver.constraints_.adjoint() * solver.constraints_);
    }
    SplitMatrix<Scalar> split(whole, solver.place_, unknowns);
    solver.from_given_ = std::move(split.from_given);
    for (double& d : split.matrix.diagonal) {
        // A vertex that no triangle and no constraint reaches has an empty row; it stays 0.
        if (!(d > 1e-9 * mean)) d += 1e-9 * mean;
    }
    FrontTree tree(split.graph, GraphEdges(split.graph), dissect(split.graph));
    auto factor = SparseCholesky<Scalar>::make(std::move(tree), split.matrix);
    if (!factor) return factor.error();
    solver.factor_ = std::make_shared<const SparseCholesky<Scalar>>(std::move(factor.value()));
    return solver;
}

template <class Scalar>
typename SmoothSolver<Scalar>::Fields SmoothSolver<Scalar>::solve(const Fields& given,
                                                                  const Fields& targets,
                                                                  const Fields& right) const {
    const auto n = static_cast<Eigen::Index>(place_.size());
    const Eigen::Index fields = std::max(given.cols(), targets.cols());
    DUCTILE_ASSERT(given.rows() == n && targets.rows() == constraints_.rows(),
                   "a row per vertex and per constraint");
    Fields known = Fields::Zero(n, fields);
    for (Eigen::Index v = 0; v < n; ++v) {
        if (place_[v] < 0) known.row(v) = given.row(v);
    }
    Fields full = Fields::Zero(n, fields);
    if (constraints_.rows() > 0) full = Scalar(weight_) * (constraints_.adjoint() * targets);
    if (right.rows() > 0) full += right;
    Fields reduced = -(from_given_ * known);
    for (Eigen::Index v = 0; v < n; ++v) {
        if (place_[v] >= 0) reduced.row(place_[v]) += full.row(v);
    }
    factor_->solve(reduced);
    for (Eigen::Index v = 0; v < n; ++v) {
        if (place_[v] >= 0) known.row(v) = reduced.row(place_[v]);
    }
    return known;
}

template class SmoothSolver<double>;
template class SmoothSolver<std::complex<double>>;

}  // namespace ductile
