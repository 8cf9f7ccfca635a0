// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/front_kernels.h>

#include <doctest/doctest.h>
#include <geom/solve/front_strips.h>

#include <algorithm>
#include <cmath>
#include <complex>

using namespace ductile;
using test::block, test::from_strips, test::in_strips, test::largest_difference;

namespace {

template <class Scalar>
using KernelMatrix = test::DenseMatrix<Scalar>;

template <class Scalar, int W>
void check_inverted_factor(Rng& rng) {
    const KernelMatrix<Scalar> a = test::random_positive<Scalar>(rng, W);
    const KernelMatrix<Scalar> factor = cholesky(a);
    Scalar lower[W * W];
    KernelMatrix<Scalar> found(W, W);
    double least[W] = {};
    const auto invert = [&](const Scalar& first) {
        Scalar inverse[W * W] = {};
        std::copy(a.entries.begin(), a.entries.end(), lower);
        lower[0] = first;
        const bool is_done = front::invert_factor<Scalar, W>(lower, inverse, least);
        std::copy(inverse, inverse + W * W, found.entries.begin());
        return is_done;
    };
    REQUIRE(invert(a(0, 0)));
    CHECK(largest_difference(found, inverse_of_lower(factor)) < 1e-13);

    // The last pivot is the square of the factor's last entry: it must be above `least`.
    const double last = std::norm(factor(W - 1, W - 1));
    least[W - 1] = last * (1 - 1e-9);
    CHECK(invert(a(0, 0)));
    least[W - 1] = last * (1 + 1e-9);
    CHECK_FALSE(invert(a(0, 0)));
    least[W - 1] = 0.0;
    CHECK_FALSE(invert(std::nan("")));
}

/// The block on the diagonal behind four columns that are done.
template <class Scalar, int W>
void check_finished_diagonal(Rng& rng) {
    constexpr int first = front::kStrip;
    const KernelMatrix<Scalar> a = test::random_positive<Scalar>(rng, first + W);
    const KernelMatrix<Scalar> factor = cholesky(a);
    KernelMatrix<Scalar> begun = block(factor, first, 0, W, first + W), done = begun;
    const KernelMatrix<Scalar> inverse = inverse_of_lower(block(factor, first, first, W, W));
    for (int c = 0; c < W; ++c) {
        for (int r = 0; r < W; ++r) {
            begun(r, first + c) = a(first + r, first + c);
            done(r, first + c) = inverse(r, c);
        }
    }
    std::vector<double> strip = in_strips(begun);
    double least[W] = {};
    REQUIRE(front::finish_diagonal<Scalar, W>(strip.data(), first, least));
    CHECK(largest_difference(from_strips<Scalar>(strip, W, first + W), done) < 1e-13);
}

/// Rows whose first four columns are done, and C more: x L^* = row.
template <class Scalar, int S, int C>
void check_finished_tile(Rng& rng) {
    constexpr int first = front::kStrip, size = first + C;
    const KernelMatrix<Scalar> factor = cholesky(test::random_positive<Scalar>(rng, size));
    const KernelMatrix<Scalar> x = test::random_dense<Scalar>(rng, S * front::kStrip, size);
    KernelMatrix<Scalar> begun = times(x, adjoint(factor));
    std::copy_n(x.entries.begin(), first * x.rows, begun.entries.begin());
    KernelMatrix<Scalar> by = block(factor, first, 0, C, size);
    const KernelMatrix<Scalar> inverse = inverse_of_lower(block(factor, first, first, C, C));
    std::copy(inverse.entries.begin(), inverse.entries.end(), by.entries.begin() + first * C);
    std::vector<double> strips = in_strips(begun);
    front::finish_tile<Scalar, S, C>(strips.data(), size * front::kCell<Scalar>,
                                     in_strips(by).data(), first);
    CHECK(largest_difference(from_strips<Scalar>(strips, x.rows, size), x) < 1e-12);
}

template <class Scalar, int S>
void check_product(Rng& rng) {
    for (const int depth : {0, 1, 4, 7}) {
        KernelMatrix<Scalar> a = test::random_dense<Scalar>(rng, S * front::kStrip, depth);
        const KernelMatrix<Scalar> b = test::random_dense<Scalar>(rng, front::kStrip, depth);
        std::vector<double> to(S * front::kStrip * front::kCell<Scalar>, 9.0);
        front::product_tile<Scalar, S>(in_strips(a).data(), depth * front::kCell<Scalar>,
                                       in_strips(b).data(), depth, to.data(),
                                       front::kStrip * front::kCell<Scalar>);
        for (Scalar& entry : a.entries) entry = -entry;
        CHECK(largest_difference(from_strips<Scalar>(to, a.rows, front::kStrip),
                                 times(a, adjoint(b))) < 1e-14);
    }
}

template <class Scalar, int W>
void check_width(Rng& rng) {
    check_inverted_factor<Scalar, W>(rng);
    check_finished_diagonal<Scalar, W>(rng);
    check_finished_tile<Scalar, front::kTogether<Scalar>, W>(rng);
}

}  // namespace

TEST_CASE("the kernels of fronts do what a dense factorisation does, at every width") {
    using Complex = std::complex<double>;
    Rng rng(11);
    check_width<double, 1>(rng);
    check_width<double, 2>(rng);
    check_width<double, 3>(rng);
    check_width<double, 4>(rng);
    check_width<Complex, 1>(rng);
    check_width<Complex, 3>(rng);
    check_width<Complex, 4>(rng);
    check_finished_tile<double, 1, 3>(rng);
}

TEST_CASE("a product of strips is minus one times the other's conjugate, at any depth") {
    Rng rng(12);
    check_product<double, 1>(rng);
    check_product<double, front::kTogether<double>>(rng);
    check_product<std::complex<double>, 1>(rng);
}

TEST_CASE("a width becomes a constant of 1 to 4, and none calls nothing") {
    for (front::Index width = 0; width < 7; ++width) {
        int called = 0;
        front::with_width(width, [&](auto n) { called = n; });
        CHECK(called == std::min<front::Index>(width, 4));
    }
}
