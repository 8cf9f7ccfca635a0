// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/front_factor.h>

#include <doctest/doctest.h>
#include <geom/solve/front_strips.h>

#include <complex>

using namespace ductile;
using test::block;

namespace {

template <class Scalar>
using FrontMatrix = test::DenseMatrix<Scalar>;

/// A front of its own: `columns` to finish and `rows` below them.
struct LoneFront {
    LoneFront(std::int32_t columns, std::int32_t rows) : shape(front_of(columns, rows)) {}

    static FrontTree::Front front_of(std::int32_t columns, std::int32_t rows) {
        FrontTree::Front front;
        front.end = columns;
        front.end_row = rows;
        return front;
    }
    /// Of an entry in the panel; rows below the columns begin a strip of their own.
    template <class Scalar>
    front::Index place(front::Index row, front::Index column) const {
        if (row >= shape.columns) row += shape.top() - shape.columns;
        return (shape.before(row / front::kStrip) + column) * front::kCell<Scalar> +
               row % front::kStrip;
    }
    template <class Scalar>
    std::vector<double> panel(const FrontMatrix<Scalar>& m) const {
        std::vector<double> out(
            static_cast<std::size_t>(shape.panel_size() * front::kCell<Scalar>));
        for (int c = 0; c < shape.columns; ++c) {
            for (int r = c; r < m.rows; ++r) front::set(&out[place<Scalar>(r, c)], m(r, c));
        }
        return out;
    }

    FrontShape shape;
};

/// The factor's entries, but inverses in its blocks on the diagonal.
template <class Scalar>
FrontMatrix<Scalar> with_inverses(FrontMatrix<Scalar> factor, int columns) {
    for (int top = 0; top < columns; top += front::kStrip) {
        const int width = std::min(front::kStrip, columns - top);
        const FrontMatrix<Scalar> inverse = inverse_of_lower(block(factor, top, top, width, width));
        for (int c = 0; c < width; ++c) {
            for (int r = 0; r < width; ++r) factor(top + r, top + c) = inverse(r, c);
        }
    }
    return factor;
}

template <class Scalar>
void check_front(Rng& rng, int columns, int rows) {
    const LoneFront lone(columns, rows);
    const FrontMatrix<Scalar> m = test::random_positive<Scalar>(rng, columns + rows);
    const FrontMatrix<Scalar> factor = cholesky(m), exact = with_inverses(factor, columns);
    std::vector<double> panel = lone.panel(m);
    const std::vector<double> least(columns, 0.0);
    REQUIRE(front::finish_columns<Scalar>(panel.data(), lone.shape, least.data()));
    double worst = 0.0;
    for (int c = 0; c < columns; ++c) {
        for (int r = c; r < columns + rows; ++r) {
            const Scalar found = front::value(&panel[lone.place<Scalar>(r, c)], Scalar());
            worst = std::max(worst, std::abs(found - exact(r, c)));
        }
    }
    CHECK(worst < 1e-12);

    std::vector<double> update(
        static_cast<std::size_t>(lone.shape.update_size() * front::kCell<Scalar>), 9.0);
    front::fill_update<Scalar>(panel.data(), lone.shape, update.data());
    const FrontMatrix<Scalar> below = block(factor, columns, 0, rows, columns);
    const FrontMatrix<Scalar> handed = times(below, adjoint(below));
    worst = 0.0;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c <= r; ++c) {
            const front::Index column = FrontShape::triangle(r / front::kStrip) + c;
            const Scalar found =
                front::value(&update[column * front::kCell<Scalar> + r % front::kStrip], Scalar());
            worst = std::max(worst, std::abs(found + handed(r, c)));
        }
    }
    CHECK(worst < 1e-12);
}

}  // namespace

TEST_CASE("a front's columns become a Cholesky factor, and the rest what its parent is handed") {
    Rng rng(21);
    for (const int columns : {1, 3, 4, 6, 8, 13, 16}) {
        for (const int rows : {0, 1, 4, 9, 17}) {
            CAPTURE(columns);
            CAPTURE(rows);
            check_front<double>(rng, columns, rows);
            check_front<std::complex<double>>(rng, columns, rows);
        }
    }
}

TEST_CASE("a front with a pivot that is not above its bound is refused, whichever it is") {
    constexpr int columns = 10, rows = 3;
    Rng rng(22);
    const LoneFront lone(columns, rows);
    const FrontMatrix<double> m = test::random_positive<double>(rng, columns + rows);
    const FrontMatrix<double> factor = cholesky(m);
    for (int c = 0; c < columns; ++c) {
        for (const double share : {1 - 1e-9, 1 + 1e-9}) {
            std::vector<double> least(columns, 0.0), panel = lone.panel(m);
            least[c] = factor(c, c) * factor(c, c) * share;
            CHECK(front::finish_columns<double>(panel.data(), lone.shape, least.data()) ==
                  (share < 1));
        }
    }
}
