// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_grid.h>
#include <ductile/deform/dent/dent_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ductile {
namespace {

// A number is written from its lowest digit on, in digits of five bits; the sixth says that there
// are more. Characters that need no escape in JSON.
constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
constexpr std::uint32_t kMore = 32;

// Of a level, what rounding in the map itself may be off: it must not decide about a whole one.
constexpr double kRoundedUp = 1e-6;

std::uint32_t digit_of(char c) {
    static const std::array<std::uint8_t, 256> table = [] {
        std::array<std::uint8_t, 256> values{};
        values.fill(255);
        for (std::size_t i = 0; i < kDigits.size(); ++i) {
            values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
        }
        return values;
    }();
    return table[static_cast<unsigned char>(c)];
}

// What the samples before this one foretell, in the same modular numbers as the levels.
std::uint16_t foretold(std::span<const std::uint16_t> levels, std::size_t columns, std::size_t i,
                       std::size_t j) {
    const std::size_t at = j * columns + i;
    const std::uint32_t left = i > 0 ? levels[at - 1] : 0U;
    const std::uint32_t above = j > 0 ? levels[at - columns] : 0U;
    const std::uint32_t corner = i > 0 && j > 0 ? levels[at - columns - 1] : 0U;
    return static_cast<std::uint16_t>(left + above - corner);
}

// Whether nothing moves in the frame so far from the border.
bool is_frame_zero(const DentMap& map, std::int32_t frame, double least) {
    const auto is_deep = [&](std::int32_t i, std::int32_t j) {
        return std::abs(map.at(i, j)) > least;
    };
    for (std::int32_t i = frame; i < map.columns - frame; ++i) {
        if (is_deep(i, frame) || is_deep(i, map.rows - 1 - frame)) return false;
    }
    for (std::int32_t j = frame; j < map.rows - frame; ++j) {
        if (is_deep(frame, j) || is_deep(map.columns - 1 - frame, j)) return false;
    }
    return true;
}

}  // namespace

DentGrid::DentGrid(std::int32_t columns, std::int32_t rows, std::vector<std::uint16_t> levels,
                   std::uint16_t zero)
    : columns_(columns), rows_(rows), zero_(zero) {
    DUCTILE_ASSERT(columns >= 1 && rows >= 1 && columns <= kDentMapSide && rows <= kDentMapSide,
                   "sides in range");
    DUCTILE_ASSERT(
        levels.size() == static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows),
        "a level per sample");
    DUCTILE_ASSERT(zero < kFull, "a deepest level");
    levels_ = std::make_shared<const std::vector<std::uint16_t>>(std::move(levels));
}

bool DentGrid::operator==(const DentGrid& other) const {
    return columns_ == other.columns_ && rows_ == other.rows_ && zero_ == other.zero_ &&
           (levels_ == other.levels_ || (levels_ && other.levels_ && *levels_ == *other.levels_));
}

DentGrid grid_of(const DentMap& map) {
    const double deepest = map.deepest();
    DUCTILE_ASSERT(deepest > 0.0, "a map with a depth");
    std::int32_t frame = 0;
    const double least = kRoundedUp / DentGrid::kFull * deepest;
    while (2 * (frame + 1) < std::min(map.columns, map.rows) && is_frame_zero(map, frame, least)) {
        ++frame;
    }
    const double highest = -std::min(0.0, *std::min_element(map.depths.begin(), map.depths.end()));
    const auto zero =
        static_cast<std::uint16_t>(std::ceil(DentGrid::kFull * (highest / (deepest + highest))));
    std::vector<std::uint16_t> levels;
    for (std::int32_t j = frame; j < map.rows - frame; ++j) {
        for (std::int32_t i = frame; i < map.columns - frame; ++i) {
            // A share first: of the least depths there are, the inverse is infinite.
            const double level = zero + (DentGrid::kFull - zero) * (map.at(i, j) / deepest);
            levels.push_back(static_cast<std::uint16_t>(
                std::clamp<double>(std::ceil(level - kRoundedUp), 0.0, DentGrid::kFull)));
        }
    }
    return DentGrid(map.columns - 2 * frame, map.rows - 2 * frame, std::move(levels), zero);
}

double grid_radius(const DentGrid& grid, double cell) {
    return 0.5 * cell * (std::max(grid.columns(), grid.rows()) + 1);
}

std::string to_text(const DentGrid& grid) {
    std::string text = fmt::format("{}x{}", grid.columns(), grid.rows());
    text += grid.zero() > 0 ? fmt::format("@{}:", grid.zero()) : ":";
    const std::span<const std::uint16_t> levels = grid.levels();
    const auto columns = static_cast<std::size_t>(grid.columns());
    for (std::size_t at = 0; at < levels.size(); ++at) {
        const std::uint16_t known = foretold(levels, columns, at % columns, at / columns);
        const auto off = static_cast<std::int16_t>(levels[at] - known);
        // Small differences either way become small numbers: 0, -1, 1, -2 ...
        std::uint32_t left =
            off < 0 ? 2U * static_cast<std::uint32_t>(-(off + 1)) + 1U : 2U * std::uint32_t(off);
        while (left >= kMore) {
            text += kDigits[kMore + left % kMore];
            left /= kMore;
        }
        text += kDigits[left];
    }
    return text;
}

Status from_text(std::string_view text, DentGrid& grid) {
    const auto refuse = [](std::string what) {
        return Error{std::move(what), "", "write it as `ductile` did: 61x57:..."};
    };
    std::int32_t sides[2] = {0, 0};
    const char *at = text.data(), *end = text.data() + text.size();
    for (int k = 0; k < 2; ++k) {
        const auto [stop, problem] = std::from_chars(at, end, sides[k]);
        const bool is_followed = stop != end && (*stop == "x:"[k] || (k == 1 && *stop == '@'));
        if (problem != std::errc() || !is_followed || sides[k] < 1 || sides[k] > kDentMapSide) {
            return refuse(fmt::format("a dent map begins with its sides, at most {0} each: 61x57:",
                                      kDentMapSide));
        }
        at = stop + 1;
    }
    std::uint16_t zero = 0;
    if (at[-1] == '@') {
        const auto [stop, problem] = std::from_chars(at, end, zero);
        if (problem != std::errc() || stop == end || *stop != ':' || zero >= DentGrid::kFull) {
            return refuse("the level of what does not move, after the @, is below 65535");
        }
        at = stop + 1;
    }
    const auto columns = static_cast<std::size_t>(sides[0]);
    const std::size_t count = columns * static_cast<std::size_t>(sides[1]);
    // Every sample takes a character: a text that lies about its sides costs no memory.
    if (static_cast<std::size_t>(end - at) < count) {
        return refuse(fmt::format("a dent map of {} x {} ends too early", sides[0], sides[1]));
    }
    std::vector<std::uint16_t> levels(count);
    for (std::size_t k = 0; k < count; ++k) {
        std::uint32_t value = 0;
        for (std::uint32_t place = 1;; place *= kMore) {
            if (at == end) {
                return refuse(
                    fmt::format("a dent map of {} x {} ends too early", sides[0], sides[1]));
            }
            const std::uint32_t digit = digit_of(*at);
            if (digit >= 2 * kMore || place > kMore * kMore * kMore) {
                return refuse(fmt::format("character {} of a dent map is none of its digits",
                                          at - text.data() + 1));
            }
            ++at;
            value += (digit % kMore) * place;
            if (digit < kMore) break;
        }
        const std::uint32_t half = value / 2;
        const std::uint32_t off = value % 2 == 0 ? half : ~half;
        levels[k] =
            static_cast<std::uint16_t>(foretold(levels, columns, k % columns, k / columns) + off);
    }
    if (at != end) {
        return refuse(
            fmt::format("character {} of a dent map is one too many", at - text.data() + 1));
    }
    grid = DentGrid(sides[0], sides[1], std::move(levels), zero);
    return {};
}

}  // namespace ductile
