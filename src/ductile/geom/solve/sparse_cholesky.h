// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/solve/front_tree.h>
#include <ductile/geom/solve/pooled_array.h>

#include <Eigen/Core>

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace ductile {

/// A Cholesky factor L of a Hermitian positive definite matrix, A = L L^*, front by front
/// (multifrontal: Duff and Reid 1983).
template <class Scalar>
class SparseCholesky {
public:
    using Fields = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    /// Factors the rows and columns of `matrix` that `tree` has. With a `base`, a factor of the
    /// tree that `tree` was masked from: fronts whose descendants all have the base's values are
    /// taken from it; the factor is the same bits as without, and needs the base no more.
    /// Error: a pivot that is not positive, so there is no unique solution.
    static Result<SparseCholesky> make(FrontTree tree, const EdgeMatrix<Scalar>& matrix,
                                       std::shared_ptr<const SparseCholesky> base = nullptr);

    /// A base for others: as far as it can be factored. What has no unique solution, as a plain
    /// Laplacian, only lacks the fronts from the bad pivot upwards. Not to be solved with.
    static std::shared_ptr<const SparseCholesky> make_base(FrontTree tree,
                                                           EdgeMatrix<Scalar> matrix);

    const FrontTree& tree() const { return tree_; }
    std::size_t kept_fronts() const { return kept_fronts_; }  ///< Taken from the base.
    std::size_t bytes() const;  ///< Of the factor, as a solve reads it twice.

    /// Solves A x = b in place: a row per vertex of the graph, a column per right-hand side. Rows
    /// of vertices that the tree has not are left alone.
    void solve(Eigen::Ref<Fields> fields) const;

private:
    class Work;
    explicit SparseCholesky(FrontTree tree) : tree_(std::move(tree)) {}
    bool factor(const EdgeMatrix<Scalar>& matrix, bool is_base);
    bool factor_front(std::size_t f, const EdgeMatrix<Scalar>& matrix,
                      std::span<const std::uint8_t> is_kept, Work& work, double* panel,
                      double* update);
    template <int Q>
    void solve_columns(Eigen::Ref<Fields> fields) const;
    template <int Q>
    void solve_forward(std::size_t f, double* x, double* part) const;
    template <int Q>
    void solve_backward(std::size_t f, double* x, double* part, double* sums) const;
    std::vector<std::uint8_t> unchanged_fronts(const EdgeMatrix<Scalar>& matrix) const;
    bool has_same_values(const FrontTree::Front& front, const EdgeMatrix<Scalar>& matrix) const;

    FrontTree tree_;
    std::vector<double*> panels_;   ///< Per front: its columns, inverses on the diagonal.
    std::vector<double*> updates_;  ///< Per front of a base: what it adds to its parent; or null.
    PooledArray storage_, update_storage_;
    std::size_t kept_fronts_ = 0;
    std::shared_ptr<const SparseCholesky> base_;       ///< Whose panels some of ours are.
    std::unique_ptr<EdgeMatrix<Scalar>> base_matrix_;  ///< Of a base: what it was made of.
    std::vector<std::int32_t> child_counts_;           ///< Per front of a base.
};

extern template class SparseCholesky<double>;
extern template class SparseCholesky<std::complex<double>>;

}  // namespace ductile
