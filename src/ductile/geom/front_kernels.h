// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>

// Dense loops on fronts: small blocks held in registers, written so that any C++ compiler makes
// vector instructions of them. A column's numbers follow each other; of complex ones first all real
// parts, then all imaginary ones, so that both kinds run on the same lanes. Every entry is summed
// in the order of columns, whatever block it falls into: its bits depend on its own row and column
// alone.
namespace ductile::front {

using Index = std::ptrdiff_t;
// Eigen's own vectors: its expressions of small arrays are not always inlined.
using Lane = Eigen::internal::find_best_packet<double, 2>::type;
inline constexpr Index kLane = Eigen::internal::unpacket_traits<Lane>::size;
inline constexpr int kBlock = 4;  ///< Columns that are finished together.

template <class Scalar>
inline constexpr Index kPlanes = std::is_same_v<Scalar, double> ? 1 : 2;

/// A matrix by columns. `plane`: from a real part to its imaginary one; `step`: to the next column.
struct View {
    double* data = nullptr;
    Index step = 0;
    Index plane = 0;

    View at(Index row, Index column) const { return {data + row + column * step, step, plane}; }
};
template <class Scalar>
View view(double* data, Index height) {
    return {data, kPlanes<Scalar> * height, height};
}

inline double value(const View& m, Index row, Index column, double) {
    return m.data[row + column * m.step];
}
inline std::complex<double> value(const View& m, Index row, Index column, std::complex<double>) {
    const double* at = m.data + row + column * m.step;
    return {at[0], at[m.plane]};
}
inline void set(const View& m, Index row, Index column, double x) {
    m.data[row + column * m.step] = x;
}
inline void set(const View& m, Index row, Index column, std::complex<double> x) {
    double* at = m.data + row + column * m.step;
    at[0] = x.real();
    at[m.plane] = x.imag();
}
inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(const std::complex<double>& x) { return std::conj(x); }

inline Lane load(const double* at) { return Eigen::internal::ploadu<Lane>(at); }
inline void store(double* at, const Lane& x) { Eigen::internal::pstoreu(at, x); }
inline Lane all(double x) { return Eigen::internal::pset1<Lane>(x); }
inline double sum_of(const Lane& x) { return Eigen::internal::predux(x); }
// Fused where the machine can: told so here, not left to the compiler's mood.
inline void add_product(Lane& to, const Lane& x, const Lane& y) {
    to = Eigen::internal::pmadd(x, y, to);
}
inline void subtract_product(Lane& to, const Lane& x, const Lane& y) {
    to = Eigen::internal::pmadd(Eigen::internal::pnegate(x), y, to);
}

template <class Call, std::size_t... I>
inline void unroll(Call&& call, std::index_sequence<I...>) {
    (call(std::integral_constant<int, static_cast<int>(I)>{}), ...);
}
/// Calls with 0 .. N - 1 as constants: arrays that are indexed with them stay in registers.
template <int N, class Call>
inline void unroll(Call&& call) {
    unroll(call, std::make_index_sequence<N>{});
}

/// c(i, j) -= sum over k < depth of a(i, k) conj(b(j, k)), for R lanes of rows and C columns.
template <int R, int C>
inline void subtract_tile(const View& a, const View& b, Index depth, const View& c, double) {
    Lane sum[R * C];
    unroll<R * C>([&](auto n) { sum[n] = load(c.data + kLane * (n % R) + (n / R) * c.step); });
    const double *from = a.data, *by = b.data;
    for (Index k = 0; k < depth; ++k, from += a.step, by += b.step) {
        Lane x[R], y[C];
        unroll<R>([&](auto i) { x[i] = load(from + kLane * i); });
        unroll<C>([&](auto j) { y[j] = all(by[j]); });
        unroll<R * C>([&](auto n) { subtract_product(sum[n], x[n % R], y[n / R]); });
    }
    unroll<R * C>([&](auto n) { store(c.data + kLane * (n % R) + (n / R) * c.step, sum[n]); });
}
template <int R, int C>
inline void subtract_tile(const View& a, const View& b, Index depth, const View& c,
                          std::complex<double>) {
    Lane real[R * C], imaginary[R * C];
    unroll<R * C>([&](auto n) {
        const double* at = c.data + kLane * (n % R) + (n / R) * c.step;
        real[n] = load(at);
        imaginary[n] = load(at + c.plane);
    });
    const double *from = a.data, *by = b.data;
    for (Index k = 0; k < depth; ++k, from += a.step, by += b.step) {
        Lane x[R], x_imaginary[R];
        unroll<R>([&](auto i) {
            x[i] = load(from + kLane * i);
            x_imaginary[i] = load(from + a.plane + kLane * i);
        });
        unroll<C>([&](auto j) {
            const Lane y = all(by[j]), z = all(by[b.plane + j]);
            unroll<R>([&](auto i) {
                constexpr int n = i + j * R;
                subtract_product(real[n], x[i], y);
                subtract_product(real[n], x_imaginary[i], z);
                subtract_product(imaginary[n], x_imaginary[i], y);
                add_product(imaginary[n], x[i], z);
            });
        });
    }
    unroll<R * C>([&](auto n) {
        double* at = c.data + kLane * (n % R) + (n / R) * c.step;
        store(at, real[n]);
        store(at + c.plane, imaginary[n]);
    });
}

/// The same for any number of lanes and C columns.
template <class Scalar, int C>
void subtract_columns(View a, const View& b, Index depth, View c, Index lanes) {
    constexpr int kMost = kPlanes<Scalar> == 1 ? 4 : 2;
    for (; lanes >= kMost; lanes -= kMost) {
        subtract_tile<kMost, C>(a, b, depth, c, Scalar());
        a.data += kMost * kLane;
        c.data += kMost * kLane;
    }
    for (; lanes > 0; --lanes) {
        subtract_tile<1, C>(a, b, depth, c, Scalar());
        a.data += kLane;
        c.data += kLane;
    }
}
template <class Scalar>
void subtract_products(const View& a, const View& b, Index depth, const View& c, Index lanes,
                       Index columns) {
    if (columns >= 4) return subtract_columns<Scalar, 4>(a, b, depth, c, lanes);
    if (columns == 3) return subtract_columns<Scalar, 3>(a, b, depth, c, lanes);
    if (columns == 2) return subtract_columns<Scalar, 2>(a, b, depth, c, lanes);
    if (columns == 1) return subtract_columns<Scalar, 1>(a, b, depth, c, lanes);
}

/// Rows below a finished block of W columns at the top of `block`, whose diagonal holds inverses:
/// x L^* = row. `below`: their first row, `lanes` of them.
template <class Scalar, int W>
void divide_rows(const View& block, const View& below, Index lanes) {
    for (Index i = 0; i < lanes; ++i) {
        double* at = below.data + kLane * i;
        Lane x[W], z[W];
        unroll<W>([&](auto c) {
            x[c] = load(at + c * below.step);
            if constexpr (kPlanes<Scalar> == 2) z[c] = load(at + c * below.step + below.plane);
            unroll<c>([&](auto k) {
                const double* by = block.data + c + k * block.step;
                const Lane y = all(by[0]);
                subtract_product(x[c], x[k], y);
                if constexpr (kPlanes<Scalar> == 2) {
                    const Lane w = all(by[block.plane]);
                    subtract_product(x[c], z[k], w);
                    subtract_product(z[c], z[k], y);
                    add_product(z[c], x[k], w);
                }
            });
            const Lane inverse = all(block.data[c + c * block.step]);
            x[c] = Eigen::internal::pmul(x[c], inverse);
            store(at + c * below.step, x[c]);
            if constexpr (kPlanes<Scalar> == 2) {
                z[c] = Eigen::internal::pmul(z[c], inverse);
                store(at + c * below.step + below.plane, z[c]);
            }
        });
    }
}

/// One step of solving L y = x (or L^* y = x, from the end, if `is_back`): `part` holds x from the
/// block's first row on. `below`: the first row, from there, of `lanes` lanes under the block.
template <class Scalar, int W>
void solve_block(const View& block, Index below, const View& part, Index lanes, bool is_back) {
    Scalar y[W];
    const auto entry = [&](int r, int c) { return value(block, r, c, Scalar()); };
    if (is_back) {
        Lane sum[W], sum_imaginary[W];
        unroll<W>([&](auto c) { sum[c] = sum_imaginary[c] = all(0.0); });
        for (Index i = 0; i < lanes; ++i) {
            const double* from = block.data + below + kLane * i;
            const Lane t = load(part.data + below + kLane * i);
            if constexpr (kPlanes<Scalar> == 1) {
                unroll<W>([&](auto c) { add_product(sum[c], load(from + c * block.step), t); });
            } else {
                const Lane u = load(part.data + part.plane + below + kLane * i);
                unroll<W>([&](auto c) {
                    const Lane a = load(from + c * block.step);
                    const Lane b = load(from + c * block.step + block.plane);
                    add_product(sum[c], a, t);
                    add_product(sum[c], b, u);
                    add_product(sum_imaginary[c], a, u);
                    subtract_product(sum_imaginary[c], b, t);
                });
            }
        }
        unroll<W>([&](auto n) {
            constexpr int c = W - 1 - n;
            Scalar x = value(part, c, 0, Scalar());
            if constexpr (kPlanes<Scalar> == 1) {
                x -= sum_of(sum[c]);
            } else {
                x -= Scalar(sum_of(sum[c]), sum_of(sum_imaginary[c]));
            }
            unroll<n>([&](auto k) { x -= conjugate(entry(W - 1 - k, c)) * y[W - 1 - k]; });
            y[c] = x * std::real(entry(c, c));
        });
    } else {
        unroll<W>([&](auto c) {
            Scalar x = value(part, c, 0, Scalar());
            unroll<c>([&](auto k) { x -= entry(c, k) * y[k]; });
            y[c] = x * std::real(entry(c, c));
        });
        for (Index i = 0; i < lanes; ++i) {
            const double* from = block.data + below + kLane * i;
            double* to = part.data + below + kLane * i;
            Lane t = load(to);
            if constexpr (kPlanes<Scalar> == 1) {
                unroll<W>(
                    [&](auto c) { subtract_product(t, load(from + c * block.step), all(y[c])); });
            } else {
                Lane u = load(to + part.plane);
                unroll<W>([&](auto c) {
                    const Lane a = load(from + c * block.step);
                    const Lane b = load(from + c * block.step + block.plane);
                    const Lane v = all(y[c].real()), w = all(y[c].imag());
                    subtract_product(t, a, v);
                    add_product(t, b, w);
                    subtract_product(u, a, w);
                    subtract_product(u, b, v);
                });
                store(to + part.plane, u);
            }
            store(to, t);
        }
    }
    unroll<W>([&](auto c) { set(part, c, 0, y[c]); });
}
template <class Scalar>
void solve_block(const View& block, Index below, const View& part, Index width, Index lanes,
                 bool is_back) {
    if (width == 4) return solve_block<Scalar, 4>(block, below, part, lanes, is_back);
    if (width == 3) return solve_block<Scalar, 3>(block, below, part, lanes, is_back);
    if (width == 2) return solve_block<Scalar, 2>(block, below, part, lanes, is_back);
    if (width == 1) return solve_block<Scalar, 1>(block, below, part, lanes, is_back);
}

}  // namespace ductile::front
