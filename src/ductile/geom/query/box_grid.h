// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// With `slack` more on all sides.
inline Box widened(const Box& box, double slack) {
    return {box.lower - Vec3::Constant(slack), box.upper + Vec3::Constant(slack)};
}

/// Tells which of many boxes overlap a box. A grid holds their centres, so that each of n boxes of
/// about one size finds its neighbours in constant time; the few that are much larger than most, or
/// very far away, are looked at one by one.
class BoxGrid {
public:
    /// Takes these boxes in place of those it had. Empty ones overlap nothing.
    void fill(std::span<const Box> boxes);

    /// Numbers of those that overlap `box`, ascending: of several boxes at once if need be.
    void overlapping(const Box& box, std::vector<std::int32_t>& out) const;

private:
    using Cell = Eigen::Vector3i;
    struct Entry {
        Cell cell = Cell::Zero();
        std::int32_t box = 0;
    };
    std::size_t slot_of(const Cell& cell) const;
    /// Calls visit(box) for all boxes in a range of cells.
    template <class Visit>
    void visit_cells(const Cell& lower, const Cell& upper, Visit&& visit) const;

    std::vector<Box> boxes_;
    double cell_size_ = 1.0;
    std::vector<Entry> entries_;           ///< Of boxes in the grid, by the slots of their cells.
    std::vector<std::int32_t> firsts_;     ///< Where each slot's entries begin, and the end.
    std::vector<std::int32_t> ungridded_;  ///< Looked at one by one.
    std::vector<double> widths_;           ///< Of boxes, in no order.
};

}  // namespace ductile
