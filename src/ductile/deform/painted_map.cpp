// SPDX-License-Identifier: MIT
#include <ductile/core/expression.h>
#include <ductile/deform/painted_map.h>
#include <ductile/geom/point_attribute.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// A map times its option stays in a range in which the zone's search makes sense.
constexpr double kLeastStiffness = 0.01, kMostStiffness = 100.0, kMostBulge = 20.0;

Status check_numbers(std::span<const double> map, std::size_t point_count, const char* name,
                     double least, double most) {
    if (map.size() != point_count) {
        return Error{fmt::format("{} entries for {} points", map.size(), point_count), name,
                     "a map has one entry per vertex of the soft body"};
    }
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (map[i] >= least && map[i] <= most) continue;  // false for NaN, too
        return Error{fmt::format("entry {} is {}, not in [{}, {}]", i, map[i], least, most), name,
                     ""};
    }
    return {};
}

Status check_source(const std::optional<PaintedMap>& map, const std::string& name) {
    if (!map) return {};
    const int given =
        !map->formula.empty() + !map->file.empty() + map->colour.has_value() + !map->values.empty();
    if (given != 1) {
        return Error{"a map has one of formula, file and colour", name,
                     given == 0 ? "give one of them" : "leave the others out"};
    }
    if (map->formula.empty()) return {};
    const Result<Expression> read = parse_expression(map->formula, kMapVariables);
    if (read) return {};
    const Error& error = read.error();
    return Error{error.where + ": " + error.what, name + "/formula", error.hint};
}

Result<std::vector<double>> map_numbers(const PaintedMap& map, const SurfaceAsset& asset,
                                        const ReadMapFile& read_file) {
    if (!map.formula.empty()) return map_from_formula(map.formula, asset.surface.points);
    if (map.colour) return map_from_colours(asset, *map.colour, map.black, map.white);
    if (map.file.empty()) return map.values;
    const Result<std::string> text = read_file(map.file);
    if (!text) return text.error();
    return map_from_text(text.value(), asset);
}

Status read_map(const SurfaceAsset& asset, const ReadMapFile& read_file, const char* name,
                std::optional<PaintedMap>& map) {
    if (!map) return {};
    Result<std::vector<double>> numbers = map_numbers(*map, asset, read_file);
    if (!numbers) {
        const Error& error = numbers.error();
        const std::string at = error.where.empty() ? "" : error.where + ": ";
        return Error{at + error.what, name, error.hint};
    }
    map = PaintedMap{.values = std::move(numbers).value()};
    return {};
}

bool is_between(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';';
}

double channel_of(const Vec4& colour, PaintChannel channel) {
    if (channel == PaintChannel::Mean) return (colour[0] + colour[1] + colour[2]) / 3.0;
    return colour[static_cast<int>(channel)];
}

}  // namespace

Status check(const PaintedMaps& maps) {
    Status fine = check_source(maps.stiffness, "stiffness");
    if (fine) fine = check_source(maps.bulge, "bulge");
    return fine ? check_source(maps.region, "region") : fine;
}

Status check_values(const PaintedMaps& maps, std::size_t point_count) {
    if (maps.stiffness) {
        const Status fine = check_numbers(maps.stiffness->values, point_count, "stiffness",
                                          kLeastStiffness, kMostStiffness);
        if (!fine) return fine;
    }
    if (maps.region) {
        const Status fine = check_numbers(maps.region->values, point_count, "region", 0.0, 1.0);
        if (!fine) return fine;
    }
    if (!maps.bulge) return {};
    return check_numbers(maps.bulge->values, point_count, "bulge", 0.0, kMostBulge);
}

Status read_maps(const SurfaceAsset& asset, const ReadMapFile& read_file, PaintedMaps& maps) {
    if (const Status fine = check(maps); !fine) return fine;
    Status done = read_map(asset, read_file, "stiffness", maps.stiffness);
    if (done) done = read_map(asset, read_file, "bulge", maps.bulge);
    if (done) done = read_map(asset, read_file, "region", maps.region);
    return done ? check_values(maps, asset.surface.points.size()) : done;
}

namespace {

Result<std::vector<double>> numbers_of(std::string_view text) {
    std::vector<double> map;
    const char *at = text.data(), *end = text.data() + text.size();
    int line = 1;
    while (at != end) {
        if (*at == '#') {
            while (at != end && *at != '\n') ++at;
        } else if (is_between(*at)) {
            line += *at++ == '\n';
        } else {
            double value = 0.0;
            const auto [after, error] = std::from_chars(at, end, value);
            const bool is_whole = after == end || is_between(*after) || *after == '#';
            if (error != std::errc() || !is_whole || !std::isfinite(value)) {
                return Error{"this is not a number", fmt::format("line {}", line),
                             "write numbers with spaces or commas between them"};
            }
            map.push_back(value);
            at = after;
        }
    }
    return map;
}

Error wrong_count(std::size_t numbers, std::size_t points) {
    return {fmt::format("{} numbers for {} points", numbers, points), "",
            "a map has one entry per vertex of the soft body"};
}

}  // namespace

Result<std::vector<double>> map_from_text(std::string_view text, std::size_t point_count) {
    Result<std::vector<double>> map = numbers_of(text);
    if (map && map.value().size() != point_count)
        return wrong_count(map.value().size(), point_count);
    return map;
}

Result<std::vector<double>> map_from_text(std::string_view text, const SurfaceAsset& asset) {
    Result<std::vector<double>> read = numbers_of(text);
    if (!read) return read;
    const std::vector<double>& given = read.value();
    const FileVertices& file = asset.render.file_vertices;
    const std::size_t drawn = asset.render.points.size();
    const bool is_of_file = !file.empty() && given.size() == file.points.size();
    if (!is_of_file && given.size() != drawn) {
        if (given.size() == asset.surface.points.size()) return read;
        return wrong_count(given.size(), file.empty() ? drawn : file.points.size());
    }
    // That of the vertex that lies on the point.
    std::vector<double> map(asset.surface.points.size(), 1.0);
    for (std::size_t v = 0; v < asset.anchors.size(); ++v) {
        const SurfaceAnchor& anchor = asset.anchors[v];
        const std::size_t vertex = is_of_file ? static_cast<std::size_t>(file.of_drawn[v]) : v;
        for (int k = 0; k < 3; ++k) {
            if (anchor.weights[k] > 0.5) map[anchor.points[k]] = given[vertex];
        }
    }
    return map;
}

Result<std::vector<double>> map_from_formula(std::string_view formula,
                                             std::span<const Vec3> points) {
    const Result<Expression> read = parse_expression(formula, kMapVariables);
    if (!read) return read.error();
    std::vector<double> map;
    map.reserve(points.size());
    for (const Vec3& p : points) {
        const std::array<double, 3> place = {p.x(), p.y(), p.z()};
        map.push_back(read.value()(place));
        if (!std::isfinite(map.back())) {
            return Error{fmt::format("the formula has no value at {:.6g}, {:.6g}, {:.6g}", p.x(),
                                     p.y(), p.z()),
                         "", ""};
        }
    }
    return map;
}

Result<std::vector<double>> map_from_colours(const SurfaceAsset& asset, PaintChannel channel,
                                             double black, double white) {
    const RenderMesh& render = asset.render;
    if (render.colours.empty() || render.colours.size() != asset.anchors.size()) {
        return Error{"the mesh has no vertex colours to take a map from", "", ""};
    }
    std::vector<double> painted;
    for (const Vec4& colour : render.colours) painted.push_back(channel_of(colour, channel));
    std::vector<double> map = carry_to_surface(asset, painted);
    for (double& m : map) m = std::isnan(m) ? white : black + (white - black) * m;
    return map;
}

}  // namespace ductile
