// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/front_kernels.h>

// What fronts do to right-hand sides: Q of them at a time, so that each strip is read once for all.
// A front's part of them lies by planes (a real part, an imaginary one if there is one, then those
// of the next), each `height` long.
namespace ductile::front {

/// Rows of S strips of right-hand sides.
template <class Scalar, int S, int Q>
struct RightRows {
    static constexpr int kRows = S * kLanes;
    static constexpr int kSides = Q * kPlanes<Scalar>;
    Lane at[kRows * kSides];  ///< By planes.

    EIGEN_ALWAYS_INLINE void load_from(const double* part, Index height) {
        unroll<kRows * kSides>(
            [&](auto n) { at[n] = load(part + (n % kRows) * kLane + (n / kRows) * height); });
    }
    EIGEN_ALWAYS_INLINE void store_to(double* part, Index height) const {
        unroll<kRows * kSides>(
            [&](auto n) { store(part + (n % kRows) * kLane + (n / kRows) * height, at[n]); });
    }

    /// Less the strips' column at `from` times the right-hand sides' row at `by`.
    EIGEN_ALWAYS_INLINE void subtract(const double* from, Index step, const double* by,
                                      Index height) {
        Lane x[kPlanes<Scalar> * kRows];
        Tile<Scalar, S, 1>::for_each(step, [&](auto n, Index there) { x[n] = load(from + there); });
        unroll<Q>([&](auto q) {
            constexpr int plane = q * kPlanes<Scalar>;
            const Lane y = all(by[plane * height]);
            unroll<kRows>([&](auto i) { subtract_product(at[i + plane * kRows], x[i], y); });
            if constexpr (kPlanes<Scalar> == 2) {
                const Lane z = all(by[(plane + 1) * height]);
                unroll<kRows>([&](auto i) {
                    constexpr int real = i + plane * kRows, imaginary = real + kRows;
                    subtract_product(at[imaginary], x[kRows + i], y);
                    add_product(at[real], x[kRows + i], z);
                    subtract_product(at[imaginary], x[i], z);
                });
            }
        });
    }
};

/// x -= P y, where y are the first `depth` rows of `part` and x those of S strips P at `row`.
template <class Scalar, int S, int Q>
void forward_strips(const double* strips, Index step, Index depth, double* part, Index row,
                    Index height) {
    RightRows<Scalar, S, Q> x;
    x.load_from(part + row, height);
    for (Index k = 0; k < depth; ++k) {
        x.subtract(strips + k * kCell<Scalar>, step, part + k, height);
    }
    x.store_to(part + row, height);
}

/// x = D x for the inverse D on the diagonal of a strip, at its row of `part`.
template <class Scalar, int Q>
void forward_diagonal(const double* inverse, Index width, double* part, Index height) {
    RightRows<Scalar, 1, Q> x;
    unroll<x.kRows * x.kSides>([&](auto n) { x.at[n] = all(0.0); });
    for (Index k = 0; k < width; ++k) x.subtract(inverse + k * kCell<Scalar>, 0, part + k, height);
    unroll<x.kRows * x.kSides>([&](auto n) { x.at[n] = Eigen::internal::pnegate(x.at[n]); });
    x.store_to(part, height);
}

/// sums += P^* x by lanes, one for each side of each of the first `depth` columns.
template <class Scalar, int S, int Q>
void backward_strips(const double* strips, Index step, Index depth, const double* part, Index row,
                     Index height, double* sums) {
    constexpr int kRows = S * kLanes, kSides = Q * kPlanes<Scalar>;
    RightRows<Scalar, S, Q> x;
    x.load_from(part + row, height);
    for (Index k = 0; k < depth; ++k, strips += kCell<Scalar>, sums += kSides * kLane) {
        Lane p[kPlanes<Scalar> * kRows], sum[kSides];
        Tile<Scalar, S, 1>::for_each(step,
                                     [&](auto n, Index there) { p[n] = load(strips + there); });
        unroll<kSides>([&](auto n) { sum[n] = load(sums + n * kLane); });
        unroll<Q>([&](auto q) {
            constexpr int plane = q * kPlanes<Scalar>;
            unroll<kRows>([&](auto i) {
                const Lane& t = x.at[i + plane * kRows];
                add_product(sum[plane], p[i], t);
                if constexpr (kPlanes<Scalar> == 2) {
                    const Lane& u = x.at[i + (plane + 1) * kRows];
                    add_product(sum[plane + 1], p[i], u);
                    add_product(sum[plane], p[kRows + i], u);
                    subtract_product(sum[plane + 1], p[kRows + i], t);
                }
            });
        });
        unroll<kSides>([&](auto n) { store(sums + n * kLane, sum[n]); });
    }
}

/// x = D^* (x - sums) for the inverse D on the diagonal of a strip, at its row of `part`.
template <class Scalar, int Q>
void backward_diagonal(const double* inverse, Index width, double* part, Index height,
                       const double* sums) {
    constexpr int kSides = Q * kPlanes<Scalar>;
    for (Index c = 0; c < width; ++c) {
        for (int side = 0; side < kSides; ++side) {
            part[c + side * height] -= sum_of(load(sums + (c * kSides + side) * kLane));
        }
    }
    double found[kStrip * kSides * kLane] = {};
    backward_strips<Scalar, 1, Q>(inverse, 0, width, part, 0, height, found);
    for (Index c = 0; c < width; ++c) {
        for (int side = 0; side < kSides; ++side) {
            part[c + side * height] = sum_of(load(found + (c * kSides + side) * kLane));
        }
    }
}

}  // namespace ductile::front
