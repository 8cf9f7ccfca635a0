// SPDX-License-Identifier: MIT
#include <ductile/core/field_ranges.h>
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/height_map.h>
#include <ductile/deform/dent/vector_map.h>

#include <algorithm>

namespace ductile {
namespace {

// Samples along the side of a table's or a formula's map.
constexpr std::int32_t kSide = 105;

DentStamp stamp_of(DentGrid grid, double cell) {
    DentStamp stamp;
    stamp.radius = grid_radius(grid, cell);
    stamp.map = std::move(grid);
    return stamp;
}
DentStamp stamp_of(const DentMap& map) { return stamp_of(grid_of(map), map.cell); }

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
template <class Sample>
void turn_rows(std::vector<Sample>& samples, std::int32_t columns) {
    const auto rows = static_cast<std::ptrdiff_t>(samples.size()) / columns;
    for (std::ptrdiff_t j = 0; j < rows / 2; ++j) {
        const auto row = samples.begin() + j * columns;
        std::swap_ranges(row, row + columns, samples.begin() + (rows - 1 - j) * columns);
    }
}

// Left and right change places.
template <class Sample>
void mirror(std::vector<Sample>& samples, std::int32_t columns) {
    for (auto row = samples.begin(); row != samples.end(); row += columns) {
        std::reverse(row, row + columns);
    }
}

void turn_rows(VectorMap& map) {
    turn_rows(map.in.depths, map.in.columns);
    turn_rows(map.aside, map.in.columns);
    for (Vec2& aside : map.aside) aside.y() = -aside.y();
}

void mirror(VectorMap& map) {
    mirror(map.in.depths, map.in.columns);
    mirror(map.aside, map.in.columns);
    for (Vec2& aside : map.aside) aside.x() = -aside.x();
}

Result<DentStamp> picture_stamp(const std::string& name, bool flip, const LayerFiles& files) {
    if (name.empty()) {
        return Error{"names no picture", "/picture", "a PNG or PFM file, white where it is deep"};
    }
    if (!files.relief) return Error{"pictures cannot be read here", "/picture", ""};
    Result<DentMap> map = files.relief(name);
    if (!map) return at("/picture", map.error());
    turn_rows(map.value().depths, map.value().columns);
    if (flip) mirror(map.value().depths, map.value().columns);
    DentStamp stamp = stamp_of(map.value());
    stamp.radius = 0.0;  // a picture has no size of its own
    return stamp;
}

// A formula of a dent's variables; none for no text.
Result<std::optional<Expression>> dent_formula(const std::string& text, const char* field) {
    if (text.empty()) return std::optional<Expression>();
    Result<Expression> formula = parse_expression(text, kDentVariables);
    if (!formula) return at(field, formula.error());
    return std::optional<Expression>(std::move(formula).value());
}

Result<DentStamp> vector_formula_stamp(const DentShapeOptions& shape, const Expression& in) {
    const Result<std::optional<Expression>> x = dent_formula(shape.formula_x, "/formula_x");
    if (!x) return x.error();
    const Result<std::optional<Expression>> y = dent_formula(shape.formula_y, "/formula_y");
    if (!y) return y.error();
    VectorFormulas formulas;
    formulas.in = &in;
    if (x.value()) formulas.x = &*x.value();
    if (y.value()) formulas.y = &*y.value();
    const Result<VectorMap> map = vector_formulas(formulas, kSide, 1.0);
    if (!map) return at("/formula", map.error());
    return stamp_of(grid_of(map.value()), map.value().in.cell);
}

Result<DentStamp> height_formula_stamp(const Expression& formula) {
    const Result<DentMap> map = formula_map(formula, kSide, 1.0, 1.0);
    if (!map) return at("/formula", map.error());
    return stamp_of(map.value());
}

Result<DentStamp> formula_stamp(const DentShapeOptions& shape) {
    const Result<Expression> formula = parse_expression(shape.formula, kDentVariables);
    if (!formula) return at("/formula", formula.error());
    const bool has_vectors = !shape.formula_x.empty() || !shape.formula_y.empty();
    Result<DentStamp> stamp = has_vectors ? vector_formula_stamp(shape, formula.value())
                                          : height_formula_stamp(formula.value());
    if (stamp) stamp.value().radius = 0.0;  // in units of the hit's
    return stamp;
}

Result<DentStamp> vectors_stamp(const std::string& name, bool flip, const LayerFiles& files) {
    if (name.empty()) {
        return Error{"names no file", "/vectors", "a table of x,y,dx,dy,dz or r,dr,dz, or a PFM"};
    }
    if (!files.vectors) return Error{"vector maps cannot be read here", "/vectors", ""};
    Result<VectorFile> file = files.vectors(name);
    if (!file) return at("/vectors", file.error());
    VectorMap& map = file.value().map;
    if (file.value().is_picture) {
        turn_rows(map);
        if (flip) mirror(map);
    }
    DentStamp stamp = stamp_of(grid_of(map), map.in.cell);
    if (file.value().is_picture) stamp.radius = 0.0;
    return stamp;
}

// What only another source reads would be left out silently.
Status check_unread(const DentShapeOptions& shape) {
    const bool has_formulas = !shape.formula_x.empty() || !shape.formula_y.empty();
    if (has_formulas && shape.source != DentSource::Formula) {
        return Error{"is for the source `formula`",
                     shape.formula_x.empty() ? "/formula_y" : "/formula_x", "set source"};
    }
    if (!shape.vectors.empty() && shape.source != DentSource::Vectors) {
        return Error{"is for the source `vectors`", "/vectors", "set source"};
    }
    return {};
}

}  // namespace

Result<DentStamp> make_stamp(const DentShapeOptions& shape, const LayerFiles& files) {
    if (Status fine = check_unread(shape); !fine) return fine.error();
    switch (shape.source) {
        case DentSource::Table:
            return table_stamp(shape.table);
        case DentSource::Picture:
            return picture_stamp(shape.picture, shape.flip, files);
        case DentSource::Formula:
            return formula_stamp(shape);
        case DentSource::Vectors:
            return vectors_stamp(shape.vectors, shape.flip, files);
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

Status check_dent_size(const DentOptions& options, const DentStamp& stamp) {
    const double radius = options.radius > 0 ? options.radius : stamp.radius;
    if (!(radius > 0)) return {};
    const Status fine = check_range(length_field("radius", "how far a dent reaches"), radius);
    if (fine) return {};
    return Error{fine.error().what, options.radius > 0 ? "/radius" : "/shape/table",
                 fine.error().hint};
}

}  // namespace ductile
