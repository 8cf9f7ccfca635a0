// SPDX-License-Identifier: MIT
#include <ductile/io/face_cutter.h>

#include <algorithm>

namespace ductile {

std::span<const Triangle> FaceCutter::cut(std::span<const Vec3> points,
                                          std::span<const std::int32_t> corners) {
    triangles_.clear();
    const bool is_plain = corners.size() == 3 && corners[0] != corners[1] &&
                          corners[1] != corners[2] && corners[2] != corners[0];
    if (is_plain) {
        triangles_.push_back({0, 1, 2});
    } else if (take_corners(corners)) {
        cut_larger(points, corners);
    }
    if (triangles_.empty()) count(dropped_);
    ++calls_;
    return triangles_;
}

void FaceCutter::count(Count& kind) const {
    if (kind.faces++ == 0) kind.first = calls_;
}

// Leaves out corners that repeat their neighbour; false if what is left is no face.
bool FaceCutter::take_corners(std::span<const std::int32_t> corners) {
    kept_.clear();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (!kept_.empty() && corners[kept_.back()] == corners[i]) continue;
        kept_.push_back(static_cast<std::int32_t>(i));
    }
    while (kept_.size() > 1 && corners[kept_.back()] == corners[kept_[0]]) kept_.pop_back();
    if (kept_.size() < 3) return false;
    distinct_.clear();
    for (const std::int32_t place : kept_) distinct_.push_back(corners[place]);
    std::sort(distinct_.begin(), distinct_.end());
    const auto end = std::unique(distinct_.begin(), distinct_.end());
    const auto distinct = static_cast<std::size_t>(end - distinct_.begin());
    // Bridges to holes name their two ends twice, and each hole has three points at least: a
    // polygon never has twice as many corners as points unless it runs around more than once.
    return distinct >= 3 && kept_.size() < 2 * distinct;
}

void FaceCutter::cut_larger(std::span<const Vec3> points, std::span<const std::int32_t> corners) {
    outline_.clear();
    for (const std::int32_t place : kept_) outline_.push_back(points[corners[place]]);
    const std::size_t hasty_before = cutter_.hasty_count();
    for (const Triangle& t : cutter_.cut(outline_)) {
        const Triangle places{kept_[t[0]], kept_[t[1]], kept_[t[2]]};
        const std::int32_t a = corners[places[0]], b = corners[places[1]], c = corners[places[2]];
        if (a != b && b != c && c != a) triangles_.push_back(places);
    }
    if (cutter_.hasty_count() > hasty_before) count(hasty_);
}

}  // namespace ductile
