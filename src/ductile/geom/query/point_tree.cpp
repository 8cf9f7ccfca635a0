// SPDX-License-Identifier: MIT
#include <ductile/geom/query/point_tree.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace ductile {

PointTree::PointTree(std::span<const Vec3> points) : order_(points.size()), leaf_(points.size()) {
    if (points.empty()) return;
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.push_back({-1, -1, 0, static_cast<std::int32_t>(points.size())});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node node = nodes_[i];
        const auto begin = order_.begin() + node.first, end = begin + node.count;
        if (node.count <= kLeafSize) {
            std::sort(begin, end);
            for (auto at = begin; at != end; ++at) leaf_[*at] = static_cast<std::int32_t>(i);
            continue;
        }
        Box box;
        for (auto at = begin; at != end; ++at) box.add(points[*at]);
        int axis = 0;
        (box.upper - box.lower).maxCoeff(&axis);
        const std::int32_t half = node.count / 2;
        std::nth_element(begin, begin + half, end, [&](std::int32_t a, std::int32_t b) {
            return std::tie(points[a][axis], a) < std::tie(points[b][axis], b);
        });
        const auto parent = static_cast<std::int32_t>(i);
        nodes_[i].child = static_cast<std::int32_t>(nodes_.size());
        nodes_.push_back({parent, -1, node.first, half});
        nodes_.push_back({parent, -1, node.first + half, node.count - half});
    }
}

PointBoxes::PointBoxes(std::shared_ptr<const PointTree> tree, std::span<const Vec3> points)
    : tree_(std::move(tree)), boxes_(tree_->nodes().size()), stale_(tree_->nodes().size()) {
    DUCTILE_ASSERT(points.size() == tree_->point_count(), "the points of the tree");
    for (std::size_t i = boxes_.size(); i-- > 0;) {  // Children come after their parents.
        const PointTree::Node& node = tree_->nodes()[i];
        if (node.is_leaf()) {
            boxes_[i] = leaf_box(static_cast<std::int32_t>(i), points);
        } else {
            boxes_[i].add(boxes_[node.child]);
            boxes_[i].add(boxes_[node.child + 1]);
        }
    }
}

Box PointBoxes::leaf_box(std::int32_t leaf, std::span<const Vec3> points) const {
    Box box;
    for (const std::int32_t v : tree_->points_of(leaf)) box.add(points[v]);
    return box;
}

void PointBoxes::refit(std::span<const Vec3> points, std::span<const std::int32_t> leaves) {
    const std::span<const PointTree::Node> nodes = tree_->nodes();
    for (const std::int32_t leaf : leaves) {
        boxes_[leaf] = leaf_box(leaf, points);
        std::int32_t above = nodes[leaf].parent;
        while (above >= 0 && stale_.insert(above)) above = nodes[above].parent;
    }
    stale_.take(ascending_);
    for (std::size_t i = ascending_.size(); i-- > 0;) {
        const std::int32_t child = nodes[ascending_[i]].child;
        Box box = boxes_[child];
        box.add(boxes_[child + 1]);
        boxes_[ascending_[i]] = box;
    }
}

}  // namespace ductile
