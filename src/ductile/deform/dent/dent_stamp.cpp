// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/height_map.h>

#include <algorithm>

namespace ductile {
namespace {

// Samples along the side of a table's or a formula's map.
constexpr std::int32_t kSide = 105;

DentStamp stamp_of(const DentMap& map) {
    DentStamp stamp;
    stamp.map = grid_of(map);
    stamp.radius = grid_radius(*stamp.map, map.cell);
    return stamp;
}

Error at(const char* field, const Error& error) {
    return {error.where.empty() ? error.what : error.where + ": " + error.what, field, error.hint};
}

Result<DentStamp> table_stamp(const std::vector<DentTableRow>& table) {
    std::vector<std::pair<double, double>> rows;
    for (const DentTableRow& row : table) rows.emplace_back(row.distance, row.depth);
    const Result<DentMap> map = table_map(kSide, rows);
    if (!map) return at("/table", map.error());
    if (!(map.value().deepest() > 0.0)) return Error{"no depth is above 0", "/table", ""};
    return stamp_of(map.value());
}

// A dent's z goes into the body: with x to the right, y points down to whoever looks at it. The
// map has the picture's top at +y, so its rows change places for text to read as text.
void turn_rows(DentMap& map) {
    const auto rows = static_cast<std::ptrdiff_t>(map.depths.size()) / map.columns;
    for (std::ptrdiff_t j = 0; j < rows / 2; ++j) {
        const auto row = map.depths.begin() + j * map.columns;
        std::swap_ranges(row, row + map.columns, map.depths.begin() + (rows - 1 - j) * map.columns);
    }
}

Result<DentStamp> picture_stamp(const std::string& name, bool flip, const LayerFiles& files) {
    if (name.empty()) {
        return Error{"names no picture", "/picture", "a PNG or PFM file, white where it is deep"};
    }
    if (!files.relief) return Error{"pictures cannot be read here", "/picture", ""};
    Result<DentMap> map = files.relief(name);
    if (!map) return at("/picture", map.error());
    if (!flip) turn_rows(map.value());
    DentStamp stamp = stamp_of(map.value());
    stamp.radius = 0.0;  // a picture has no size of its own
    return stamp;
}

Result<DentStamp> formula_stamp(const std::string& text) {
    const Result<Expression> formula = parse_expression(text, kDentVariables);
    if (!formula) return at("/formula", formula.error());
    const Result<DentMap> map = formula_map(formula.value(), kSide, 1.0, 1.0);
    if (!map) return at("/formula", map.error());
    DentStamp stamp = stamp_of(map.value());
    stamp.radius = 0.0;
    return stamp;
}

}  // namespace

Result<DentStamp> make_stamp(const DentShapeOptions& shape, const LayerFiles& files) {
    switch (shape.source) {
        case DentSource::Table:
            return table_stamp(shape.table);
        case DentSource::Picture:
            return picture_stamp(shape.picture, shape.flip, files);
        case DentSource::Formula:
            return formula_stamp(shape.formula);
        case DentSource::Cosine:
            return DentStamp{DentProfile::Cosine, std::nullopt, 0.0};
        case DentSource::Cap:
            return DentStamp{DentProfile::Cap, std::nullopt, 0.0};
        case DentSource::Projectile:
        case DentSource::Gaussian:
            break;
    }
    return DentStamp{};
}

}  // namespace ductile
