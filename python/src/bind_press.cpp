// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/press/press.h>

#include "bind.h"
#include "busy.h"
#include "convert.h"
#include <fmt/format.h>

namespace ductile::python {
namespace {

/// Never changed, so its arrays may be seen without a copy.
struct PressedArrays {
    std::shared_ptr<const Pressed> pressed;
};

py::dict press_report(const PressedArrays& result) {
    const PressReport& r = result.pressed->report;
    py::dict out;
    out["overlaps"] = r.overlaps;
    out["zones"] = r.zones;
    out["fallbacks"] = r.fallbacks;
    out["contact_points"] = r.contact_points;
    out["moved_points"] = r.moved_points;
    out["working_points"] = r.working_points;
    out["stiffness"] = r.stiffness;
    out["extent"] = r.extent;
    out["displaced_volume"] = r.displaced_volume;
    out["volume_change"] = r.volume_change;
    py::list notes;
    for (const std::string& note : r.notes) notes.append(note);
    out["notes"] = notes;
    return out;
}

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
    const auto options = options_of<ductile::PressOptions>(kwargs);
    return pressed_arrays(without_gil([&] { return press_soft(soft, rigid, options); }));
}

Presser make_presser(py::handle points, py::handle triangles, const py::kwargs& kwargs) {
    TriMesh rest = mesh_of(points, triangles, "points");
    const auto options = options_of<ductile::PressOptions>(kwargs);
    return unwrap(without_gil([&] { return Presser::make(std::move(rest), options); }));
}

PressRigid make_press_rigid(py::handle points, py::handle triangles) {
    TriMesh mesh = mesh_of(points, triangles, "points");
    return unwrap(without_gil([&] { return PressRigid::make(std::move(mesh)); }));
}

/// Where a rigid surface stands.
struct PlaceOptions {
    Vec3 position = Vec3::Zero();
    Quat rotation = Quat::Identity();
};
template <class Visitor>
void visit_fields(PlaceOptions& o, Visitor&& field) {
    field(Field{"position", "m", -1e5, 1e5, "where the rigid surface's origin is"}, o.position);
    field(Field{"rotation", "", 0, 0, "how it is turned"}, o.rotation);
}

PressedArrays press_frame(const Presser& presser, const PressRigid& rigid, py::handle points,
                          const py::kwargs& kwargs) {
    const auto place = options_of<PlaceOptions>(kwargs);
    const std::vector<Vec3> now =
        points.is_none() ? presser.rest().points : points_of(points, "points");
    const Transform pose{place.rotation.normalized(), place.position};
    return pressed_arrays(without_gil([&] { return presser.press(now, rigid, pose); }));
}

void bind_pressed(py::module_& module) {
    py::class_<PressedArrays>(module, "Pressed",
                              "A pressed surface; arrays have an entry per soft point. Never "
                              "changed.")
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
             "Of arrays, as Mesh takes them.");
    py::class_<Presser>(
        module, "Presser",
        "Presses one soft surface frame by frame, in any order and from any thread; "
        "keeps what follows from it at rest.")
        .def(py::init(&make_presser), py::arg("points"), py::arg("triangles"),
             help_of<ductile::PressOptions>("Of the soft surface at rest.").c_str())
        .def(
            "press", &press_frame, py::arg("rigid"), py::arg("points") = py::none(),
            help_of<PlaceOptions>("One frame: the soft points now (None: as at rest) and where the "
                                  "rigid surface stands. The same bits as alone.")
                .c_str())
        .def("__repr__", [](const Presser& p) {
            return fmt::format("<ductile.Presser: {} points>", p.rest().points.size());
        });
    module.def("press", &press_arrays, py::arg("soft_points"), py::arg("soft_triangles"),
               py::arg("rigid_points"), py::arg("rigid_triangles"),
               help_of<ductile::PressOptions>(
                   "Squashes a soft surface onto a rigid one that it overlaps and lets it bulge "
                   "(docs/deformers/press.md).")
                   .c_str());
}

}  // namespace ductile::python
