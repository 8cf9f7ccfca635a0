// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/solve/front_kernels.h>

// What fronts do to right-hand sides: Q of them at a time, so that each strip is read once for all,
// strip after strip as they lie. A front's part of them lies by planes (a real part, an imaginary
// one if there is one, then those of the next side), each `height` long.
namespace ductile::front {

/// Numbers that a row has for Q sides.
template <class Scalar, int Q>
inline constexpr int kSides = Q* kPlanes<Scalar>;

/// Rows of a strip of right-hand sides, by planes.
template <class Scalar, int Q>
struct RightRows {
    static constexpr int kSize = kLanes * kSides<Scalar, Q>;
    Lane at[kSize];

    EIGEN_ALWAYS_INLINE void clear() {
        unroll<kSize>([&](auto n) { at[n] = all(0.0); });
    }
    EIGEN_ALWAYS_INLINE void load_from(const double* part, Index height) {
        unroll<kSize>(
            [&](auto n) { at[n] = load(part + (n % kLanes) * kLane + (n / kLanes) * height); });
    }
    EIGEN_ALWAYS_INLINE void store_to(double* part, Index height) const {
        unroll<kSize>(
            [&](auto n) { store(part + (n % kLanes) * kLane + (n / kLanes) * height, at[n]); });
    }

    /// Plus a strip's column times a row of right-hand sides, each of its numbers in all places.
    EIGEN_ALWAYS_INLINE void add(const double* column, const Lane (&y)[kSides<Scalar, Q>]) {
        constexpr int planes = kPlanes<Scalar>;
        Lane x[planes * kLanes];
        unroll<planes * kLanes>([&](auto n) { x[n] = load(column + n * kLane); });
        unroll<Q * kLanes>([&](auto n) {
            constexpr int side = n / kLanes * planes, i = n % kLanes;
            add_product(at[side * kLanes + i], x[i], y[side]);
        });
        if constexpr (planes == 2) {
            unroll<Q * kLanes>([&](auto n) {
                constexpr int side = n / kLanes * planes, i = n % kLanes;
                add_product(at[(side + 1) * kLanes + i], x[kLanes + i], y[side]);
            });
            unroll<Q * kLanes>([&](auto n) {
                constexpr int side = n / kLanes * planes, i = n % kLanes;
                subtract_product(at[side * kLanes + i], x[kLanes + i], y[side + 1]);
            });
            unroll<Q * kLanes>([&](auto n) {
                constexpr int side = n / kLanes * planes, i = n % kLanes;
                add_product(at[(side + 1) * kLanes + i], x[i], y[side + 1]);
            });
        }
    }
};

/// Rows of a strip P times the first `depth` rows of y.
template <class Scalar, int Q>
EIGEN_ALWAYS_INLINE RightRows<Scalar, Q> times(const double* strip, Index depth, const double* y,
                                               Index height) {
    // Sums of even columns and of odd ones need not wait for each other.
    RightRows<Scalar, Q> sum[kLane];
    unroll<kLane>([&](auto m) { sum[m].clear(); });
    Lane row[kSides<Scalar, Q>];
    Index k = 0;
    for (; k + kLane <= depth; k += kLane) {
        Lane rows[kSides<Scalar, Q>];
        unroll<kSides<Scalar, Q>>([&](auto n) { rows[n] = load(y + k + n * height); });
        unroll<kLane>([&](auto m) {
            unroll<kSides<Scalar, Q>>([&](auto n) { row[n] = element<m>(rows[n]); });
            sum[m].add(strip + (k + m) * kCell<Scalar>, row);
        });
    }
    for (; k < depth; ++k) {
        unroll<kSides<Scalar, Q>>([&](auto n) { row[n] = all(y[k + n * height]); });
        sum[0].add(strip + k * kCell<Scalar>, row);
    }
    unroll<kLane - 1>([&](auto m) {
        unroll<RightRows<Scalar, Q>::kSize>(
            [&](auto n) { sum[0].at[n] = simd::add(sum[0].at[n], sum[m + 1].at[n]); });
    });
    return sum[0];
}

/// x -= P y, where y are the first `depth` rows of `part` and x those of the strip P at `row`.
template <class Scalar, int Q>
void forward_strip(const double* strip, Index depth, double* part, Index row, Index height) {
    const RightRows<Scalar, Q> sum = times<Scalar, Q>(strip, depth, part, height);
    RightRows<Scalar, Q> x;
    x.load_from(part + row, height);
    unroll<x.kSize>([&](auto n) { x.at[n] = simd::subtract(x.at[n], sum.at[n]); });
    x.store_to(part + row, height);
}

/// x = D x for the inverse D on the diagonal of a strip, at its row of `part`.
template <class Scalar, int Q>
void forward_diagonal(const double* inverse, Index width, double* part, Index height) {
    times<Scalar, Q>(inverse, width, part, height).store_to(part, height);
}

/// sums += P^* x by lanes, one for each side of each of the first `depth` columns, where x are the
/// strip's rows at `part`.
template <class Scalar, int Q>
void backward_strip(const double* strip, Index depth, const double* part, Index height,
                    double* sums) {
    constexpr int planes = kPlanes<Scalar>, sides = kSides<Scalar, Q>;
    RightRows<Scalar, Q> x;
    x.load_from(part, height);
    // From the end: a factor is then read backwards as a whole, which memory can foresee.
    strip += depth * kCell<Scalar>;
    sums += depth * sides * kLane;
    for (Index k = 0; k < depth; ++k) {
        strip -= kCell<Scalar>;
        sums -= sides * kLane;
        Lane p[planes * kLanes], sum[sides];
        unroll<planes * kLanes>([&](auto n) { p[n] = load(strip + n * kLane); });
        unroll<sides>([&](auto n) { sum[n] = load(sums + n * kLane); });
        unroll<sides * kLanes>([&](auto n) {
            constexpr int side = n % sides, i = n / sides;
            add_product(sum[side], p[i], x.at[side * kLanes + i]);
        });
        if constexpr (planes == 2) {
            unroll<Q * kLanes>([&](auto n) {
                constexpr int side = n % Q * planes, i = n / Q;
                add_product(sum[side], p[kLanes + i], x.at[(side + 1) * kLanes + i]);
            });
            unroll<Q * kLanes>([&](auto n) {
                constexpr int side = n % Q * planes, i = n / Q;
                subtract_product(sum[side + 1], p[kLanes + i], x.at[side * kLanes + i]);
            });
        }
        unroll<sides>([&](auto n) { store(sums + n * kLane, sum[n]); });
    }
}

/// x = D^* (x - sums) for the inverse D on the diagonal of a strip, at its row of `part`.
template <class Scalar, int Q>
void backward_diagonal(const double* inverse, Index width, double* part, Index height,
                       const double* sums) {
    constexpr int sides = kSides<Scalar, Q>;
    for (Index c = 0; c < width; ++c) {
        for (int side = 0; side < sides; ++side) {
            part[c + side * height] -= sum_of(load(sums + (c * sides + side) * kLane));
        }
    }
    double found[kStrip * sides * kLane] = {};
    backward_strip<Scalar, Q>(inverse, width, part, height, found);
    for (Index c = 0; c < width; ++c) {
        for (int side = 0; side < sides; ++side) {
            part[c + side * height] = sum_of(load(found + (c * sides + side) * kLane));
        }
    }
}

}  // namespace ductile::front
