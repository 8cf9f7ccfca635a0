// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_grid.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/deform/dent/vector_map.h>

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
std::uint16_t predicted(std::span<const std::uint16_t> levels, std::size_t columns, std::size_t i,
                        std::size_t j) {
    const std::size_t at = j * columns + i;
    const std::uint32_t left = i > 0 ? levels[at - 1] : 0U;
    const std::uint32_t above = j > 0 ? levels[at - columns] : 0U;
    const std::uint32_t corner = i > 0 && j > 0 ? levels[at - columns - 1] : 0U;
    return static_cast<std::uint16_t>(left + above - corner);
}

// How many frames around a grid hold nothing that moves.
template <class Moves>
std::int32_t still_frames(std::int32_t columns, std::int32_t rows, const Moves& moves) {
    const auto is_still = [&](std::int32_t frame) {
        for (std::int32_t i = frame; i < columns - frame; ++i) {
            if (moves(i, frame) || moves(i, rows - 1 - frame)) return false;
        }
        for (std::int32_t j = frame; j < rows - frame; ++j) {
            if (moves(frame, j) || moves(columns - 1 - frame, j)) return false;
        }
        return true;
    };
    std::int32_t frame = 0;
    while (2 * (frame + 1) < std::min(columns, rows) && is_still(frame)) ++frame;
    return frame;
}

// The levels of a map without so many frames.
DentGrid grid_within(const DentMap& map, std::int32_t frame) {
    const double deepest = map.deepest();
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

// Of a depth, what counts as none.
double least_depth(const DentMap& map) { return kRoundedUp / DentGrid::kFull * map.deepest(); }

void add_levels(std::span<const std::uint16_t> levels, std::size_t columns, std::string& text) {
    for (std::size_t at = 0; at < levels.size(); ++at) {
        const std::uint16_t known = predicted(levels, columns, at % columns, at / columns);
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
}

// What stands before the samples of a grid's text.
struct GridHead {
    std::int32_t sides[2] = {0, 0};
    std::uint16_t zero = 0;
    double furthest = 0.0;  // 0: nothing goes sideways
};

Error refuse_grid(std::string what) {
    return {std::move(what), "", "write it as `ductile` did: 61x57:..."};
}

// A number, and the character after it, which must be one of `after`; then `at` is behind that.
template <class Number>
bool read_before(const char*& at, const char* end, std::string_view after, Number& number) {
    const auto [stop, problem] = std::from_chars(at, end, number);
    if (problem != std::errc() || stop == end || after.find(*stop) == after.npos) return false;
    at = stop + 1;
    return true;
}

Status read_head(const char*& at, const char* end, GridHead& head) {
    for (int k = 0; k < 2; ++k) {
        std::int32_t& side = head.sides[k];
        if (!read_before(at, end, k == 0 ? "x" : ":@~", side) || side < 1 || side > kDentMapSide) {
            return refuse_grid(fmt::format(
                "a dent map begins with its sides, at most {0} each: 61x57:", kDentMapSide));
        }
    }
    if (at[-1] == '@' && (!read_before(at, end, ":~", head.zero) || head.zero >= DentGrid::kFull)) {
        return refuse_grid("the level of what does not move, after the @, is below 65535");
    }
    if (at[-1] == '~' && (!read_before(at, end, ":", head.furthest) || !(head.furthest > 0.0) ||
                          !(head.furthest <= kMostSideways))) {
        return refuse_grid(
            "how far a dent map goes sideways, after the ~, is above 0 and at most 100");
    }
    return {};
}

// Fills `levels`; `begin` is the text's first character, for messages.
Status read_levels(const char* begin, const char*& at, const char* end, std::size_t columns,
                   std::vector<std::uint16_t>& levels) {
    for (std::size_t k = 0; k < levels.size(); ++k) {
        std::uint32_t value = 0;
        for (std::uint32_t place = 1;; place *= kMore) {
            if (at == end) return refuse_grid("a dent map ends too early");
            const std::uint32_t digit = digit_of(*at);
            if (digit >= 2 * kMore || place > kMore * kMore * kMore) {
                return refuse_grid(fmt::format("character {} of a dent map is none of its digits",
                                               at - begin + 1));
            }
            ++at;
            value += (digit % kMore) * place;
            if (digit < kMore) break;
        }
        const std::uint32_t half = value / 2;
        const std::uint32_t off = value % 2 == 0 ? half : ~half;
        levels[k] =
            static_cast<std::uint16_t>(predicted(levels, columns, k % columns, k / columns) + off);
    }
    return {};
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

DentGrid DentGrid::with_sideways(SidewaysLevels sideways) const {
    DUCTILE_ASSERT(levels_ && sideways.levels.size() == 2 * levels_->size(),
                   "two levels per sample");
    DUCTILE_ASSERT(sideways.furthest > 0.0 && sideways.furthest <= kMostSideways,
                   "sideways in range");
    DentGrid out = *this;
    out.sideways_ = std::make_shared<const SidewaysLevels>(std::move(sideways));
    return out;
}

Vec2 DentGrid::aside(double x, double y) const {
    if (!sideways_) return Vec2::Zero();
    const double step = sideways_->furthest / SidewaysLevels::kNone;
    const auto along = [&](std::size_t first) {
        return step * between(x, y, [&](std::size_t sample) {
                   return sideways_->levels[first + sample] - double(SidewaysLevels::kNone);
               });
    };
    return {along(0), along(levels_->size())};
}

bool DentGrid::operator==(const DentGrid& other) const {
    const auto is_same = [](const auto& a, const auto& b) {
        return a == b || (a && b && *a == *b);
    };
    return columns_ == other.columns_ && rows_ == other.rows_ && zero_ == other.zero_ &&
           is_same(levels_, other.levels_) && is_same(sideways_, other.sideways_);
}

DentGrid grid_of(const DentMap& map) {
    DUCTILE_ASSERT(map.deepest() > 0.0, "a map with a depth");
    const double least = least_depth(map);
    return grid_within(map,
                       still_frames(map.columns, map.rows, [&](std::int32_t i, std::int32_t j) {
                           return std::abs(map.at(i, j)) > least;
                       }));
}

DentGrid grid_of(const VectorMap& map) {
    const DentMap& in = map.in;
    const double deepest = in.deepest(), least = least_depth(in);
    DUCTILE_ASSERT(deepest > 0.0, "a map with a depth");
    double furthest = 0.0;
    for (const Vec2& aside : map.aside) {
        furthest = std::max(furthest, aside.cwiseAbs().maxCoeff() / deepest);
    }
    const auto sample = [&](std::int32_t i, std::int32_t j) {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(in.columns) +
               static_cast<std::size_t>(i);
    };
    const std::int32_t frame =
        still_frames(in.columns, in.rows, [&](std::int32_t i, std::int32_t j) {
            const std::size_t k = sample(i, j);
            return std::abs(in.depths[k]) > least || map.aside[k].cwiseAbs().maxCoeff() > least;
        });
    const DentGrid straight = grid_within(in, frame);
    if (!(furthest > 0.0)) return straight;
    SidewaysLevels sideways;
    sideways.furthest = furthest;
    for (int axis = 0; axis < 2; ++axis) {
        for (std::int32_t j = frame; j < in.rows - frame; ++j) {
            for (std::int32_t i = frame; i < in.columns - frame; ++i) {
                const double share = map.aside[sample(i, j)][axis] / deepest / furthest;
                sideways.levels.push_back(static_cast<std::uint16_t>(
                    SidewaysLevels::kNone + std::lround(SidewaysLevels::kNone * share)));
            }
        }
    }
    return straight.with_sideways(std::move(sideways));
}

double grid_radius(const DentGrid& grid, double cell) {
    return 0.5 * cell * (std::max(grid.columns(), grid.rows()) + 1);
}

std::string to_text(const DentGrid& grid) {
    const SidewaysLevels* sideways = grid.sideways();
    std::string text = fmt::format("{}x{}", grid.columns(), grid.rows());
    if (grid.zero() > 0) text += fmt::format("@{}", grid.zero());
    if (sideways) text += fmt::format("~{}", sideways->furthest);
    text += ":";
    const auto columns = static_cast<std::size_t>(grid.columns());
    const std::size_t count = grid.levels().size();
    add_levels(grid.levels(), columns, text);
    for (std::size_t axis = 0; sideways && axis < 2; ++axis) {
        add_levels(std::span(sideways->levels).subspan(axis * count, count), columns, text);
    }
    return text;
}

Status from_text(std::string_view text, DentGrid& grid) {
    const char *at = text.data(), *end = text.data() + text.size();
    GridHead head;
    if (Status read = read_head(at, end, head); !read) return read;
    const auto columns = static_cast<std::size_t>(head.sides[0]);
    const std::size_t count = columns * static_cast<std::size_t>(head.sides[1]);
    const bool has_sideways = head.furthest > 0.0;
    // Every sample takes a character: a text that lies about its sides costs no memory.
    if (static_cast<std::size_t>(end - at) < (has_sideways ? 3 : 1) * count) {
        return refuse_grid(
            fmt::format("a dent map of {} x {} ends too early", head.sides[0], head.sides[1]));
    }
    std::vector<std::uint16_t> levels(count);
    if (Status read = read_levels(text.data(), at, end, columns, levels); !read) return read;
    SidewaysLevels sideways{head.furthest, {}};
    for (int axis = 0; has_sideways && axis < 2; ++axis) {
        std::vector<std::uint16_t> one(count);
        if (Status read = read_levels(text.data(), at, end, columns, one); !read) return read;
        for (const std::uint16_t level : one) {
            if (level > 2 * SidewaysLevels::kNone) {
                return refuse_grid("a sample of a dent map goes further sideways than it may");
            }
        }
        sideways.levels.insert(sideways.levels.end(), one.begin(), one.end());
    }
    if (at != end) {
        return refuse_grid(
            fmt::format("character {} of a dent map is one too many", at - text.data() + 1));
    }
    grid = DentGrid(head.sides[0], head.sides[1], std::move(levels), head.zero);
    if (has_sideways) grid = grid.with_sideways(std::move(sideways));
    return {};
}

}  // namespace ductile
