// SPDX-License-Identifier: MIT
#include <ductile/geom/point_blocks.h>

namespace ductile {
namespace {

constexpr double kMortonSteps = 1023.0;  // Ten bits an axis.
constexpr int kDigitBits = 10, kDigits = 3;
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;
// Of what nothing is near to; its square is still a float.
constexpr float kFarAway = 1e15f;

/// Two empty bits before each of ten.
std::uint32_t spread_bits(std::uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

std::vector<std::uint32_t> morton_codes(std::span<const Vec3> points) {
    Box all;
    for (const Vec3& p : points) all.add(p);
    const double size = points.empty() ? 0.0 : (all.upper - all.lower).maxCoeff();
    // One scale for all axes: cells are cubes.
    const double scale = size > 0 ? kMortonSteps / size : 0.0;
    std::vector<std::uint32_t> codes;
    codes.reserve(points.size());
    for (const Vec3& p : points) {
        std::uint32_t code = 0;
        for (int k = 0; k < 3; ++k) {
            code |= spread_bits(static_cast<std::uint32_t>(scale * (p[k] - all.lower[k]))) << k;
        }
        codes.push_back(code);
    }
    return codes;
}

PointBlocks::Eight nothing() {
    PointBlocks::Eight eight;
    for (int k = 0; k < 3; ++k) {
        eight.centre[k].setConstant(kFarAway);
        eight.half[k].setZero();
    }
    return eight;
}

}  // namespace

std::vector<std::int32_t> morton_order(std::span<const Vec3> points) {
    const std::vector<std::uint32_t> codes = morton_codes(points);
    std::vector<std::int32_t> order(points.size()), next(points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    // Digit by digit from the last: a comparing sort takes some five times as long.
    for (int digit = 0; digit < kDigits; ++digit) {
        const auto value = [&](std::int32_t i) {
            return codes[i] >> (kDigitBits * digit) & (kDigitValues - 1);
        };
        std::array<std::int32_t, kDigitValues + 1> first{};
        for (const std::int32_t i : order) ++first[value(i) + 1];
        for (std::size_t v = 0; v < kDigitValues; ++v) first[v + 1] += first[v];
        for (const std::int32_t i : order) next[first[value(i)]++] = i;
        order.swap(next);
    }
    return order;
}

PointBlocks::PointBlocks(std::span<const Vec3> points) {
    if (points.empty()) return;
    Box all;
    for (const Vec3& p : points) all.add(p);
    const double size = (all.upper - all.lower).maxCoeff();
    origin_ = all.centre();
    // A handful of roundings of numbers that are no larger.
    slack_ = 8.0 * static_cast<double>(std::numeric_limits<float>::epsilon()) * size;
    index_ = morton_order(points);
    points_.reserve(index_.size());
    for (const std::int32_t i : index_) points_.push_back(points[i]);
    build_levels();
}

void PointBlocks::build_levels() {
    std::vector<Box> boxes(points_.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = {points_[i], points_[i]};
    while (true) {
        std::vector<Eight>& level =
            levels_.emplace_back((boxes.size() + kFan - 1) / kFan, nothing());
        std::vector<Box> above(level.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const auto lane = static_cast<Eigen::Index>(i % kFan);
            const Vec3 centre = boxes[i].centre() - origin_;
            const Vec3 half = 0.5 * (boxes[i].upper - boxes[i].lower);
            for (int k = 0; k < 3; ++k) {
                level[i / kFan].centre[k][lane] = static_cast<float>(centre[k]);
                level[i / kFan].half[k][lane] = static_cast<float>(half[k]);
            }
            above[i / kFan].add(boxes[i]);
        }
        if (level.size() == 1) return;
        boxes = std::move(above);
    }
}

}  // namespace ductile
