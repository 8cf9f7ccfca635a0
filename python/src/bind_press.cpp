// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/press/extensions/press_both.h>
#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/deform/press/press_frames.h>

#include "bind.h"
#include "busy.h"
#include "call_errors.h"
#include "convert.h"
#include "press_args.h"
#include <fmt/format.h>

#include <algorithm>

namespace ductile::python {
namespace {

/// Never changed, so its arrays may be seen without a copy.
struct PressedArrays {
    std::shared_ptr<const Pressed> pressed;
};

py::object press_report(const PressedArrays& result) { return fields_of(result.pressed->report); }

template <class T>
py::array press_view(const PressedArrays& result, const std::vector<T>& values) {
    return view_of_values(std::span<const T>(values), {static_cast<py::ssize_t>(values.size())},
                          result.pressed);
}

TriMesh mesh_of(py::handle points, py::handle triangles, const char* name) {
    TriMesh mesh;
    mesh.points = points_of(points, name);
    mesh.triangles = triangles_of(triangles, mesh.points.size());
    if (mesh.triangles.empty()) throw py::value_error("a surface needs a triangle");
    return mesh;
}

PressedArrays pressed_arrays(Result<Pressed> pressed) {
    return {std::make_shared<const Pressed>(unwrap(std::move(pressed)))};
}

PressedArrays press_arrays(py::handle soft_points, py::handle soft_triangles,
                           py::handle rigid_points, py::handle rigid_triangles,
                           const py::kwargs& kwargs) {
    const TriMesh soft = mesh_of(soft_points, soft_triangles, "soft_points");
    const TriMesh rigid = mesh_of(rigid_points, rigid_triangles, "rigid_points");
    const PressSetup setup = options_of<FrameArgs>(kwargs).take_setup();
    return pressed_arrays(without_gil([&] { return press_soft(soft, rigid, setup); }));
}

py::tuple press_both_arrays(py::handle a_points, py::handle a_triangles, py::handle b_points,
                            py::handle b_triangles, double share, const py::dict& a_options,
                            const py::dict& b_options) {
    const TriMesh a = mesh_of(a_points, a_triangles, "a_points");
    const TriMesh b = mesh_of(b_points, b_triangles, "b_points");
    PressSetup setup = options_of<SoftArgs>(a_options).take_setup();
    PressSetup other = options_of<SoftArgs>(b_options).take_setup();
    setup.both = PressOtherBody{share, other.options, std::move(other.maps)};
    PressedBoth both = unwrap(without_gil([&] { return press_both(a, b, setup); }));
    return py::make_tuple(PressedArrays{std::make_shared<const Pressed>(std::move(both.a))},
                          PressedArrays{std::make_shared<const Pressed>(std::move(both.b))});
}

py::tuple press_refined_arrays(py::handle soft_points, py::handle soft_triangles,
                               py::handle rigid_points, py::handle rigid_triangles,
                               const py::kwargs& kwargs) {
    SurfaceAsset soft;
    soft.surface = mesh_of(soft_points, soft_triangles, "soft_points");
    const TriMesh rigid = mesh_of(rigid_points, rigid_triangles, "rigid_points");
    PressSetup setup = options_of<RefineArgs>(kwargs).take_setup();
    RefinedPress done = unwrap(
        without_gil([&] { return press_refined(std::move(soft), rigid, std::move(setup)); }));
    const auto rest = std::make_shared<const TriMesh>(std::move(done.asset.surface));
    return py::make_tuple(view_of_points(rest->points, rest),
                          view_of_triangles(rest->triangles, rest),
                          PressedArrays{std::make_shared<const Pressed>(std::move(done.pressed))});
}

Presser make_presser(py::handle points, py::handle triangles, const py::kwargs& kwargs) {
    TriMesh rest = mesh_of(points, triangles, "points");
    const PressSetup setup = options_of<FrameArgs>(kwargs).take_setup();
    return unwrap(without_gil([&] { return Presser::make(std::move(rest), setup); }));
}

PressRigid make_press_rigid(py::handle points, py::handle triangles) {
    TriMesh mesh = mesh_of(points, triangles, "points");
    return unwrap(without_gil([&] { return PressRigid::make(std::move(mesh)); }));
}

PressedArrays press_frame(const Presser& presser, const PressRigid& rigid, py::handle points,
                          const py::kwargs& kwargs) {
    const auto place = options_of<PlaceOptions>(kwargs);
    const std::vector<Vec3> now =
        points.is_none() ? presser.rest().points : points_of(points, "points");
    const Transform pose{place.rotation.normalized(), place.position};
    return pressed_arrays(without_gil([&] { return presser.press(now, rigid, pose); }));
}

/// The frames of an array of three dimensions, or of two with a row per frame; none: no frames.
std::vector<py::object> frames_of(py::handle value, py::ssize_t dimensions, const char* name) {
    std::vector<py::object> out;
    if (value.is_none()) return out;
    const auto all = py::array::ensure(value);
    if (!all || all.ndim() != dimensions) {
        PyErr_Clear();
        throw py::value_error(
            fmt::format("{}: an array of {} dimensions, frames first", name, dimensions));
    }
    for (py::ssize_t i = 0; i < all.shape(0); ++i) out.push_back(all[py::int_(i)]);
    return out;
}

/// An animation: each array has a frame per entry, or is None where nothing changes.
std::vector<PressedArrays> press_film(const Presser& presser, const PressRigid& rigid,
                                      py::handle points, py::handle rigid_points,
                                      py::handle positions, py::handle rotations) {
    const auto soft = frames_of(points, 3, "points");
    const auto hard = frames_of(rigid_points, 3, "rigid_points");
    const auto places = frames_of(positions, 2, "positions");
    const auto turns = frames_of(rotations, 2, "rotations");
    const std::size_t count = std::max({soft.size(), hard.size(), places.size(), turns.size()});
    for (const auto* list : {&soft, &hard, &places, &turns}) {
        if (!list->empty() && list->size() != count) {
            throw py::value_error("all arrays have as many frames, or are None");
        }
    }
    std::vector<std::vector<Vec3>> soft_points, hard_points;
    for (const py::object& frame : soft) soft_points.push_back(points_of(frame, "points"));
    for (const py::object& frame : hard) hard_points.push_back(points_of(frame, "rigid_points"));
    std::vector<PressFrame> frames(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (!soft.empty()) frames[i].soft_points = soft_points[i];
        if (!hard.empty()) frames[i].rigid_points = hard_points[i];
        py::dict place;
        if (!places.empty()) place["position"] = places[i];
        if (!turns.empty()) place["rotation"] = turns[i];
        const auto at = options_of<PlaceOptions>(place);
        frames[i].rigid_pose = {at.rotation.normalized(), at.position};
    }
    std::vector<Pressed> done =
        unwrap(without_gil([&] { return press_frames(presser, rigid, frames); }));
    std::vector<PressedArrays> out;
    for (Pressed& pressed : done) {
        out.push_back({std::make_shared<const Pressed>(std::move(pressed))});
    }
    return out;
}

void bind_pressed(py::module_& module) {
    py::class_<PressedArrays> pressed(
        module, "Pressed",
        "A pressed surface; arrays have an entry per soft point. Never changed.");
    refuse_construction(pressed, "press() or Presser.press() gives one");
    pressed
        .def_property_readonly(
            "points",
            [](const PressedArrays& p) { return view_of_points(p.pressed->points, p.pressed); },
            "The soft points, squashed, (n, 3) [m]; a read-only view.")
        .def_property_readonly(
            "zone", [](const PressedArrays& p) { return press_view(p, p.pressed->zone); },
            "The contact zone each lies in, (n,); -1: none; a read-only view.")
        .def_property_readonly(
            "radial", [](const PressedArrays& p) { return press_view(p, p.pressed->radial); },
            "0 in a zone, 1 where the bulge ends and beyond, (n,); a read-only view.")
        .def_property_readonly(
            "amplitude", [](const PressedArrays& p) { return press_view(p, p.pressed->amplitude); },
            "How deep the zone near it is pressed, (n,) [m]; a read-only view.")
        .def_property_readonly("report", &press_report, "What was found and done.")
        .def("__repr__", [](const PressedArrays& p) {
            return fmt::format("<ductile.Pressed: {} points, {} zones>", p.pressed->points.size(),
                               p.pressed->report.zones);
        });
}

}  // namespace

void bind_press(py::module_& module) {
    bind_pressed(module);
    py::class_<PressRigid>(module, "PressRigid",
                           "A rigid surface made ready to press with. Never changed.")
        .def(py::init(&make_press_rigid), py::arg("points"), py::arg("triangles"),
             "Of arrays, as Mesh takes them.")
        .def("__repr__", [](const PressRigid& r) {
            const TriMesh mesh = r.mesh();
            return fmt::format("<ductile.PressRigid: {} points, {} triangles>", mesh.points.size(),
                               mesh.triangles.size());
        });
    py::class_<Presser>(
        module, "Presser",
        "Presses one soft surface frame by frame, in any order and from any thread; "
        "keeps what follows from it at rest.")
        .def(py::init(&make_presser), py::arg("points"), py::arg("triangles"),
             help_of<FrameArgs>("Of the soft surface at rest.").c_str())
        .def(
            "press", &press_frame, py::arg("rigid"), py::arg("points") = py::none(),
            help_of<PlaceOptions>("One frame: the soft points now (None: as at rest) and where the "
                                  "rigid surface stands. The same bits as alone.")
                .c_str())
        .def("press_frames", &press_film, py::arg("rigid"), py::arg("points") = py::none(),
             py::arg("rigid_points") = py::none(), py::arg("positions") = py::none(),
             py::arg("rotations") = py::none(),
             "An animation, on all cores: the soft points (frames, n, 3), those of the rigid "
             "surface (frames, m, 3), where it stands (frames, 3) and how it is turned "
             "(frames, 4), w first; None: as it is. A list with the bits of each frame alone.")
        .def("__repr__", [](const Presser& p) {
            return fmt::format("<ductile.Presser: {} points, {} triangles>", p.rest().points.size(),
                               p.rest().triangles.size());
        });
    module.def("press", &press_arrays, py::arg("soft_points"), py::arg("soft_triangles"),
               py::arg("rigid_points"), py::arg("rigid_triangles"),
               help_of<FrameArgs>(
                   "Squashes a soft surface onto a rigid one that it overlaps and lets it bulge "
                   "(docs/deformers/press.md).")
                   .c_str());
    module.def("press_both", &press_both_arrays, py::arg("a_points"), py::arg("a_triangles"),
               py::arg("b_points"), py::arg("b_triangles"), py::arg("share") = 0.5,
               py::arg("a_options") = py::dict(), py::arg("b_options") = py::dict(),
               help_of<SoftArgs>(
                   "Presses two soft surfaces onto each other; the first gives way by its share. "
                   "A pair of Pressed. Options are dicts:")
                   .c_str());
    module.def("press_refined", &press_refined_arrays, py::arg("soft_points"),
               py::arg("soft_triangles"), py::arg("rigid_points"), py::arg("rigid_triangles"),
               help_of<RefineArgs>(
                   "As press, with the soft mesh made finer where it is stretched: its points and "
                   "triangles at rest, and the Pressed of them.")
                   .c_str());
}

}  // namespace ductile::python
