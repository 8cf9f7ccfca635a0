// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/dent/height_map.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/io/heights/read_heights.h>

#include "bind.h"
#include "busy.h"
#include "call_errors.h"
#include "convert.h"
#include "dent_args.h"
#include "mesh.h"
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ductile::python {
namespace {

constexpr double kLeast = 1e-9, kMost = 1e6;  // of lengths [m]
constexpr std::int64_t kMostRounds = 100000;

/// Never changed, so its arrays may be seen without a copy.
struct Map {
    std::shared_ptr<const DentMap> map;
};

Map owned(DentMap map) { return {std::make_shared<const DentMap>(std::move(map))}; }

/// A two-dimensional array of numbers, its sides in the range of maps.
std::vector<double> grid_of_numbers(py::handle value, const char* name, std::int32_t& columns,
                                    std::int32_t& rows) {
    const auto array =
        py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
    if (!array) {
        PyErr_Clear();
        throw py::type_error(
            fmt::format("{}: {}, not an array of numbers", name, describe_array(value)));
    }
    if (array.ndim() != 2 || array.shape(0) < 1 || array.shape(1) < 1 ||
        array.shape(0) > kDentMapSide || array.shape(1) > kDentMapSide) {
        throw py::value_error(
            fmt::format("{}: {}, not an array of shape (rows, columns), each from 1 to {}", name,
                        describe_array(value), kDentMapSide));
    }
    rows = static_cast<std::int32_t>(array.shape(0));
    columns = static_cast<std::int32_t>(array.shape(1));
    return {array.data(), array.data() + array.size()};
}

Map from_array(py::handle depths, double cell) {
    DentMap map;
    map.cell = checked(cell, kLeast, kMost, "cell");
    map.depths = grid_of_numbers(depths, "depths", map.columns, map.rows);
    for (const double depth : map.depths) {
        if (depth > kMost) throw py::value_error("a depth is beyond 1e6 m");
    }
    unwrap(check_map(map));
    return owned(std::move(map));
}

std::int32_t side_of(std::int64_t side) {
    return static_cast<std::int32_t>(checked_count(side, 5, kDentMapSide, "side"));
}

Map round(DentMap (*make)(std::int32_t, double, double), std::int64_t side, double radius,
          double depth) {
    const std::int32_t s = side_of(side);
    checked(radius, kLeast, kMost, "radius");
    checked(depth, 0.0, kMost, "depth");
    return owned(without_gil([&] { return make(s, radius, depth); }));
}

Map cap(std::int64_t side, double ball, double depth) {
    const std::int32_t s = side_of(side);
    checked(ball, kLeast, kMost, "ball");
    checked(depth, 0.0, ball, "depth");
    return owned(without_gil([&] { return cap_map(s, ball, depth); }));
}

Map formula(const std::string& text, std::int64_t side, double radius, double depth) {
    const Expression read = unwrap(parse_expression(text, kDentVariables));
    const std::int32_t s = side_of(side);
    checked(radius, kLeast, kMost, "radius");
    checked(depth, kLeast, kMost, "depth");
    DentMap map = unwrap(without_gil([&] { return formula_map(read, s, radius, depth); }));
    unwrap(check_map(map));  // a formula may leave the range of numbers
    return owned(std::move(map));
}

Map heights(py::handle value, double width, double depth, std::int64_t side) {
    checked(width, kLeast, kMost, "width");
    checked(depth, 0.0, kMost, "depth");
    const auto s = static_cast<std::int32_t>(checked_count(side, 1, kDentMapSide - 2, "side"));
    HeightPicture picture;
    if (py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__")) {
        const std::filesystem::path file = path_of(value);
        picture = unwrap(without_gil([&] { return read_heights(file); }));
    } else {
        picture.heights = grid_of_numbers(value, "heights", picture.columns, picture.rows);
        for (const double h : picture.heights) checked(h, 0.0, 1e30, "a height");
    }
    return owned(unwrap(without_gil([&] {
        return heights_map(picture.columns, picture.rows, picture.heights, width, depth, s);
    })));
}

/// Where the turned surface would first touch a floor.
Vec3 lowest_corner(const TriMesh& surface, const Quat& rotation) {
    Vec3 lowest(0, kInfinity, 0);
    for (const Triangle& t : surface.triangles) {
        for (const std::int32_t v : t) {
            const Vec3 turned = rotation * surface.points[static_cast<std::size_t>(v)];
            if (turned.y() < lowest.y()) lowest = turned;
        }
    }
    return lowest;
}

Map projectile(const Mesh& mesh, const py::kwargs& kwargs) {
    const auto options = options_of<ProjectileOptions>(kwargs);
    const TriMesh& surface = mesh.asset->surface;
    const double own_edge = mean_edge_length(surface.points, surface.triangles);
    if (!(own_edge > 0.0)) throw py::value_error("the projectile has no size");
    auto made = without_gil([&] {
        const SurfaceQuery query(surface.points, surface.triangles);
        const Vec3 lowest = lowest_corner(surface, options.rotation);
        ProjectilePress press;
        press.surface = &query;
        press.to_body = {options.rotation, -lowest};
        press.direction_b = Vec3(0, -1, 0);
        press.from_b = Vec3::UnitX();
        press.slant = options.slant_deg * kPi / 180.0;
        const Vec3 place = Vec3::Zero();
        press.places_b = {&place, 1};
        const double far = 4.0 * (bounds(surface.points).diagonal() + options.distance);
        press.box_b = {Vec3::Constant(-far), Vec3::Constant(far)};
        press.distance = options.distance;
        press.smoothing = options.smoothing;
        press.other_edge = own_edge;
        press.edge = options.edge > 0.0 ? options.edge : own_edge;
        press.grid = options.grid;
        return projectile_map(press);
    });
    if (!made) raise(Error{"the projectile presses nothing in along its way", "", ""});
    return owned(std::move(made->map));
}

Map broadened(const Map& map, double reach) {
    checked(reach, kLeast, kMost, "reach");
    return owned(without_gil([&] {
        DentMap copy = *map.map;
        broaden(copy, sharpness_for(reach));
        return copy;
    }));
}

Map smoothed(const Map& map, std::int64_t rounds, const py::object& floor) {
    const auto count = static_cast<std::int32_t>(checked_count(rounds, 0, kMostRounds, "rounds"));
    std::shared_ptr<const DentMap> below;
    if (!floor.is_none()) {
        below = py::isinstance<Map>(floor) ? floor.cast<Map>().map
                                           : from_array(floor, map.map->cell).map;
        if (below->columns != map.map->columns || below->rows != map.map->rows) {
            throw py::value_error("the floor does not have the map's shape");
        }
    }
    return owned(without_gil([&] {
        DentMap copy = *map.map;
        smooth(copy, count,
               below ? std::span<const double>(below->depths) : std::span<const double>());
        return copy;
    }));
}

/// The fields of a DentHit that presses this map.
py::dict hit(const Map& map, py::handle position, py::handle direction, const py::kwargs& more) {
    if (!(map.map->deepest() > 0.0)) throw py::value_error("the map has no depth");
    const DentGrid grid = grid_of(*map.map);
    py::dict out;
    out["position"] = array_of(vector_of(position, kFurthest, "position"));
    out["direction"] = array_of(direction_of(direction, "direction"));
    out["map"] = to_text(grid);
    out["radius"] = grid_radius(grid, map.map->cell);
    out["depth"] = map.map->deepest();
    for (const auto& [name, value] : more) out[name] = value;
    options_of<DentHit>(out);  // says what is wrong with it here and not later
    return out;
}

py::array axis(std::int32_t count, double cell) {
    std::vector<double> places(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
        places[static_cast<std::size_t>(i)] = (i - 0.5 * (count - 1)) * cell;
    }
    return array_of_values(std::move(places), {count});
}

void bind_makers(py::class_<Map>& map) {
    map.def(py::init(&from_array), py::arg("depths"), py::arg("cell"),
            "Of depths (rows, columns) [m], >= 0, and the distance between samples [m].")
        .def_static(
            "gaussian",
            [](std::int64_t side, double radius, double depth) {
                return round(&gaussian_map, side, radius, depth);
            },
            py::arg("side"), py::arg("radius"), py::arg("depth"), "A round dent.")
        .def_static(
            "cosine",
            [](std::int64_t side, double radius, double depth) {
                return round(&cosine_map, side, radius, depth);
            },
            py::arg("side"), py::arg("radius"), py::arg("depth"), "A round dent, half a wave.")
        .def_static("cap", &cap, py::arg("side"), py::arg("ball"), py::arg("depth"),
                    "What a ball of radius `ball` leaves.")
        .def_static("formula", &formula, py::arg("text"), py::arg("side"), py::arg("radius"),
                    py::arg("depth"),
                    "`depth` times a formula of x, y and r in units of the radius "
                    "(docs/formulas.md).")
        .def_static("heights", &heights, py::arg("heights"), py::arg("width"), py::arg("depth"),
                    py::arg("side") = kHeightMapSide,
                    "A relief whose brightest place is `depth` deep: an array, or a PNG or PFM "
                    "file. The first row is the upper one.")
        .def_static(
            "projectile", &projectile, py::arg("mesh"),
            help_of<ProjectileOptions>(
                "What a body presses into a flat floor below it (-y), its foremost part "
                "first (Patkar et al. 2014, section 3.2). x of the map is the world's, y is z.")
                .c_str());
}

}  // namespace

void bind_dent_map(py::module_& module) {
    py::class_<Map> map(module, "DentMap",
                        "Depths over the plane of an impact, its middle in the middle. Never "
                        "changed.");
    bind_makers(map);
    map.def("broaden", &broadened, py::arg("reach"),
            "The upper envelope of Gaussians over all samples, each fallen to 1 % at `reach` [m].")
        .def("smooth", &smoothed, py::arg("rounds"), py::arg("floor") = py::none(),
             "Rounds off ridges and creases by heat flow, never below `floor`.")
        .def("hit", &hit, py::arg("position"), py::arg("direction"),
             help_of<DentHit>("Fields of a hit that presses this map at a place of a body, in its "
                              "rest frame: for Simulation.schedule_hit and Journal.add.")
                 .c_str())
        .def(
            "depth",
            [](const Map& m, double x, double y) {
                return std::isfinite(x) && std::isfinite(y) ? m.map->depth(x, y) : 0.0;
            },
            py::arg("x"), py::arg("y"), "Between samples [m]; 0 outside.")
        .def_property_readonly(
            "depths",
            [](const Map& m) {
                return view_of_values(std::span<const double>(m.map->depths),
                                      {m.map->rows, m.map->columns}, m.map);
            },
            "(rows, columns) [m]; a read-only view.")
        .def_property_readonly(
            "cell", [](const Map& m) { return m.map->cell; }, "Distance between samples [m].")
        .def_property_readonly(
            "deepest", [](const Map& m) { return m.map->deepest(); }, "[m]")
        .def_property_readonly(
            "x", [](const Map& m) { return axis(m.map->columns, m.map->cell); },
            "Where the columns lie [m].")
        .def_property_readonly(
            "y", [](const Map& m) { return axis(m.map->rows, m.map->cell); },
            "Where the rows lie [m].")
        .def("__repr__", [](const Map& m) {
            return fmt::format("<ductile.DentMap: {} x {}, {:.4g} m deep>", m.map->rows,
                               m.map->columns, m.map->deepest());
        });
}

}  // namespace ductile::python
