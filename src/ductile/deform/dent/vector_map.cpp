// SPDX-License-Identifier: MIT
// The seed's full dent map, (x, y) -> (dx, dy, dz), from the sources that its section 3.1 names:
// analytic, drawn by an artist, taken from finite elements.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_grid.h>
#include <ductile/deform/dent/height_map.h>
#include <ductile/deform/dent/vector_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace ductile {
namespace {

constexpr std::string_view kGridColumns[] = {"x", "y", "dx", "dy", "dz"};
constexpr std::string_view kRoundColumns[] = {"r", "dr", "dz"};
constexpr std::string_view kTableHint =
    "the first line is x,y,dx,dy,dz, or r,dr,dz for a round one; a line per place follows, in "
    "metres";
// Places of a table that are nearer to each other than this share of its size are one.
constexpr double kSameLine = 1e-6;

bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' || c == '"';
}

std::vector<std::string_view> cells_of(std::string_view line) {
    line = line.substr(0, line.find('#'));
    std::vector<std::string_view> cells;
    std::size_t at = 0;
    while (at < line.size()) {
        while (at < line.size() && is_separator(line[at])) ++at;
        const std::size_t begin = at;
        while (at < line.size() && !is_separator(line[at])) ++at;
        if (at > begin) cells.push_back(line.substr(begin, at - begin));
    }
    return cells;
}

/// A table as it stands in its text: rows of as many numbers as `columns` names, in that order.
struct NamedRows {
    bool is_round = false;
    std::vector<std::array<double, 5>> rows;
};

Error at_line(std::size_t line, std::string what) {
    return {std::move(what), fmt::format("line {}", line), std::string(kTableHint)};
}

// Which column of the text holds each of `names`; empty: it does not have just these.
std::vector<std::size_t> columns_of(std::span<const std::string_view> names,
                                    const std::vector<std::string_view>& head) {
    std::vector<std::size_t> at;
    for (const std::string_view name : names) {
        const auto found = std::find(head.begin(), head.end(), name);
        if (found == head.end()) return {};
        at.push_back(static_cast<std::size_t>(found - head.begin()));
    }
    return head.size() == names.size() ? at : std::vector<std::size_t>();
}

Status read_row(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& columns,
                std::size_t line, NamedRows& table) {
    if (cells.size() != columns.size()) {
        return at_line(line, fmt::format("has {} numbers, not {}", cells.size(), columns.size()));
    }
    std::array<double, 5> row{};
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::string_view cell = cells[columns[k]];
        const char* const end = cell.data() + cell.size();
        const auto read = std::from_chars(cell.data(), end, row[k]);
        if (read.ec != std::errc() || read.ptr != end || !std::isfinite(row[k])) {
            return at_line(line, fmt::format("'{}' is no number", cell));
        }
    }
    table.rows.push_back(row);
    return {};
}

Result<NamedRows> read_rows(std::string_view text) {
    NamedRows table;
    std::vector<std::size_t> columns;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::vector<std::string_view> cells = cells_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (cells.empty()) continue;
        if (!columns.empty()) {
            if (Status read = read_row(cells, columns, line, table); !read) return read.error();
            continue;
        }
        columns = columns_of(kGridColumns, cells);
        table.is_round = columns.empty();
        if (table.is_round) columns = columns_of(kRoundColumns, cells);
        if (columns.empty()) return at_line(line, "names other columns");
    }
    if (table.rows.empty()) return Error{"holds no samples", "", std::string(kTableHint)};
    return table;
}

// The places that occur along one axis, ascending.
std::vector<double> lines_along(const NamedRows& table, std::size_t axis) {
    std::vector<double> all;
    for (const std::array<double, 5>& row : table.rows) all.push_back(row[axis]);
    std::sort(all.begin(), all.end());
    const double apart = kSameLine * (all.back() - all.front());
    std::vector<double> lines;
    for (const double at : all) {
        if (lines.empty() || at - lines.back() > apart) lines.push_back(at);
    }
    return lines;
}

// Which of `lines` a place lies on, and how far on to the next.
struct LinePlace {
    std::size_t index = 0;
    double share = 0.0;
};
LinePlace place_among(const std::vector<double>& lines, double at) {
    const auto next = std::upper_bound(lines.begin() + 1, lines.end() - 1, at);
    const auto k = static_cast<std::size_t>(next - lines.begin()) - 1;
    return {k, std::clamp((at - lines[k]) / (lines[k + 1] - lines[k]), 0.0, 1.0)};
}
std::size_t nearest_among(const std::vector<double>& lines, double at) {
    const LinePlace place = place_among(lines, at);
    return place.index + (place.share > 0.5 ? 1 : 0);
}

/// A grid of vectors whose lines need not be evenly spaced.
class UnevenGrid {
public:
    static Result<UnevenGrid> make(const NamedRows& table) {
        UnevenGrid grid;
        grid.x_ = lines_along(table, 0);
        grid.y_ = lines_along(table, 1);
        if (grid.x_.size() < 2 || grid.y_.size() < 2) {
            return Error{"needs at least two places along x and along y", "",
                         std::string(kTableHint)};
        }
        const std::size_t count = grid.x_.size() * grid.y_.size();
        if (table.rows.size() != count) {
            return Error{fmt::format("{} places are no grid of {} along x and {} along y",
                                     table.rows.size(), grid.x_.size(), grid.y_.size()),
                         "", "sample it at every x for every y"};
        }
        grid.vectors_.resize(count);
        std::vector<char> is_set(count, 0);
        for (const std::array<double, 5>& row : table.rows) {
            const std::size_t at =
                nearest_among(grid.y_, row[1]) * grid.x_.size() + nearest_among(grid.x_, row[0]);
            if (is_set[at]) {
                return Error{fmt::format("the place {}, {} is there twice", row[0], row[1]), "",
                             "sample it once at every x for every y"};
            }
            is_set[at] = 1;
            grid.vectors_[at] = {row[2], row[3], row[4]};
        }
        return grid;
    }

    double width() const { return x_.back() - x_.front(); }
    double height() const { return y_.back() - y_.front(); }
    /// Counted from the middle; 0 outside.
    Vec3 operator()(double x, double y) const {
        x += 0.5 * (x_.front() + x_.back());
        y += 0.5 * (y_.front() + y_.back());
        const double slack = 1e-9 * (width() + height());
        if (x < x_.front() - slack || x > x_.back() + slack || y < y_.front() - slack ||
            y > y_.back() + slack) {
            return Vec3::Zero();
        }
        const LinePlace i = place_among(x_, x), j = place_among(y_, y);
        const auto at = [&](std::size_t k, std::size_t l) { return vectors_[l * x_.size() + k]; };
        return (1 - j.share) *
                   ((1 - i.share) * at(i.index, j.index) + i.share * at(i.index + 1, j.index)) +
               j.share * ((1 - i.share) * at(i.index, j.index + 1) +
                          i.share * at(i.index + 1, j.index + 1));
    }

private:
    std::vector<double> x_, y_;
    std::vector<Vec3> vectors_;
};

// `of` any function of (x, y).
template <class Of>
VectorMap sampled(std::int32_t columns, std::int32_t rows, double cell, const Of& of) {
    VectorMap map{empty_map(columns, rows, cell), {}};
    std::size_t at = 0;
    for (std::int32_t j = 0; j < rows; ++j) {
        for (std::int32_t i = 0; i < columns; ++i, ++at) {
            const Vec3 v = of(map.in.x(i), map.in.y(j));
            const bool is_finite = v.allFinite();
            map.in.depths[at] = is_finite ? v.z() : 0.0;
            map.aside.push_back(is_finite ? Vec2(v.head<2>()) : Vec2(Vec2::Zero()));
        }
    }
    return map;
}

Result<VectorMap> checked_vectors(VectorMap map) {
    if (Status fine = check_vectors(map); !fine) return fine.error();
    return map;
}

Result<VectorMap> round_vectors(const NamedRows& table, std::int32_t side) {
    std::vector<double> radii;
    for (const std::array<double, 5>& row : table.rows) {
        if (!(row[0] > (radii.empty() ? -1.0 : radii.back())) || row[0] < 0.0) {
            return Error{"the radii do not rise from 0 on", "", std::string(kTableHint)};
        }
        radii.push_back(row[0]);
    }
    if (radii.size() < 2) return Error{"needs at least two radii", "", std::string(kTableHint)};
    const double radius = radii.back();
    return checked_vectors(
        sampled(side, side, 2.0 * radius / (side - 3), [&](double x, double y) -> Vec3 {
            const double r = std::hypot(x, y);
            if (r > radius) return Vec3::Zero();
            const LinePlace at = place_among(radii, r);
            const std::array<double, 5>&a = table.rows[at.index], &b = table.rows[at.index + 1];
            const double out = (1 - at.share) * a[1] + at.share * b[1];
            const double in = (1 - at.share) * a[2] + at.share * b[2];
            const double per_r = r > 0.0 ? out / r : 0.0;
            return {per_r * x, per_r * y, in};
        }));
}

}  // namespace

Status check_vectors(const VectorMap& map) {
    const auto refuse = [](std::string what, std::string hint = "") {
        return Error{std::move(what), "", std::move(hint)};
    };
    DentMap sides = map.in;
    sides.depths.assign(sides.depths.size(), 0.0);
    if (Status fine = check_map(sides); !fine) return refuse(fine.error().what);
    if (map.aside.size() != map.in.depths.size()) {
        return refuse("it does not have one vector per sample");
    }
    double furthest = 0.0;
    for (std::size_t i = 0; i < map.aside.size(); ++i) {
        if (!std::isfinite(map.in.depths[i]) || !map.aside[i].allFinite()) {
            return refuse("a number is not finite");
        }
        furthest = std::max(furthest, map.aside[i].cwiseAbs().maxCoeff());
    }
    const double deepest = map.in.deepest();
    if (!(deepest > 0.0)) return refuse("nothing of it goes in", "dz is positive into the body");
    if (!(furthest <= kMostSideways * deepest)) {
        return refuse(fmt::format("it goes aside by more than {} times the deepest", kMostSideways),
                      "all of it is in one unit");
    }
    return {};
}

Result<VectorMap> vector_table(std::string_view text, std::int32_t side) {
    DUCTILE_ASSERT(side >= 5 && side <= kDentMapSide, "a side in range");
    const Result<NamedRows> table = read_rows(text);
    if (!table) return table.error();
    if (table.value().is_round) return round_vectors(table.value(), side);
    const Result<UnevenGrid> made = UnevenGrid::make(table.value());
    if (!made) return made.error();
    const UnevenGrid& grid = made.value();
    // A cell of zeros around it, as round ones have.
    const double cell = std::max(grid.width(), grid.height()) / (side - 3);
    const auto samples = [&](double length) {
        return static_cast<std::int32_t>(std::ceil(length / cell - 1e-6)) + 3;
    };
    return checked_vectors(sampled(samples(grid.width()), samples(grid.height()), cell, grid));
}

Result<VectorMap> vector_picture(std::int32_t columns, std::int32_t rows,
                                 std::span<const Vec3> vectors, double width, std::int32_t side) {
    Result<std::vector<DentMap>> parts = picture_parts(columns, rows, vectors, width, side);
    if (!parts) return parts.error();
    VectorMap map{std::move(parts.value()[2]), {}};
    for (std::size_t i = 0; i < map.in.depths.size(); ++i) {
        map.aside.emplace_back(parts.value()[0].depths[i], parts.value()[1].depths[i]);
    }
    return checked_vectors(std::move(map));
}

Result<VectorMap> vector_formulas(const VectorFormulas& formulas, std::int32_t side,
                                  double radius) {
    DUCTILE_ASSERT(formulas.in && side >= 5 && side <= kDentMapSide && radius > 0.0,
                   "a formula, a side in range, a reach");
    return checked_vectors(
        sampled(side, side, 2.0 * radius / (side - 3), [&](double x, double y) -> Vec3 {
            const double values[] = {x / radius, y / radius, std::hypot(x, y) / radius};
            if (!(values[2] < 1.0)) return Vec3::Zero();
            const auto value = [&](const Expression* formula) {
                return formula ? (*formula)(values) : 0.0;
            };
            return {value(formulas.x), value(formulas.y), value(formulas.in)};
        }));
}

}  // namespace ductile
