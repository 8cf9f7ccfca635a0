// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/solve/front_shape.h>

#include <algorithm>
#include <type_traits>

// A front as a dense matrix: its columns are finished strip after strip of rows, each with all
// columns before it, which are then still at hand.
namespace ductile::front {

/// Finishes S strips of rows that begin at `strip`, in columns up to `end`.
template <class Scalar, int S>
void finish_rows(double* panel, const FrontShape& shape, Index strip, Index end) {
    double* rows = panel + shape.before(strip) * kCell<Scalar>;
    const Index step = (shape.before(strip + 1) - shape.before(strip)) * kCell<Scalar>;
    for (Index first = 0; first < end; first += kStrip) {
        const double* by = panel + shape.before(first / kStrip) * kCell<Scalar>;
        with_width(shape.columns - first,
                   [&](auto width) { finish_tile<Scalar, S, width>(rows, step, by, first); });
    }
}

template <class Scalar>
bool finish_diagonal(double* panel, const FrontShape& shape, Index strip, const double* least) {
    double* at = panel + shape.before(strip) * kCell<Scalar>;
    const Index first = kStrip * strip;
    bool is_done = false;
    with_width(shape.columns - first, [&](auto width) {
        is_done = finish_diagonal<Scalar, width>(at, first, least + first);
    });
    return is_done;
}

/// Finishes a front's columns, strip by strip. `least`: what pivots must exceed. False: one does
/// not.
template <class Scalar>
bool finish_columns(double* panel, const FrontShape& shape, const double* least) {
    constexpr int together = kTogether<Scalar>;
    const Index tops = shape.top_strips(), strips = shape.strips();
    for (Index s = 0; s < tops; ++s) {
        const bool is_first = s % together == 0;
        if (is_first && s + together <= tops) {
            finish_rows<Scalar, together>(panel, shape, s, kStrip * s);
        } else if (is_first) {
            finish_rows<Scalar, 1>(panel, shape, s, kStrip * s);
        } else {
            finish_tile<Scalar, 1, kStrip>(panel + shape.before(s) * kCell<Scalar>, 0,
                                           panel + shape.before(s - 1) * kCell<Scalar>,
                                           kStrip * (s - 1));
        }
        if (!finish_diagonal<Scalar>(panel, shape, s, least)) return false;
    }
    Index s = tops;
    for (; s + together <= strips; s += together) {
        finish_rows<Scalar, together>(panel, shape, s, shape.columns);
    }
    for (; s < strips; ++s) finish_rows<Scalar, 1>(panel, shape, s, shape.columns);
    return true;
}

/// What the finished columns leave for the parent, before that of the children is added.
template <class Scalar>
void fill_update(const double* panel, const FrontShape& shape, double* update) {
    constexpr int together = kTogether<Scalar>;
    const Index step = shape.columns * kCell<Scalar>, strips = FrontShape::strips_of(shape.rows);
    const double* below = panel + shape.before(shape.top_strips()) * kCell<Scalar>;
    const auto fill = [&](auto count, Index s, Index begin, Index end) {
        const Index from = FrontShape::triangle(s) * kCell<Scalar>;
        const Index next = FrontShape::triangle(s + 1) * kCell<Scalar>;
        for (Index t = begin; t < end; ++t) {
            product_tile<Scalar, count>(below + s * step, step, below + t * step, shape.columns,
                                        update + from + t * kStrip * kCell<Scalar>, next - from);
        }
    };
    constexpr std::integral_constant<int, 1> one;
    for (Index s = 0; s < strips; s += together) {
        const Index end = std::min(s + together, strips);
        if (end - s == together) {
            fill(std::integral_constant<int, together>{}, s, 0, s + 1);
        } else {
            fill(one, s, 0, s + 1);
        }
        for (Index t = s + 1; t < end; ++t) fill(one, t, s + 1, t + 1);
    }
}

}  // namespace ductile::front
