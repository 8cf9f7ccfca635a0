// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace ductile {

/// Indices of points along Morton's curve through their box: neighbours in it mostly lie together.
/// Points in one of its cells, 1/255 of the box, keep their order. Requires: finite points. O(n).
std::vector<std::int32_t> morton_order(std::span<const Vec3> points);

/// The same with the cells' places along the curve, of 24 bits, per entry of `order`: ascending.
struct MortonOrder {
    std::vector<std::int32_t> order;
    std::vector<std::uint32_t> codes;
};
MortonOrder morton_sorted(std::span<const Vec3> points);

/// Points in blocks of eight that lie together, boxes around them in blocks of eight: for a set
/// that is asked some hundred questions and thrown away. A sort along Morton's curve and one pass
/// make it.
///
/// Boxes and points are asked about eight at a time, in single precision about `origin()`, so that
/// a question costs a few vector instructions; it is to let pass what it is not sure of. What
/// passes is then looked at in full precision.
class PointBlocks {
public:
    static constexpr int kFan = 8;
    using Lanes = Eigen::Array<float, kFan, 1>;
    /// Eight points, relative to the origin; places that hold nothing are far away.
    using EightPoints = std::array<Lanes, 3>;
    /// Eight boxes by centre and half size.
    struct EightBoxes {
        EightPoints centre, half;
    };

    /// Which of eight values have no sign, as bits. Most often none has.
    static unsigned not_negative(const Lanes& values) {
        std::array<std::uint64_t, kFan / 2> signs;
        std::memcpy(signs.data(), values.data(), sizeof values);
        const std::uint64_t all = signs[0] & signs[1] & signs[2] & signs[3];
        return (all & all << 32) >> 63 ? 0u : signless(values);
    }

    /// Requires: finite points. O(n).
    explicit PointBlocks(std::span<const Vec3> points);

    const Vec3& origin() const { return origin_; }
    /// How far rounding may move a relative coordinate or a difference of two [m].
    double slack() const { return slack_; }

    const EightPoints& block(std::int32_t b) const { return blocks_[b]; }
    /// Which of the points a place of a block holds.
    std::int32_t index(std::int32_t b, int place) const {
        return index_[static_cast<std::size_t>(b) * kFan + place];
    }

    /// Overwrites `found` with the blocks but those that `may_hold(boxes)`, an answer of eight
    /// bits, rules out, themselves or with a box around them; in an order that follows from the
    /// points alone.
    template <class MayHold>
    void collect(MayHold&& may_hold, std::vector<std::int32_t>& found) const {
        struct Open {
            std::int32_t level, boxes;
        };
        found.clear();
        std::array<Open, kMostLevels * kFan> stack;
        int top = 0;
        if (!levels_.empty()) stack[top++] = {static_cast<std::int32_t>(levels_.size()) - 1, 0};
        while (top > 0) {
            const auto [level, boxes] = stack[--top];
            for (unsigned left = may_hold(levels_[level][boxes]); left != 0; left &= left - 1) {
                const std::int32_t below = boxes * kFan + std::countr_zero(left);
                if (level > 0) {
                    stack[top++] = {level - 1, below};
                } else {
                    found.push_back(below);
                }
            }
        }
    }

private:
    static constexpr std::size_t kMostLevels = 11;  ///< 8^11 points are more than an index counts.
    static unsigned signless(const Lanes& values);
    void build_levels(std::vector<Box> boxes);

    Vec3 origin_ = Vec3::Zero();
    double slack_ = 0.0;
    std::vector<std::int32_t> index_;  ///< Along the curve.
    std::vector<EightPoints> blocks_;
    std::vector<std::vector<EightBoxes>> levels_;  ///< Of the blocks first; the last has one entry.
};

}  // namespace ductile
