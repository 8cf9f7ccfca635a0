// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/solve/front_shape.h>
#include <ductile/geom/solve/front_solve.h>
#include <ductile/geom/solve/sparse_cholesky.h>

#include <algorithm>

namespace ductile {

template <class Scalar>
void SparseCholesky<Scalar>::solve(Eigen::Ref<Fields> fields) const {
    DUCTILE_ASSERT(static_cast<std::size_t>(fields.rows()) == tree_.vertex_count(),
                   "a row per vertex");
    front::Index k = 0;
    // As many at a time as registers hold: a large factor comes from memory each time.
    if constexpr (front::kPlanes<Scalar> == 1) {
        for (; k + 4 <= fields.cols(); k += 4) solve_columns<4>(fields.middleCols(k, 4));
    }
    for (; k + 2 <= fields.cols(); k += 2) solve_columns<2>(fields.middleCols(k, 2));
    if (k < fields.cols()) solve_columns<1>(fields.middleCols(k, 1));
}

template <class Scalar>
template <int Q>
void SparseCholesky<Scalar>::solve_columns(Eigen::Ref<Fields> fields) const {
    constexpr front::Index sides = front::kSides<Scalar, Q>;
    const auto vertices = tree_.vertices();
    const auto columns = static_cast<front::Index>(vertices.size());
    const auto fronts = tree_.fronts();
    front::Index height = 0, most = 0;
    for (const FrontTree::Front& f : fronts) {
        height = std::max(height, FrontShape(f).height());
        most = std::max(most, FrontShape(f).columns);
    }
    // What a row has for all sides lies together: rows are read here and there.
    const PooledArray room(
        static_cast<std::size_t>(sides * (columns + height + most * front::kLane)));
    double *x = room.get(), *part = x + sides * columns, *sums = part + sides * height;
    const auto for_each = [&](auto&& call) {
        for (front::Index c = 0; c < columns; ++c) {
            double* at = x + c * sides;
            for (int q = 0; q < Q; ++q) call(fields(vertices[c], q), at + q * sides / Q);
        }
    };
    for_each([](const Scalar& field, double* at) {
        at[0] = std::real(field);
        if constexpr (front::kPlanes<Scalar> == 2) at[1] = std::imag(field);
    });
    for (std::size_t f = 0; f < fronts.size(); ++f) solve_forward<Q>(f, x, part);
    for (std::size_t f = fronts.size(); f-- > 0;) solve_backward<Q>(f, x, part, sums);
    for_each([](Scalar& field, const double* at) {
        if constexpr (front::kPlanes<Scalar> == 2) {
            field = {at[0], at[1]};
        } else {
            field = at[0];
        }
    });
}

template <class Scalar>
template <int Q>
void SparseCholesky<Scalar>::solve_forward(std::size_t f, double* x, double* part) const {
    constexpr front::Index sides = front::kSides<Scalar, Q>;
    const FrontTree::Front& front = tree_.fronts()[f];
    const FrontShape shape(front);
    const front::Index height = shape.height(), tops = shape.top_strips();
    double* own = x + front.first * sides;
    for (front::Index side = 0; side < sides; ++side) {
        double* to = part + side * height;
        for (front::Index c = 0; c < shape.columns; ++c) to[c] = own[c * sides + side];
        std::fill(to + shape.columns, to + height, 0.0);
    }
    const double* strip = panels_[f];
    for (front::Index s = 0; s < tops; ++s) {
        const front::Index row = s * front::kStrip,
                           width = std::min<front::Index>(front::kStrip, shape.columns - row);
        front::forward_strip<Scalar, Q>(strip, row, part, row, height);
        strip += row * front::kCell<Scalar>;
        front::forward_diagonal<Scalar, Q>(strip, width, part + row, height);
        strip += width * front::kCell<Scalar>;
    }
    for (front::Index s = tops; s < shape.strips();
         ++s, strip += shape.columns * front::kCell<Scalar>) {
        front::forward_strip<Scalar, Q>(strip, shape.columns, part, s * front::kStrip, height);
    }
    const auto rows = tree_.rows().subspan(front.first_row, shape.rows);
    for (front::Index c = 0; c < shape.columns; ++c) {
        for (front::Index side = 0; side < sides; ++side) {
            own[c * sides + side] = part[side * height + c];
        }
    }
    const double* below = part + shape.top();
    for (front::Index r = 0; r < shape.rows; ++r) {
        double* to = x + rows[r] * sides;
        for (front::Index side = 0; side < sides; ++side) to[side] += below[side * height + r];
    }
}

template <class Scalar>
template <int Q>
void SparseCholesky<Scalar>::solve_backward(std::size_t f, double* x, double* part,
                                            double* sums) const {
    constexpr front::Index sides = front::kSides<Scalar, Q>;
    const FrontTree::Front& front = tree_.fronts()[f];
    const FrontShape shape(front);
    const front::Index height = shape.height(), tops = shape.top_strips();
    const auto rows = tree_.rows().subspan(front.first_row, shape.rows);
    double* own = x + front.first * sides;
    for (front::Index side = 0; side < sides; ++side) {
        double* to = part + side * height;
        for (front::Index c = 0; c < shape.columns; ++c) to[c] = own[c * sides + side];
        std::fill(to + shape.columns, to + shape.top(), 0.0);
        std::fill(to + shape.top() + shape.rows, to + height, 0.0);
    }
    // Row by row: where a row lies is looked up once for all sides.
    double* below = part + shape.top();
    for (front::Index r = 0; r < shape.rows; ++r) {
        const double* from = x + rows[r] * sides;
        for (front::Index side = 0; side < sides; ++side) below[side * height + r] = from[side];
    }
    std::fill_n(sums, shape.columns * sides * front::kLane, 0.0);
    const double* strip = panels_[f] + shape.panel_size() * front::kCell<Scalar>;
    for (front::Index s = shape.strips(); s-- > tops;) {
        strip -= shape.columns * front::kCell<Scalar>;
        front::backward_strip<Scalar, Q>(strip, shape.columns, part + s * front::kStrip, height,
                                         sums);
    }
    for (front::Index s = tops; s-- > 0;) {
        const front::Index row = s * front::kStrip,
                           width = std::min<front::Index>(front::kStrip, shape.columns - row);
        strip = panels_[f] + shape.before(s) * front::kCell<Scalar>;
        front::backward_diagonal<Scalar, Q>(strip + row * front::kCell<Scalar>, width, part + row,
                                            height, sums + row * sides * front::kLane);
        front::backward_strip<Scalar, Q>(strip, row, part + row, height, sums);
    }
    for (front::Index side = 0; side < sides; ++side) {
        const double* from = part + side * height;
        for (front::Index c = 0; c < shape.columns; ++c) own[c * sides + side] = from[c];
    }
}

template void SparseCholesky<double>::solve(Eigen::Ref<Fields>) const;
template void SparseCholesky<std::complex<double>>::solve(Eigen::Ref<Fields>) const;

}  // namespace ductile
