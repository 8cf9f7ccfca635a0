// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/assert.h>
#include <ductile/core/index_set.h>
#include <ductile/core/math.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Points that lie together at rest, in groups of groups. Immutable; where the points are now is
/// what `PointBoxes` keeps.
class PointTree {
public:
    /// Halves at the median along the longest side until at most `kLeafSize` points are left. Ties
    /// are broken by index: the same points always give the same tree. O(n log n).
    explicit PointTree(std::span<const Vec3> points = {});

    static constexpr std::int32_t kLeafSize = 32;
    /// Halving 2^31 points 27 times leaves 16 of them.
    static constexpr int kMostLevels = 28;

    struct Node {
        std::int32_t parent = -1;
        std::int32_t child = -1;  ///< First of two; -1 for a leaf.
        std::int32_t first = 0;   ///< Its points are `order[first] .. order[first + count - 1]`.
        std::int32_t count = 0;
        bool is_leaf() const { return child < 0; }
    };

    /// Root first, children after their parents; none for no points.
    std::span<const Node> nodes() const { return nodes_; }
    std::size_t point_count() const { return order_.size(); }
    /// Indices of the points of a node; ascending for a leaf.
    std::span<const std::int32_t> points_of(std::int32_t node) const {
        return std::span(order_).subspan(nodes_[node].first, nodes_[node].count);
    }
    /// The leaf that holds a point.
    std::int32_t leaf_of(std::int32_t point) const { return leaf_[point]; }

private:
    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;
    std::vector<std::int32_t> leaf_;
};

/// The tight box of every node of a tree, for points that move a few at a time.
///
/// Boxes follow from where the points are now and from nothing else: refitting in places gives the
/// same boxes as making them anew.
class PointBoxes {
public:
    /// Requires: a point per point of the tree.
    PointBoxes(std::shared_ptr<const PointTree> tree, std::span<const Vec3> points);

    const PointTree& tree() const { return *tree_; }

    const Box& box(std::int32_t node) const { return boxes_[node]; }

    /// Takes over the moved points of these leaves, each named once. O(leaves x depth).
    void refit(std::span<const Vec3> points, std::span<const std::int32_t> leaves);

    /// Calls `take(leaf)` for every leaf but those that `may_hold(box)` rules out, itself or
    /// for a box around it. In the order of the tree.
    template <class MayHold, class Take>
    void visit(MayHold&& may_hold, Take&& take) const {
        if (boxes_.empty()) return;
        std::array<std::int32_t, PointTree::kMostLevels + 2> stack;
        int top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const std::int32_t index = stack[--top];
            if (!may_hold(boxes_[index])) continue;
            const PointTree::Node& node = tree_->nodes()[index];
            if (node.is_leaf()) {
                take(index);
                continue;
            }
            stack[top++] = node.child + 1;
            stack[top++] = node.child;
        }
    }

private:
    Box leaf_box(std::int32_t leaf, std::span<const Vec3> points) const;

    std::shared_ptr<const PointTree> tree_;
    std::vector<Box> boxes_;
    IndexSet stale_;  ///< Inner nodes to be refitted; empty between calls.
    std::vector<std::int32_t> ascending_;
};

}  // namespace ductile
