// SPDX-License-Identifier: MIT
#include <ductile/geom/query/point_blocks.h>

#include <cmath>
#include <limits>

namespace ductile {
namespace {

constexpr double kMortonSteps = 255.0;  // Eight bits an axis.
constexpr int kDigitBits = 8, kDigits = 3;
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;
// Of what nothing is near to; its square is still a float.
constexpr float kFarAway = 1e15f;

/// Two empty bits before each of eight.
std::uint32_t spread_bits(std::uint32_t x) {
    x = (x | x << 8) & 0x0000f00fu;
    x = (x | x << 4) & 0x000c30c3u;
    return (x | x << 2) & 0x00249249u;
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

PointBlocks::EightPoints eight_at(float place) {
    PointBlocks::EightPoints eight;
    for (PointBlocks::Lanes& lanes : eight) lanes.setConstant(place);
    return eight;
}

}  // namespace

MortonOrder morton_sorted(std::span<const Vec3> points) {
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
    MortonOrder sorted{std::move(order), {}};
    sorted.codes.reserve(codes.size());
    for (const std::int32_t i : sorted.order) sorted.codes.push_back(codes[i]);
    return sorted;
}

std::vector<std::int32_t> morton_order(std::span<const Vec3> points) {
    return morton_sorted(points).order;
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
    blocks_.assign((points.size() + kFan - 1) / kFan, eight_at(kFarAway));
    std::vector<Box> boxes(blocks_.size());
    for (std::size_t i = 0; i < index_.size(); ++i) {
        const Vec3& p = points[index_[i]];
        for (int k = 0; k < 3; ++k) {
            blocks_[i / kFan][k][static_cast<Eigen::Index>(i % kFan)] =
                static_cast<float>(p[k] - origin_[k]);
        }
        boxes[i / kFan].add(p);
    }
    build_levels(std::move(boxes));
}

unsigned PointBlocks::signless(const Lanes& values) {
    unsigned bits = 0;
    for (int i = 0; i < kFan; ++i) bits |= static_cast<unsigned>(!std::signbit(values[i])) << i;
    return bits;
}

void PointBlocks::build_levels(std::vector<Box> boxes) {
    while (true) {
        std::vector<EightBoxes>& level = levels_.emplace_back(
            (boxes.size() + kFan - 1) / kFan, EightBoxes{eight_at(kFarAway), eight_at(0.0f)});
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
