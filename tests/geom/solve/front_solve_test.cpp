// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/front_solve.h>

#include <doctest/doctest.h>
#include <geom/solve/front_strips.h>

#include <complex>

using namespace ductile;
using test::block, test::in_strips;

namespace {

template <class Scalar>
using SideMatrix = test::DenseMatrix<Scalar>;

/// Right-hand sides by planes, as fronts read them; and back.
template <class Scalar>
std::vector<double> by_planes(const SideMatrix<Scalar>& sides) {
    std::vector<double> out;
    for (int q = 0; q < sides.columns; ++q) {
        for (int plane = 0; plane < front::kPlanes<Scalar>; ++plane) {
            for (int r = 0; r < sides.rows; ++r) {
                out.push_back(plane == 0 ? std::real(sides(r, q)) : std::imag(sides(r, q)));
            }
        }
    }
    return out;
}

template <class Scalar>
SideMatrix<Scalar> from_planes(const std::vector<double>& part, int rows, int columns) {
    SideMatrix<Scalar> sides(rows, columns);
    for (int q = 0; q < columns; ++q) {
        const double* plane = part.data() + q * rows * front::kPlanes<Scalar>;
        for (int r = 0; r < rows; ++r) {
            if constexpr (front::kPlanes<Scalar> == 2) {
                sides(r, q) = {plane[r], plane[r + rows]};
            } else {
                sides(r, q) = plane[r];
            }
        }
    }
    return sides;
}

/// The sums that `backward_strip` makes, added up over lanes.
template <class Scalar, int Q>
SideMatrix<Scalar> added_up(const std::vector<double>& sums, int rows) {
    std::vector<double> planes;
    for (int side = 0; side < front::kSides<Scalar, Q>; ++side) {
        for (int r = 0; r < rows; ++r) {
            const int at = (r * front::kSides<Scalar, Q> + side) * front::kLane;
            planes.push_back(front::sum_of(front::load(&sums[at])));
        }
    }
    return from_planes<Scalar>(planes, rows, Q);
}

/// One strip of `depth` columns whose rows are the last four of a front.
template <class Scalar, int Q>
void check_strip(Rng& rng, int depth) {
    const int height = (depth / front::kStrip + 2) * front::kStrip, row = height - front::kStrip;
    const SideMatrix<Scalar> strip = test::random_dense<Scalar>(rng, front::kStrip, depth);
    const SideMatrix<Scalar> sides = test::random_dense<Scalar>(rng, height, Q);
    const std::vector<double> numbers = in_strips(strip);

    SideMatrix<Scalar> expected = sides;
    const SideMatrix<Scalar> taken = times(strip, block(sides, 0, 0, depth, Q));
    for (int q = 0; q < Q; ++q) {
        for (int r = 0; r < front::kStrip; ++r) expected(row + r, q) -= taken(r, q);
    }
    std::vector<double> part = by_planes(sides);
    front::forward_strip<Scalar, Q>(numbers.data(), depth, part.data(), row, height);
    CHECK(largest_difference(from_planes<Scalar>(part, height, Q), expected) < 1e-14);

    // Sums add up over strips: the same one twice counts twice.
    std::vector<double> sums(depth * front::kSides<Scalar, Q> * front::kLane, 0.0);
    part = by_planes(sides);
    for (int k = 0; k < 2; ++k) {
        front::backward_strip<Scalar, Q>(numbers.data(), depth, part.data() + row, height,
                                         sums.data());
    }
    SideMatrix<Scalar> twice = times(adjoint(strip), block(sides, row, 0, front::kStrip, Q));
    for (Scalar& x : twice.entries) x *= 2.0;
    CHECK(largest_difference(added_up<Scalar, Q>(sums, depth), twice) < 1e-13);
}

/// L y = b, then L^* x = y, for a lower triangle on a diagonal, by its inverse.
template <class Scalar, int Q>
void check_diagonal(Rng& rng, int width) {
    const SideMatrix<Scalar> whole = test::random_positive<Scalar>(rng, width);
    const std::vector<double> inverse = in_strips(inverse_of_lower(cholesky(whole)));
    // Rows that a strip lacks stay zero.
    SideMatrix<Scalar> sides(front::kStrip, Q), solution = sides;
    const SideMatrix<Scalar> x = test::random_dense<Scalar>(rng, width, Q), b = times(whole, x);
    for (int q = 0; q < Q; ++q) {
        for (int r = 0; r < width; ++r) {
            sides(r, q) = b(r, q);
            solution(r, q) = x(r, q);
        }
    }
    std::vector<double> part = by_planes(sides);
    front::forward_diagonal<Scalar, Q>(inverse.data(), width, part.data(), front::kStrip);
    // What strips below left in the sums is subtracted first.
    constexpr double left = 0.75;
    for (int side = 0; side < front::kSides<Scalar, Q>; ++side) {
        for (int r = 0; r < width; ++r) part[r + side * front::kStrip] += left;
    }
    const std::vector<double> sums(width * front::kSides<Scalar, Q> * front::kLane,
                                   left / front::kLane);
    front::backward_diagonal<Scalar, Q>(inverse.data(), width, part.data(), front::kStrip,
                                        sums.data());
    CHECK(largest_difference(from_planes<Scalar>(part, front::kStrip, Q), solution) < 1e-12);
}

template <class Scalar, int Q>
void check_sides() {
    Rng rng(31);
    for (const int depth : {1, 2, 3, 4, 7, 12}) check_strip<Scalar, Q>(rng, depth);
    for (const int width : {1, 2, 3, 4}) check_diagonal<Scalar, Q>(rng, width);
}

}  // namespace

TEST_CASE("strips do to right-hand sides what dense products do, for as many as go together") {
    check_sides<double, 1>();
    check_sides<double, 2>();
    check_sides<double, 4>();
    check_sides<std::complex<double>, 1>();
    check_sides<std::complex<double>, 2>();
}
