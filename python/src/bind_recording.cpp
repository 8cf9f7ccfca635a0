// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/table/tables.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/export/usd/usd.h>
#include <ductile/render/image.h>

#include "bind.h"
#include "call_errors.h"
#include "convert.h"
#include "mesh.h"
#include "recording.h"
#include "show.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>

namespace ductile::python {
namespace {

// Rows of structured arrays: plain numbers, as numpy lays them out.
struct HitRow {
    double time;
    std::int32_t body;
    double position[3];
    char kind[16];
    double size;
    char unit[8];
};
struct ImpactRow {
    double time;
    std::int32_t bodies[2];
    double position[3];
    double normal[3];
    double approach_speed;
    double effective_mass;
    double damage_impulse;
};
struct EnergyRow {
    double start, forces, dissipated, gained, integration, reshape, outside, now, gap;
};

void copy(const Vec3& from, double (&to)[3]) {
    for (int i = 0; i < 3; ++i) to[i] = from[i];
}

py::array hits(const Film& film) {
    std::vector<HitRow> rows;
    for (const RecordedHit& hit : film.recording->hits) {
        HitRow& row = rows.emplace_back();
        row = {hit.time, hit.body, {}, {}, hit.size, {}};
        hit.kind.copy(row.kind, sizeof(row.kind));
        hit.unit.copy(row.unit, sizeof(row.unit));
        copy(hit.position_b, row.position);
    }
    const auto count = static_cast<py::ssize_t>(rows.size());
    return array_of_values(std::move(rows), {count});
}

py::array impacts(const Film& film) {
    std::vector<ImpactRow> rows;
    for (const RecordedImpact& impact : film.recording->impacts) {
        ImpactRow& row = rows.emplace_back();
        row.time = impact.time;
        row.bodies[0] = impact.bodies[0];
        row.bodies[1] = impact.bodies[1];
        copy(impact.position_w, row.position);
        copy(impact.normal_w, row.normal);
        row.approach_speed = impact.approach_speed;
        row.effective_mass = impact.effective_mass;
        row.damage_impulse = impact.damage_impulse;
    }
    const auto count = static_cast<py::ssize_t>(rows.size());
    return array_of_values(std::move(rows), {count});
}

py::array film_energy(const Film& film) {
    std::vector<EnergyRow> rows;
    for (const EnergyBalance& e : film.recording->energy) {
        rows.push_back({e.start, e.forces, e.dissipated, e.gained, e.integration, e.reshape,
                        e.outside, e.now, e.gap()});
    }
    const auto count = static_cast<py::ssize_t>(rows.size());
    return array_of_values(std::move(rows), {count});
}

/// One number per body of every frame.
template <class T, class Value>
py::array per_body(const Film& film, Value&& value) {
    std::vector<T> values;
    for (const Frame& frame : film.recording->frames) {
        for (const BodyFrame& body : frame.bodies) values.push_back(value(body));
    }
    return array_of_values(std::move(values),
                           {static_cast<py::ssize_t>(film.recording->frames.size()),
                            static_cast<py::ssize_t>(film.recording->bodies.size())});
}

py::array poses(const Film& film) {
    std::vector<double> values;
    values.reserve(16 * film.recording->frames.size() * film.recording->bodies.size());
    for (const Frame& frame : film.recording->frames) {
        for (const BodyFrame& body : frame.bodies) {
            Eigen::Matrix<double, 4, 4, Eigen::RowMajor> rows = Mat4::Identity();
            rows.topLeftCorner<3, 3>() = body.pose_w.rotation.toRotationMatrix();
            rows.topRightCorner<3, 1>() = body.pose_w.translation;
            values.insert(values.end(), rows.data(), rows.data() + 16);
        }
    }
    return array_of_values(std::move(values),
                           {static_cast<py::ssize_t>(film.recording->frames.size()),
                            static_cast<py::ssize_t>(film.recording->bodies.size()), 4, 4});
}

/// Its index, from that or its name; indices below 0 count from the end.
std::size_t body_index(const Film& film, py::handle body) {
    const std::vector<RecordedBody>& bodies = film.recording->bodies;
    if (py::isinstance<py::str>(body)) {
        const auto name = body.cast<std::string>();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (bodies[i].name == name) return i;
        }
        throw py::key_error("no body '" + name + "' in the recording");
    }
    if (!PyIndex_Check(body.ptr())) throw py::type_error("a body is named by a str or an int");
    const Py_ssize_t given = PyNumber_AsSsize_t(body.ptr(), PyExc_IndexError);
    if (given == -1 && PyErr_Occurred()) throw py::error_already_set();
    const auto count = static_cast<Py_ssize_t>(bodies.size());
    const Py_ssize_t index = given < 0 ? given + count : given;
    if (index < 0 || index >= count) throw py::index_error("no such body in the recording");
    return static_cast<std::size_t>(index);
}

py::array film_points(const Film& film, py::handle body, std::int64_t frame) {
    const std::size_t i = body_index(film, body);
    const std::int32_t shape = frame_at(film, frame).bodies[i].shape;
    return view_of_points(film.recording->bodies[i].shapes[static_cast<std::size_t>(shape)],
                          film.recording);
}

void write_glb_file(const Film& film, py::handle path, const py::kwargs& kwargs) {
    const std::filesystem::path file = path_of(path);
    const auto options = options_of<GlbOptions>(kwargs);
    unwrap(without_gil([&] { return write_glb(*film.recording, file, options); }));
}

void write_usd_file(const Film& film, py::handle path, const py::kwargs& kwargs) {
    const std::filesystem::path file = path_of(path);
    const auto options = options_of<UsdOptions>(kwargs);
    unwrap(without_gil([&] { return write_usd(*film.recording, file, options); }));
}

void write_cache_files(const Film& film, py::handle path, const std::string& kind,
                       const std::string& space) {
    const std::filesystem::path folder = path_of(path);
    if (kind != "pc2" && kind != "mdd") throw py::value_error("kind is none of pc2, mdd");
    if (space != "world" && space != "body") throw py::value_error("space is none of world, body");
    unwrap(without_gil([&] {
        return write_point_caches(*film.recording,
                                  kind == "pc2" ? PointCacheKind::Pc2 : PointCacheKind::Mdd,
                                  space == "world" ? CacheSpace::World : CacheSpace::Body, folder);
    }));
}

void write_table_files(const Film& film, py::handle path) {
    const std::filesystem::path folder = path_of(path);
    unwrap(without_gil([&] { return write_tables(*film.recording, folder); }));
}

void write_ply_file(const Film& film, py::handle body, py::handle path) {
    const std::size_t index = body_index(film, body);
    const std::filesystem::path file = path_of(path);
    unwrap(without_gil([&]() -> Status {
        if (Status sound = check_recording(*film.recording); !sound) return sound;
        return write_final_ply(*film.recording, index, file);
    }));
}

void write_png_file(py::handle path, py::handle pixels) {
    const std::filesystem::path file = path_of(path);
    const py::array given = py::array::ensure(pixels);
    if (!given) {
        PyErr_Clear();
        throw py::type_error(fmt::format("pixels: {}, not an array", describe_array(pixels)));
    }
    if (given.ndim() != 3 || given.shape(2) != 3 || given.shape(0) < 1 || given.shape(1) < 1 ||
        given.shape(0) > 65535 || given.shape(1) > 65535 || given.dtype().kind() != 'u' ||
        given.itemsize() != 1) {
        throw py::value_error(
            fmt::format("pixels: {}, not an array of bytes of shape (height, width, 3)",
                        describe_array(pixels)));
    }
    const auto bytes = py::array_t<std::uint8_t, py::array::c_style>::ensure(given);
    Image image;
    image.height = static_cast<std::int32_t>(given.shape(0));
    image.width = static_cast<std::int32_t>(given.shape(1));
    image.rgb.assign(bytes.data(), bytes.data() + bytes.size());
    unwrap(without_gil([&] { return write_png(file, image); }));
}

void bind_tables(py::class_<Film, std::shared_ptr<Film>>& film) {
    film.def_property_readonly(
            "frame_rate", [](const Film& f) { return f.recording->frame_rate; }, "[1/s]")
        .def_property_readonly(
            "times",
            [](const Film& f) {
                std::vector<double> times;
                for (const Frame& frame : f.recording->frames) times.push_back(frame.time);
                const auto count = static_cast<py::ssize_t>(times.size());
                return array_of_values(std::move(times), {count});
            },
            "Of all frames [s].")
        .def_property_readonly(
            "bodies",
            [](const Film& f) {
                std::vector<std::string> names;
                for (const RecordedBody& body : f.recording->bodies) names.push_back(body.name);
                return names;
            },
            "Names of all bodies.")
        .def_property_readonly("poses", &poses, "(frames, bodies, 4, 4), body to world.")
        .def_property_readonly(
            "shape_indices",
            [](const Film& f) {
                return per_body<std::int32_t>(f, [](const BodyFrame& b) { return b.shape; });
            },
            "(frames, bodies): which of its shapes a body has; 0 is that at rest.")
        .def_property_readonly(
            "is_present",
            [](const Film& f) {
                return per_body<std::uint8_t>(f,
                                              [](const BodyFrame& b) {
                                                  return static_cast<std::uint8_t>(b.is_present);
                                              })
                    .attr("view")("bool");
            },
            "(frames, bodies)")
        .def_property_readonly(
            "hits", &hits,
            "Structured: time, body, position (3,) in its rest frame, kind of record, "
            "size and its unit (a dent's depth [m]).")
        .def_property_readonly("impacts", &impacts,
                               "Structured: time, bodies (2,), position, normal, approach_speed, "
                               "effective_mass, damage_impulse.")
        .def_property_readonly("energy", &film_energy,
                               "Structured, one per frame [J]: where the kinetic energy went.");
}

}  // namespace

const Frame& frame_at(const Film& film, std::int64_t given) {
    const auto count = static_cast<std::int64_t>(film.recording->frames.size());
    const std::int64_t index = given < 0 && given >= -count ? given + count : given;
    if (index < 0 || index >= count) throw py::index_error("no such frame in the recording");
    return film.recording->frames[static_cast<std::size_t>(index)];
}

void bind_recording(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(HitRow, time, body, position, kind, size, unit);
    PYBIND11_NUMPY_DTYPE(ImpactRow, time, bodies, position, normal, approach_speed, effective_mass,
                         damage_impulse);
    PYBIND11_NUMPY_DTYPE(EnergyRow, start, forces, dissipated, gained, integration, reshape,
                         outside, now, gap);
    py::class_<Film, std::shared_ptr<Film>> film(
        module, "Recording", "A film before it is drawn: bodies, poses and shapes of every frame.");
    refuse_construction(film, "Scene.run() or Simulation.finish_recording() gives one");
    bind_tables(film);
    bind_show(film);
    film.def("__len__", [](const Film& f) { return f.recording->frames.size(); })
        .def("points", &film_points, py::arg("body"), py::arg("frame"),
             "Surface points of a body at a frame, in its own frame, (n, 3) [m]; a read-only view.")
        .def(
            "mesh",
            [](const Film& f, py::handle body) {
                return Mesh{f.recording->bodies[body_index(f, body)].asset, 0.0, {}, {}};
            },
            py::arg("body"), "The shape of a body at rest.")
        .def("write_glb", &write_glb_file, py::arg("path"),
             help_of<GlbOptions>("Writes a binary glTF with motion and shapes.").c_str())
        .def("write_usd", &write_usd_file, py::arg("path"),
             help_of<UsdOptions>("Writes a USD stage in text form (docs/usd.md).").c_str())
        .def("write_point_caches", &write_cache_files, py::arg("folder"), py::arg("kind") = "pc2",
             py::arg("space") = "world",
             "Writes a point cache (pc2 or mdd) and an OBJ of every body (docs/caches.md).")
        .def("write_tables", &write_table_files, py::arg("folder"),
             "Writes impacts, hits, energy and bodies as CSV files.")
        .def("write_ply", &write_ply_file, py::arg("body"), py::arg("path"),
             "Writes a damaged body as it ended, with its damage.")
        .def_property_readonly(
            "journal", [](const Film& f) { return f.journals; },
            "The JournalFile of a scene's run; None of a simulation stepped by hand.")
        .def_property_readonly(
            "report", [](const Film& f) { return object_of(f.report); },
            "What a scene's run did; None of a simulation stepped by hand.")
        .def("__repr__", [](const Film& f) {
            const std::vector<Frame>& frames = f.recording->frames;
            return fmt::format("<ductile.Recording: {} frames, {:.4g} s, {} bodies, {} hits>",
                               frames.size(), frames.empty() ? 0.0 : frames.back().time,
                               f.recording->bodies.size(), f.recording->hits.size());
        });
    module.def("write_png", &write_png_file, py::arg("path"), py::arg("pixels"),
               "Writes (height, width, 3) bytes as PNG, sRGB.");
}

}  // namespace ductile::python
