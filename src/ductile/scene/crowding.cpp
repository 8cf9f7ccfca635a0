// SPDX-License-Identifier: MIT
#include <ductile/scene/crowding.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace ductile {

namespace {

// A packed heap has 13 pairs a body. Half a million, of 1,000 rings in one place, took minutes.
constexpr std::int64_t kPairsEach = 20, kPairsAnyhow = 100000;

int widest_axis(std::span<const StartingBox> boxes) {
    Box centres;
    for (const StartingBox& b : boxes) centres.add(b.box_w.centre());
    int axis = 0;
    (centres.upper - centres.lower).maxCoeff(&axis);
    return axis;
}

}  // namespace

std::int64_t count_pairs(std::span<const StartingBox> boxes, std::int64_t most) {
    if (boxes.empty()) return 0;
    const int axis = widest_axis(boxes);
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return boxes[a].box_w.lower[axis] < boxes[b].box_w.lower[axis];
    });
    std::int64_t found = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const StartingBox& a = boxes[order[i]];
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            const StartingBox& b = boxes[order[k]];
            if (b.box_w.lower[axis] > a.box_w.upper[axis]) break;
            if (!(a.can_move || b.can_move) || !a.box_w.overlaps(b.box_w)) continue;
            if (++found >= most) return found;
        }
    }
    return found;
}

Status check_crowding(std::span<const StartingBox> boxes) {
    const auto count = static_cast<std::int64_t>(boxes.size());
    const std::int64_t most = kPairsAnyhow + kPairsEach * count;
    if (count_pairs(boxes, most + 1) <= most) return {};
    return Error{fmt::format("more than {} pairs of its {} bodies start where both are: each step "
                             "would look at all of them",
                             most, count),
                 "#/bodies", "move them apart, or take fewer"};
}

}  // namespace ductile
