// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/simd.h>

#include <Eigen/Core>

#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>

// Dense loops on fronts. Numbers lie in strips of four rows: column after column, the four numbers
// of each; of complex ones four real parts, then four imaginary ones, so that both kinds run on the
// same lanes. A product of strips then reads each from one end to the other, whatever the front's
// size. Every entry is summed in the order of columns. A factor's blocks on the diagonal hold their
// inverses: to divide by one is to multiply, without waiting for one number after the other.
namespace ductile::front {

using Index = std::ptrdiff_t;
using simd::add_product, simd::all, simd::element, simd::kLane, simd::Lane, simd::load, simd::store,
    simd::subtract_product, simd::sum_of;
inline constexpr int kStrip = 4;               ///< Rows of a strip.
inline constexpr int kLanes = kStrip / kLane;  ///< In a column of a strip.

template <class Scalar>
inline constexpr int kPlanes = std::is_same_v<Scalar, double> ? 1 : 2;
/// From a column of a strip to the next.
template <class Scalar>
inline constexpr int kCell = kPlanes<Scalar>* kStrip;
/// Strips that are worked on together: sums of them by four columns fill the registers.
template <class Scalar>
inline constexpr int kTogether = 2 / kPlanes<Scalar>;

inline double value(const double* at, double) { return at[0]; }
inline std::complex<double> value(const double* at, std::complex<double>) {
    return {at[0], at[kStrip]};
}
inline void set(double* at, double x) { at[0] = x; }
inline void set(double* at, const std::complex<double>& x) {
    at[0] = x.real();
    at[kStrip] = x.imag();
}
// As plain as it looks: the library's own product of complex numbers asks for infinities first.
inline double product(double x, double y) { return x * y; }
inline std::complex<double> product(const std::complex<double>& x, const std::complex<double>& y) {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(const std::complex<double>& x) { return std::conj(x); }

template <class Call, std::size_t... I>
EIGEN_ALWAYS_INLINE void unroll(Call&& call, std::index_sequence<I...>) {
    (call(std::integral_constant<int, static_cast<int>(I)>{}), ...);
}
/// Calls with 0 .. N - 1 as constants: arrays that are indexed with them stay in registers.
template <int N, class Call>
EIGEN_ALWAYS_INLINE void unroll(Call&& call) {
    unroll(call, std::make_index_sequence<N>{});
}

/// The entries of S strips in C columns, in registers.
template <class Scalar, int S, int C>
struct Tile {
    static constexpr int kRows = S * kLanes;  ///< In lanes.
    static constexpr int kSize = kRows * C;
    Lane at[kPlanes<Scalar> * kSize];  ///< By columns; real parts, then imaginary ones.

    /// Calls with a place here and where that is in strips `step` apart.
    template <class Call>
    static EIGEN_ALWAYS_INLINE void for_each(Index step, Call&& call) {
        unroll<kSize>([&](auto n) {
            constexpr int row = n % kRows, column = n / kRows;
            const Index in_strip = (row % kLanes) * kLane + column * kCell<Scalar>;
            const Index there = (row / kLanes) * step + in_strip;
            call(n, there);
            if constexpr (kPlanes<Scalar> == 2) {
                call(std::integral_constant<int, n + kSize>{}, there + kStrip);
            }
        });
    }
    EIGEN_ALWAYS_INLINE void load_from(const double* strips, Index step) {
        for_each(step, [&](auto n, Index there) { at[n] = load(strips + there); });
    }
    EIGEN_ALWAYS_INLINE void store_to(double* strips, Index step) const {
        for_each(step, [&](auto n, Index there) { store(strips + there, at[n]); });
    }

    /// Less a b^*, over the first `depth` columns of strips `a` and one strip `b`.
    EIGEN_ALWAYS_INLINE void subtract(const double* a, Index step, const double* b, Index depth) {
        for (Index k = 0; k < depth; ++k, a += kCell<Scalar>, b += kCell<Scalar>) {
            Lane x[kPlanes<Scalar> * kRows];
            Tile<Scalar, S, 1>::for_each(step,
                                         [&](auto n, Index there) { x[n] = load(a + there); });
            const Lane y[kLanes] = {load(b), load(b + kLane)};
            unroll<C>([&](auto j) {
                const Lane by = element<j % kLane>(y[j / kLane]);
                unroll<kPlanes<Scalar> * kRows>([&](auto i) {
                    constexpr int to = i % kRows + j * kRows + i / kRows * kSize;
                    subtract_product(at[to], x[i], by);
                });
            });
            if constexpr (kPlanes<Scalar> == 2) {
                const Lane z[kLanes] = {load(b + kStrip), load(b + kStrip + kLane)};
                unroll<C>([&](auto j) {
                    const Lane by = element<j % kLane>(z[j / kLane]);
                    unroll<kRows>([&](auto i) {
                        constexpr int real = i + j * kRows, imaginary = real + kSize;
                        subtract_product(at[real], x[kRows + i], by);
                        add_product(at[imaginary], x[i], by);
                    });
                });
            }
        }
    }

    /// Times the conjugate transpose of `inverse`, a lower triangle.
    EIGEN_ALWAYS_INLINE void multiply(const double* inverse) {
        // From the last column on, so that those before are what they were.
        unroll<C>([&](auto n) {
            constexpr int c = C - 1 - n;
            const Lane on_diagonal = all(inverse[c * kCell<Scalar> + c]);
            unroll<kRows>([&](auto i) {
                constexpr int real = i + c * kRows;
                at[real] = simd::multiply(at[real], on_diagonal);
                if constexpr (kPlanes<Scalar> == 2) {
                    at[real + kSize] = simd::multiply(at[real + kSize], on_diagonal);
                }
            });
            unroll<c>([&](auto k) {
                const double* by = inverse + k * kCell<Scalar> + c;
                const Lane y = all(by[0]);
                unroll<kRows>([&](auto i) {
                    constexpr int to = i + c * kRows, from = i + k * kRows;
                    add_product(at[to], at[from], y);
                    if constexpr (kPlanes<Scalar> == 2) {
                        const Lane z = all(by[kStrip]);
                        add_product(at[to + kSize], at[from + kSize], y);
                        add_product(at[to], at[from + kSize], z);
                        subtract_product(at[to + kSize], at[from], z);
                    }
                });
            });
        });
    }
};

/// Calls with a width of 1 .. 4 as a constant.
template <class Call>
EIGEN_ALWAYS_INLINE void with_width(Index width, Call&& call) {
    if (width >= 4) return call(std::integral_constant<int, 4>{});
    if (width == 3) return call(std::integral_constant<int, 3>{});
    if (width == 2) return call(std::integral_constant<int, 2>{});
    if (width == 1) return call(std::integral_constant<int, 1>{});
}

/// Columns `first` .. of strips, finished: x L^* = row, where `b` is the finished strip of L that
/// has these columns on its diagonal.
template <class Scalar, int S, int C>
void finish_tile(double* strips, Index step, const double* b, Index first) {
    Tile<Scalar, S, C> tile;
    tile.load_from(strips + first * kCell<Scalar>, step);
    tile.subtract(strips, step, b, first);
    tile.multiply(b + first * kCell<Scalar>);
    tile.store_to(strips + first * kCell<Scalar>, step);
}

/// to = -a b^*, over `depth` columns of strips `a` and one strip `b`.
template <class Scalar, int S>
void product_tile(const double* a, Index step, const double* b, Index depth, double* to,
                  Index to_step) {
    Tile<Scalar, S, kStrip> tile;
    unroll<kPlanes<Scalar> * tile.kSize>([&](auto n) { tile.at[n] = all(0.0); });
    tile.subtract(a, step, b, depth);
    tile.store_to(to, to_step);
}

/// A Cholesky factor of a lower triangle, inverted. `least`: what pivots must exceed. False: one
/// does not.
template <class Scalar, int W>
EIGEN_ALWAYS_INLINE bool invert_factor(Scalar (&a)[W * W], Scalar (&inverse)[W * W],
                                       const double* least) {
    // As M D M^* first: roots can wait, so that a pivot waits for one division only.
    double over[W], root[W];
    bool is_positive = true;
    unroll<W>([&](auto c) {
        const double pivot = std::real(a[c + W * c]);
        is_positive = is_positive && pivot > least[c];
        over[c] = 1.0 / pivot;
        root[c] = std::sqrt(over[c]);
        unroll<W - 1 - c>([&](auto n) {
            constexpr int d = c + 1 + n;
            const Scalar by = conjugate(a[d + W * c]) * over[c];
            unroll<W - d>([&](auto m) {
                constexpr int r = d + m;
                a[r + W * d] -= product(a[r + W * c], by);
            });
        });
    });
    unroll<W>([&](auto c) {
        inverse[c + W * c] = root[c];
        unroll<W - 1 - c>([&](auto n) {
            constexpr int r = c + 1 + n;
            // Of M, whose diagonal is 1.
            Scalar sum = -a[r + W * c] * over[c];
            unroll<r - 1 - c>([&](auto m) {
                constexpr int k = c + 1 + m;
                sum -= product(a[r + W * k] * over[k], inverse[k + W * c]);
            });
            inverse[r + W * c] = sum;
        });
        unroll<W - 1 - c>([&](auto n) { inverse[c + 1 + n + W * c] *= root[c + 1 + n]; });
    });
    return is_positive;
}

/// The block on the diagonal of a strip whose columns before it are done: the inverse of its factor
/// takes its place.
template <class Scalar, int W>
bool finish_diagonal(double* strip, Index first, const double* least) {
    double* block = strip + first * kCell<Scalar>;
    Tile<Scalar, 1, W> tile;
    tile.load_from(block, 0);
    tile.subtract(strip, 0, strip, first);
    tile.store_to(block, 0);
    Scalar factor[W * W], inverse[W * W] = {};
    unroll<W * W>(
        [&](auto n) { factor[n] = value(block + n % W + n / W * kCell<Scalar>, Scalar()); });
    if (!invert_factor<Scalar, W>(factor, inverse, least)) return false;
    unroll<W * W>([&](auto n) { set(block + n % W + n / W * kCell<Scalar>, inverse[n]); });
    return true;
}

}  // namespace ductile::front
