// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/height_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ductile {
namespace {

/// Heights on a grid of squares, row by row from the top.
struct HeightGrid {
    std::int32_t columns = 0, rows = 0;
    std::vector<double> heights;
};

template <class Number, class IsFine>
Status check_pixels(std::int32_t columns, std::int32_t rows, std::span<const Number> pixels,
                    const char* name, const IsFine& is_fine, const char* problem) {
    if (columns < 1 || rows < 1 || columns > kDentMapSide || rows > kDentMapSide) {
        return Error{fmt::format("is a picture of {} x {} pixels", columns, rows), "",
                     fmt::format("a side has 1 to {} pixels", kDentMapSide)};
    }
    const std::size_t count = std::size_t(columns) * std::size_t(rows);
    if (pixels.size() != count) {
        return Error{
            fmt::format("has {} {} for {} x {} pixels", pixels.size(), name, columns, rows), "",
            ""};
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (is_fine(pixels[i])) continue;
        return Error{
            problem,
            fmt::format("column {}, row {}", i % std::size_t(columns), i / std::size_t(columns)),
            "columns and rows count from 0 at the upper left"};
    }
    return {};
}

/// Averages of `count` values over `cells` intervals, each `length` values long, that lie
/// around the same middle; what lies outside counts as 0. Values and results are `stride` apart.
void average(const double* in, std::int32_t count, std::ptrdiff_t stride, double length,
             double* out, std::int32_t cells, std::ptrdiff_t out_stride) {
    const double begin = 0.5 * (count - cells * length);
    for (std::int32_t k = 0; k < cells; ++k) {
        const double from = std::max(0.0, begin + k * length);
        const double to = std::min(double(count), begin + (k + 1) * length);
        double sum = 0.0;
        for (auto i = static_cast<std::int32_t>(from); i < to; ++i) {
            sum += (std::min(to, i + 1.0) - std::max(from, double(i))) * in[i * stride];
        }
        out[k * out_stride] = sum / length;
    }
}

/// The picture in squares of `length` pixels, as many as cover it.
HeightGrid averaged(std::int32_t columns, std::int32_t rows, std::span<const double> heights,
                    std::int32_t side) {
    const std::int32_t longer = std::max(columns, rows);
    const double length = double(longer) / side;
    const auto cells = [&](std::int32_t pixels) { return (pixels * side + longer - 1) / longer; };
    HeightGrid out{cells(columns), cells(rows), {}};
    std::vector<double> narrow(std::size_t(out.columns) * std::size_t(rows));
    for (std::ptrdiff_t j = 0; j < rows; ++j) {
        average(heights.data() + j * columns, columns, 1, length, narrow.data() + j * out.columns,
                out.columns, 1);
    }
    out.heights.resize(std::size_t(out.columns) * std::size_t(out.rows));
    for (std::ptrdiff_t i = 0; i < out.columns; ++i) {
        average(narrow.data() + i, rows, out.columns, length, out.heights.data() + i, out.rows,
                out.columns);
    }
    return out;
}

// The picture as a map with a frame of zeros, its top row the last but one.
DentMap framed_map(std::int32_t columns, std::int32_t rows, std::span<const double> heights,
                   double width, std::int32_t side) {
    const std::int32_t longer = std::max(columns, rows);
    const bool is_large = longer > side;
    const HeightGrid grid = is_large ? averaged(columns, rows, heights, side)
                                     : HeightGrid{columns, rows, {heights.begin(), heights.end()}};
    const double pixels_per_cell = is_large ? double(longer) / side : 1.0;
    DentMap map = empty_map(grid.columns + 2, grid.rows + 2, width * pixels_per_cell / columns);
    for (std::int32_t j = 0; j < grid.rows; ++j) {
        const double* row = grid.heights.data() + std::ptrdiff_t(j) * grid.columns;
        double* out = map.depths.data() + std::ptrdiff_t(grid.rows - j) * map.columns + 1;
        std::copy(row, row + grid.columns, out);
    }
    return map;
}

}  // namespace

Result<DentMap> heights_map(std::int32_t columns, std::int32_t rows,
                            std::span<const double> heights, double width, double depth,
                            std::int32_t side) {
    DUCTILE_ASSERT(width > 0.0 && std::isfinite(width), "a width");
    DUCTILE_ASSERT(depth >= 0.0 && std::isfinite(depth), "a depth");
    DUCTILE_ASSERT(side >= 1 && side <= kDentMapSide - 2, "a side in range");
    const auto is_fine = [](double height) { return height >= 0.0 && std::isfinite(height); };
    if (Status sound = check_pixels(columns, rows, heights, "heights", is_fine,
                                    "a height is negative or not finite");
        !sound) {
        return sound.error();
    }
    DentMap map = framed_map(columns, rows, heights, width, side);
    const double highest = map.deepest();
    if (!(highest > 0.0)) {
        return Error{"the picture is black everywhere", "", "what is bright is pressed in"};
    }
    for (double& z : map.depths) z = z / highest * depth;
    return map;
}

Result<std::vector<DentMap>> picture_parts(std::int32_t columns, std::int32_t rows,
                                           std::span<const Vec3> vectors, double width,
                                           std::int32_t side) {
    DUCTILE_ASSERT(width > 0.0 && std::isfinite(width), "a width");
    DUCTILE_ASSERT(side >= 1 && side <= kDentMapSide - 2, "a side in range");
    const auto is_fine = [](const Vec3& v) { return v.allFinite(); };
    if (Status sound =
            check_pixels(columns, rows, vectors, "vectors", is_fine, "a number is not finite");
        !sound) {
        return sound.error();
    }
    std::vector<DentMap> parts;
    std::vector<double> values(vectors.size());
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = vectors[i][axis];
        parts.push_back(framed_map(columns, rows, values, width, side));
    }
    return parts;
}

Result<DentMap> formula_map(const Expression& formula, std::int32_t side, double radius,
                            double depth) {
    DUCTILE_ASSERT(side >= 5 && side <= kDentMapSide, "a side in range");
    DUCTILE_ASSERT(radius > 0.0 && depth > 0.0, "a reach and a depth");
    DentMap map = map_of(side, side, 2.0 * radius / (side - 3), [&](double x, double y) {
        const double values[] = {x / radius, y / radius, std::hypot(x, y) / radius};
        return values[2] < 1.0 ? depth * formula(values) : 0.0;
    });
    if (!(map.deepest() > 0.0)) {
        return Error{"the formula is nowhere above 0 for r < 1", "", "such as 1 - r^2"};
    }
    return map;
}

}  // namespace ductile
