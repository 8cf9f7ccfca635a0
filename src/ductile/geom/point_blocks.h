// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Indices of points along Morton's curve through their box: neighbours in it mostly lie together.
/// Points in one of its cells keep their order. Requires: finite points. O(n).
std::vector<std::int32_t> morton_order(std::span<const Vec3> points);

/// Points in blocks of eight that lie together, blocks in blocks of eight: for a set that is asked
/// some hundred questions and thrown away. A sort along Morton's curve and one pass make it.
///
/// Boxes and points are asked about eight at a time, in single precision about `origin()`, so that
/// a question costs a few vector instructions; it is to let pass what it is not sure of. What
/// passes is then looked at in full precision.
class PointBlocks {
public:
    static constexpr int kFan = 8;

    /// Eight boxes by centre and half size, relative to the origin. A point is a box of no size;
    /// places that hold nothing are far away.
    using Lanes = Eigen::Array<float, kFan, 1>;
    struct Eight {
        std::array<Lanes, 3> centre, half;
    };

    /// Requires: finite points. O(n).
    explicit PointBlocks(std::span<const Vec3> points);

    const Vec3& origin() const { return origin_; }
    /// How far rounding may move a relative coordinate or a difference of two [m].
    double slack() const { return slack_; }

    /// Calls `take(i, p)` for every point but those that `may_hold(eight)` rules out, as bits of
    /// the eight, itself or with a box around it; until a call returns false. In an order that
    /// follows from the points alone.
    template <class MayHold, class Take>
    void visit(MayHold&& may_hold, Take&& take) const {
        struct Open {
            std::int32_t level, block;
        };
        std::array<Open, kMostLevels * kFan> stack;
        int top = 0;
        if (!levels_.empty()) stack[top++] = {static_cast<std::int32_t>(levels_.size()) - 1, 0};
        while (top > 0) {
            const auto [level, block] = stack[--top];
            const auto first = static_cast<std::size_t>(block) * kFan;
            for (unsigned left = may_hold(levels_[level][block]); left != 0; left &= left - 1) {
                const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(left));
                if (level > 0) {
                    stack[top++] = {level - 1, static_cast<std::int32_t>(i)};
                } else if (!take(index_[i], points_[i])) {
                    return;
                }
            }
        }
    }

private:
    static constexpr std::size_t kMostLevels = 11;  ///< 8^11 points are more than an index counts.
    void build_levels();

    Vec3 origin_ = Vec3::Zero();
    double slack_ = 0.0;
    std::vector<std::int32_t> index_;         ///< Along the curve.
    std::vector<Vec3> points_;                ///< The same.
    std::vector<std::vector<Eight>> levels_;  ///< Points first; the last has one block.
};

}  // namespace ductile
