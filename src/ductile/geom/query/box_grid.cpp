// SPDX-License-Identifier: MIT
#include <ductile/geom/query/box_grid.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ductile {
namespace {

// So few boxes are looked at one by one: a grid would take longer.
constexpr std::size_t kFewBoxes = 16;
// Boxes wider than so many of the median are not put into the grid.
constexpr double kWide = 4.0;
// Cells further from the origin than this are not told apart well enough.
constexpr double kFarthestCell = 1e9;
// What rounding may move a centre by, in cells.
constexpr double kRounding = 1e-6;

double width_of(const Box& box) { return (box.upper - box.lower).maxCoeff(); }

}  // namespace

std::size_t BoxGrid::slot_of(const Cell& cell) const {
    std::uint64_t mixed = 0;
    for (int k = 0; k < 3; ++k) {
        mixed = (mixed ^ static_cast<std::uint32_t>(cell[k])) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 29;
    }
    return static_cast<std::size_t>(mixed) & (firsts_.size() - 2);
}

void BoxGrid::fill(std::span<const Box> boxes) {
    boxes_.assign(boxes.begin(), boxes.end());
    entries_.clear();
    ungridded_.clear();
    widths_.clear();
    for (const Box& box : boxes_) {
        if (!box.is_empty()) widths_.push_back(width_of(box));
    }
    double widest = -1.0;  // None goes into the grid.
    if (widths_.size() > kFewBoxes) {
        const auto middle = widths_.begin() + static_cast<std::ptrdiff_t>(widths_.size() / 2);
        std::nth_element(widths_.begin(), middle, widths_.end());
        widest = kWide * *middle;
    }
    double cell_size = 0.0;
    for (const Box& box : boxes_) {
        if (!box.is_empty() && width_of(box) <= widest) {
            cell_size = std::max(cell_size, width_of(box));
        }
    }
    cell_size_ = cell_size > 0 ? cell_size : 1.0;
    firsts_.assign(std::bit_ceil(2 * widths_.size() + 1) + 1, 0);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const Box& box = boxes_[i];
        if (box.is_empty()) continue;
        const Vec3 at = box.centre() / cell_size_;
        const auto number = static_cast<std::int32_t>(i);
        if (!(width_of(box) <= widest && at.cwiseAbs().maxCoeff() < kFarthestCell)) {
            ungridded_.push_back(number);
            continue;
        }
        entries_.push_back({Vec3(at.array().floor()).cast<std::int32_t>(), number});
        ++firsts_[slot_of(entries_.back().cell) + 1];
    }
    for (std::size_t s = 1; s < firsts_.size(); ++s) firsts_[s] += firsts_[s - 1];
    const std::vector<Entry> unsorted = entries_;
    std::vector<std::int32_t> next(firsts_.begin(), firsts_.end() - 1);
    for (const Entry& entry : unsorted) entries_[next[slot_of(entry.cell)]++] = entry;
}

template <class Visit>
void BoxGrid::visit_cells(const Cell& lower, const Cell& upper, Visit&& visit) const {
    Cell cell;
    for (cell[0] = lower[0]; cell[0] <= upper[0]; ++cell[0]) {
        for (cell[1] = lower[1]; cell[1] <= upper[1]; ++cell[1]) {
            for (cell[2] = lower[2]; cell[2] <= upper[2]; ++cell[2]) {
                const std::size_t slot = slot_of(cell);
                for (std::int32_t e = firsts_[slot]; e < firsts_[slot + 1]; ++e) {
                    if (entries_[e].cell == cell) visit(entries_[e].box);
                }
            }
        }
    }
}

void BoxGrid::overlapping(const Box& box, std::vector<std::int32_t>& out) const {
    out.clear();
    const auto look_at = [&](std::int32_t i) {
        if (boxes_[i].overlaps(box)) out.push_back(i);
    };
    for (const std::int32_t i : ungridded_) look_at(i);
    // Centres of boxes that overlap this one lie no further from it than half a cell.
    const Vec3 margin = Vec3::Constant(0.5 + kRounding);
    const Vec3 lower = (box.lower / cell_size_ - margin).array().floor();
    const Vec3 upper = (box.upper / cell_size_ + margin).array().floor();
    const double cells = (upper - lower + Vec3::Ones()).prod();
    if (!(cells < static_cast<double>(entries_.size()))) {
        for (const Entry& entry : entries_) look_at(entry.box);
    } else if (lower.maxCoeff() <= kFarthestCell && upper.minCoeff() >= -kFarthestCell) {
        visit_cells(lower.cast<std::int32_t>(), upper.cast<std::int32_t>(), look_at);
    }
    std::sort(out.begin(), out.end());
}

}  // namespace ductile
