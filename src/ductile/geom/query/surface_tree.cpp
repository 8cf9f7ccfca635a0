// SPDX-License-Identifier: MIT
// Surface area heuristic over bins (I. Wald 2007, "On fast Construction of SAH-based Bounding
// Volume Hierarchies"), or the bits of places on Morton's curve.
#include <ductile/geom/query/point_blocks.h>
#include <ductile/geom/query/surface_query.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace ductile {
namespace {

constexpr int kLeafSize = 4;
constexpr int kBins = 16;
// Deeper than this, ranges are halved: then no surface makes a tree deeper than 40 + 31.
constexpr int kHeuristicDepth = 40;

double half_area(const Box& box) {
    const Vec3 d = box.upper - box.lower;
    return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

// Chooses where to cut a range of triangles in two.
class Splitter {
public:
    Splitter(std::span<const Box> boxes, std::span<const Vec3> centres)
        : boxes_(boxes), centres_(centres) {}

    // Reorders `range` and returns how many come first: at least one, not all.
    std::size_t split(std::span<std::int32_t> range, int depth) const {
        Box middle;
        for (std::int32_t t : range) middle.add(centres_[t]);
        int axis = 0;
        const double extent = (middle.upper - middle.lower).maxCoeff(&axis);
        if (depth >= kHeuristicDepth || !(extent > 0)) return range.size() / 2;
        if (range.size() <= kFew) return halve(range, axis);
        const double low = middle.lower[axis], per_metre = kBins / extent;
        const auto bin_of = [&](std::int32_t t) {
            return std::min(kBins - 1, static_cast<int>((centres_[t][axis] - low) * per_metre));
        };
        const int cut = cheapest_cut(range, bin_of);
        const auto second = std::partition(range.begin(), range.end(),
                                           [&](std::int32_t t) { return bin_of(t) < cut; });
        const std::size_t count = second - range.begin();
        return count == 0 || count == range.size() ? range.size() / 2 : count;
    }

private:
    // What bins would save there is less than what they cost.
    static constexpr std::size_t kFew = 24;

    std::size_t halve(std::span<std::int32_t> range, int axis) const {
        const std::size_t half = range.size() / 2;
        std::nth_element(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(half),
                         range.end(), [&](std::int32_t a, std::int32_t b) {
                             return std::pair(centres_[a][axis], a) <
                                    std::pair(centres_[b][axis], b);
                         });
        return half;
    }

    // The bin before which to cut, by least area times count.
    template <class BinOf>
    int cheapest_cut(std::span<const std::int32_t> range, BinOf&& bin_of) const {
        std::array<Box, kBins> box;
        std::array<int, kBins> count{};
        for (std::int32_t t : range) {
            const int b = bin_of(t);
            box[b].add(boxes_[t]);
            ++count[b];
        }
        std::array<double, kBins> right_cost{};
        Box right;
        for (int b = kBins - 1, n = 0; b > 0; --b) {
            right.add(box[b]);
            n += count[b];
            right_cost[b] = n > 0 ? n * half_area(right) : 0.0;
        }
        int best = kBins / 2;
        double least = std::numeric_limits<double>::infinity();
        Box left;
        for (int b = 1, n = 0; b < kBins; ++b) {
            left.add(box[b - 1]);
            n += count[b - 1];
            const bool is_cut = n > 0 && n < static_cast<int>(range.size());
            const double cost = is_cut ? n * half_area(left) + right_cost[b] : least;
            if (cost < least) {
                least = cost;
                best = b;
            }
        }
        return best;
    }

    std::span<const Box> boxes_;
    std::span<const Vec3> centres_;
};

// How many of ascending codes have the highest bit in which they differ unset: they lie in one half
// of the smallest cell that holds them all. Half of them if all are the same. So a tree is no
// deeper than a code has bits, and 31 more.
std::size_t split_codes(std::span<const std::uint32_t> codes) {
    const std::uint32_t differs = codes.front() ^ codes.back();
    if (differs == 0) return codes.size() / 2;
    const std::uint32_t high = std::bit_floor(differs);
    return std::partition_point(codes.begin(), codes.end(),
                                [&](std::uint32_t code) { return (code & high) == 0; }) -
           codes.begin();
}

}  // namespace

void SurfaceQuery::build(TreeBuild how) {
    if (triangles_.empty()) return;
    const auto count = static_cast<std::int32_t>(triangles_.size());
    std::vector<Box> boxes(count);
    std::vector<Vec3> centres(count);
    for (std::int32_t t = 0; t < count; ++t) {
        boxes[t] = triangle_box(t);
        centres[t] = boxes[t].centre();
    }
    if (how == TreeBuild::Quick) {
        MortonOrder sorted = morton_sorted(centres);
        order_ = std::move(sorted.order);
        split_all([&](std::int32_t begin, std::int32_t size, int) {
            return split_codes(std::span(sorted.codes).subspan(begin, size));
        });
        return;
    }
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    const Splitter splitter(boxes, centres);
    split_all([&](std::int32_t begin, std::int32_t size, int depth) {
        return splitter.split(std::span(order_).subspan(begin, size), depth);
    });
}

template <class Split>
void SurfaceQuery::split_all(Split&& split) {
    struct Task {
        std::int32_t node, begin, count;
        int depth;
    };
    const auto count = static_cast<std::int32_t>(triangles_.size());
    nodes_.emplace_back();
    parent_.push_back(-1);
    leaf_.resize(count);
    std::vector<Task> tasks{{0, 0, count, 0}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        if (task.count <= kLeafSize) {
            nodes_[task.node].first = task.begin;
            nodes_[task.node].count = task.count;
            for (std::int32_t k = 0; k < task.count; ++k) leaf_[order_[task.begin + k]] = task.node;
            continue;
        }
        const auto left = static_cast<std::int32_t>(split(task.begin, task.count, task.depth));
        const auto child = static_cast<std::int32_t>(nodes_.size());
        nodes_[task.node].first = child;
        nodes_.resize(nodes_.size() + 2);
        parent_.resize(nodes_.size(), task.node);
        tasks.push_back({child + 1, task.begin + left, task.count - left, task.depth + 1});
        tasks.push_back({child, task.begin, left, task.depth + 1});
    }
    stale_ = IndexSet(nodes_.size());
}

}  // namespace ductile
