// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/solve/front_kernels.h>
#include <ductile/geom/solve/front_tree.h>

namespace ductile {

/// How a front lies in strips: first its own rows, each strip up to the diagonal, then those below.
/// What it hands on are strips of a lower triangle.
struct FrontShape {
    using Index = front::Index;
    static constexpr Index kStrip = front::kStrip;

    explicit FrontShape(const FrontTree::Front& f)
        : columns(f.end - f.first), rows(f.end_row - f.first_row) {}
    Index columns, rows;

    static Index strips_of(Index n) { return (n + kStrip - 1) / kStrip; }
    /// Columns in all strips of a triangle before this one.
    static Index triangle(Index strip) { return kStrip / 2 * strip * (strip + 1); }

    Index top_strips() const { return strips_of(columns); }
    Index strips() const { return strips_of(columns) + strips_of(rows); }
    Index top() const { return kStrip * strips_of(columns); }  ///< The first row below.
    Index height() const { return kStrip * strips(); }
    /// Columns in all strips before this one.
    Index before(Index strip) const {
        const Index whole = columns / kStrip;
        return strip <= whole ? triangle(strip) : triangle(whole) + (strip - whole) * columns;
    }
    /// Columns in strips, all together.
    Index panel_size() const { return before(strips()); }
    Index update_size() const { return triangle(strips_of(rows)); }
};

}  // namespace ductile
