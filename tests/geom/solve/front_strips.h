// SPDX-License-Identifier: MIT
// Small dense matrices to compare fronts with, in plain loops, and the strips of four rows that
// fronts are made of.
#pragma once

#include <ductile/core/rng.h>
#include <ductile/geom/solve/front_kernels.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ductile::test {

template <class Scalar>
struct DenseMatrix {
    DenseMatrix(int rows_, int columns_)
        : rows(rows_), columns(columns_), entries(static_cast<std::size_t>(rows * columns)) {}
    Scalar& operator()(int r, int c) { return entries[r + c * rows]; }
    const Scalar& operator()(int r, int c) const { return entries[r + c * rows]; }

    int rows, columns;
    std::vector<Scalar> entries;
};

template <class Scalar>
DenseMatrix<Scalar> random_dense(Rng& rng, int rows, int columns) {
    DenseMatrix<Scalar> m(rows, columns);
    for (Scalar& x : m.entries) {
        x = rng.uniform(-1, 1);
        if constexpr (front::kPlanes<Scalar> == 2) x += Scalar(0, rng.uniform(-1, 1));
    }
    return m;
}

template <class Scalar>
DenseMatrix<Scalar> block(const DenseMatrix<Scalar>& m, int row, int column, int rows,
                          int columns) {
    DenseMatrix<Scalar> out(rows, columns);
    for (int c = 0; c < columns; ++c) {
        for (int r = 0; r < rows; ++r) out(r, c) = m(row + r, column + c);
    }
    return out;
}

template <class Scalar>
DenseMatrix<Scalar> adjoint(const DenseMatrix<Scalar>& m) {
    DenseMatrix<Scalar> out(m.columns, m.rows);
    for (int c = 0; c < m.columns; ++c) {
        for (int r = 0; r < m.rows; ++r) out(c, r) = front::conjugate(m(r, c));
    }
    return out;
}

template <class Scalar>
DenseMatrix<Scalar> times(const DenseMatrix<Scalar>& a, const DenseMatrix<Scalar>& b) {
    DenseMatrix<Scalar> out(a.rows, b.columns);
    for (int c = 0; c < b.columns; ++c) {
        for (int k = 0; k < a.columns; ++k) {
            for (int r = 0; r < a.rows; ++r) out(r, c) += a(r, k) * b(k, c);
        }
    }
    return out;
}

template <class Scalar>
DenseMatrix<Scalar> random_positive(Rng& rng, int size) {
    const DenseMatrix<Scalar> m = random_dense<Scalar>(rng, size, size);
    DenseMatrix<Scalar> out = times(m, adjoint(m));
    for (int i = 0; i < size; ++i) out(i, i) += 1.0;
    return out;
}

/// A lower triangle L with L L^* = m.
template <class Scalar>
DenseMatrix<Scalar> cholesky(const DenseMatrix<Scalar>& m) {
    DenseMatrix<Scalar> lower(m.rows, m.rows);
    for (int c = 0; c < m.rows; ++c) {
        for (int r = c; r < m.rows; ++r) {
            Scalar sum = m(r, c);
            for (int k = 0; k < c; ++k) sum -= lower(r, k) * front::conjugate(lower(c, k));
            lower(r, c) = r == c ? Scalar(std::sqrt(std::real(sum))) : sum / lower(c, c);
        }
    }
    return lower;
}

template <class Scalar>
DenseMatrix<Scalar> inverse_of_lower(const DenseMatrix<Scalar>& lower) {
    DenseMatrix<Scalar> out(lower.rows, lower.rows);
    for (int c = 0; c < lower.rows; ++c) {
        for (int r = c; r < lower.rows; ++r) {
            Scalar sum = r == c ? 1.0 : 0.0;
            for (int k = c; k < r; ++k) sum -= lower(r, k) * out(k, c);
            out(r, c) = sum / lower(r, r);
        }
    }
    return out;
}

template <class Scalar>
double largest_difference(const DenseMatrix<Scalar>& a, const DenseMatrix<Scalar>& b) {
    if (a.rows != b.rows || a.columns != b.columns) return INFINITY;
    double worst = 0.0;
    for (std::size_t i = 0; i < a.entries.size(); ++i) {
        const double difference = std::abs(a.entries[i] - b.entries[i]);
        if (!(difference <= worst)) worst = difference;
    }
    return worst;
}

/// Where an entry lies, in strips that are all `width` columns wide.
template <class Scalar>
front::Index strip_place(int row, int column, int width) {
    return (row / front::kStrip * width + column) * front::kCell<Scalar> + row % front::kStrip;
}

/// The last strip is filled up with zeros.
template <class Scalar>
std::vector<double> in_strips(const DenseMatrix<Scalar>& m) {
    const int strips = (m.rows + front::kStrip - 1) / front::kStrip;
    std::vector<double> out(static_cast<std::size_t>(strips * m.columns * front::kCell<Scalar>));
    for (int r = 0; r < m.rows; ++r) {
        for (int c = 0; c < m.columns; ++c) {
            front::set(out.data() + strip_place<Scalar>(r, c, m.columns), m(r, c));
        }
    }
    return out;
}

template <class Scalar>
DenseMatrix<Scalar> from_strips(const std::vector<double>& strips, int rows, int columns) {
    DenseMatrix<Scalar> m(rows, columns);
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            m(r, c) = front::value(strips.data() + strip_place<Scalar>(r, c, columns), Scalar());
        }
    }
    return m;
}

}  // namespace ductile::test
