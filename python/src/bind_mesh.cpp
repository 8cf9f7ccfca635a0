// SPDX-License-Identifier: MIT
#include <ductile/export/sequence/obj.h>
#include <ductile/geom/damage_map.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/io/load_asset.h>
#include <ductile/skin/render_skin.h>

#include "bind.h"
#include "busy.h"
#include "convert.h"
#include "material.h"
#include "mesh.h"
#include "show.h"
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ductile::python {
namespace {

/// The surface as it is given: no point is moved, welded or left out. Drawn smooth, in one part.
Mesh from_arrays(py::handle points, py::handle triangles) {
    SurfaceAsset asset;
    asset.surface.points = points_of(points, "points");
    asset.surface.triangles = triangles_of(triangles, asset.surface.points.size());
    if (asset.surface.triangles.empty()) throw py::value_error("a mesh needs a triangle");
    RenderMesh& render = asset.render;
    render.points = asset.surface.points;
    render.triangles = asset.surface.triangles;
    render.normals = vertex_normals(render.points, render.triangles);
    render.uvs.assign(render.points.size(), Vec2::Zero());
    render.triangle_looks.assign(render.triangles.size(), 0);
    render.looks.emplace_back();
    for (std::size_t v = 0; v < render.points.size(); ++v) {
        asset.anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(v)));
    }
    unwrap(check_asset(asset));
    return {std::make_shared<const SurfaceAsset>(std::move(asset)), 0.0, {}, {}};
}

Mesh load_mesh(py::handle path, const py::kwargs& kwargs) {
    const std::filesystem::path file = path_of(path);
    const auto options = options_of<AssetOptions>(kwargs);
    PreparedAsset made = unwrap(without_gil([&] { return load_asset(file, options); }));
    unwrap(check_asset(made.asset));
    return {std::make_shared<const SurfaceAsset>(std::move(made.asset)),
            made.thickness,
            std::move(made.report),
            {}};
}

Mesh solid(const std::string& kind, const py::kwargs& kwargs) {
    py::dict fields = kwargs;
    fields["kind"] = kind;
    const auto options = options_of<SolidOptions>(fields);
    SurfaceAsset asset = unwrap(without_gil([&] { return make_solid(options); }));
    return {std::make_shared<const SurfaceAsset>(std::move(asset)), 0.0, {}, options};
}

py::object bounds_of(const Mesh& mesh) {
    const Box box = bounds(mesh.asset->surface.points);
    return py::make_tuple(array_of(box.lower), array_of(box.upper));
}

double area(const Mesh& mesh) {
    double sum = 0.0;
    const TriMesh& surface = mesh.asset->surface;
    for (const Triangle& t : surface.triangles) sum += area_vector(surface.points, t).norm();
    return 0.5 * sum;
}

py::dict mass(const Mesh& mesh, py::handle material, std::optional<double> thickness) {
    const MassModel model{material_of(material).density,
                          checked(thickness.value_or(mesh.thickness), 0.0, 10.0, "thickness")};
    const TriMesh& surface = mesh.asset->surface;
    const MassProperties found =
        unwrap(mass_properties(surface.points, surface.triangles, model, mesh.asset->is_sheet));
    py::dict out;
    out["mass"] = found.mass;
    out["centre"] = array_of(found.centre_b);
    out["inertia"] = array_of(found.inertia_b);
    return out;
}

/// Surface points as many as the mesh has.
std::vector<Vec3> moved_points(const Mesh& mesh, py::handle value) {
    std::vector<Vec3> points = points_of(value, "points");
    if (points.size() != mesh.asset->surface.points.size()) {
        throw py::value_error(fmt::format("{} points given, the mesh has {}", points.size(),
                                          mesh.asset->surface.points.size()));
    }
    return points;
}

py::dict damage(const Mesh& mesh, py::handle value) {
    const std::vector<Vec3> points = moved_points(mesh, value);
    const TriMesh& surface = mesh.asset->surface;
    DamageMap map =
        without_gil([&] { return damage_map(surface.points, points, surface.triangles); });
    const auto count = static_cast<py::ssize_t>(points.size());
    py::dict out;
    out["depth"] = array_of_values(std::move(map.depth), {count});
    out["strain"] = array_of_values(std::move(map.strain), {count});
    out["scratch"] = array_of_points(std::move(map.scratch));
    return out;
}

std::pair<std::vector<Vec3>, std::vector<Vec3>> posed(const Mesh& mesh,
                                                      const std::vector<Vec3>& surface) {
    return without_gil([&] {
        std::pair<std::vector<Vec3>, std::vector<Vec3>> out;
        RenderSkin(mesh.asset).pose(surface, out.first, out.second);
        return out;
    });
}

py::tuple pose(const Mesh& mesh, py::handle value) {
    auto [points, normals] = posed(mesh, moved_points(mesh, value));
    return py::make_tuple(array_of_points(std::move(points)), array_of_points(std::move(normals)));
}

void write_obj_file(const Mesh& mesh, py::handle path, py::handle value) {
    const std::filesystem::path file = path_of(path);
    const std::vector<Vec3> surface =
        value.is_none() ? mesh.asset->surface.points : moved_points(mesh, value);
    const auto [points, normals] = posed(mesh, surface);
    unwrap(without_gil([&, &points = points, &normals = normals] {
        return write_obj(*mesh.asset, points, normals, file);
    }));
}

Mesh painted(const Mesh& mesh, const py::kwargs& kwargs) {
    const auto paint = options_of<PaintOptions>(kwargs);
    auto copy = std::make_shared<SurfaceAsset>(*mesh.asset);
    if (copy->render.looks.empty()) throw py::value_error("the mesh has no look to paint");
    Look& look = copy->render.looks[0];
    look.base_colour = paint.colour;
    look.metallic = paint.metallic;
    look.roughness = paint.roughness;
    look.texture = nullptr;
    return {std::move(copy), mesh.thickness, mesh.report, mesh.solid};
}

py::object file_points(const Mesh& mesh) {
    const RenderMesh& render = mesh.asset->render;
    return view_of_points(
        render.file_vertices.empty() ? render.points : render.file_vertices.points, mesh.asset);
}

py::array_t<std::int32_t> file_vertices(const Mesh& mesh) {
    const RenderMesh& render = mesh.asset->render;
    py::array_t<std::int32_t> out(static_cast<py::ssize_t>(render.points.size()));
    std::int32_t* to = out.mutable_data();
    if (render.file_vertices.empty()) {
        std::iota(to, to + render.points.size(), 0);
    } else {
        std::copy(render.file_vertices.of_drawn.begin(), render.file_vertices.of_drawn.end(), to);
    }
    return out;
}

std::string shown_mesh(const Mesh& mesh) {
    const Box box = bounds(mesh.asset->surface.points);
    const Vec3 size = box.upper - box.lower;
    return fmt::format("<ductile.Mesh: {} points, {} triangles, {:.4g} x {:.4g} x {:.4g} m>",
                       mesh.asset->surface.points.size(), mesh.asset->surface.triangles.size(),
                       size.x(), size.y(), size.z());
}

void bind_arrays(py::class_<Mesh>& mesh) {
    mesh.def_property_readonly(
            "points",
            [](const Mesh& m) { return view_of_points(m.asset->surface.points, m.asset); },
            "The surface's points at rest, (n, 3) [m]; a read-only view.")
        .def_property_readonly(
            "triangles",
            [](const Mesh& m) { return view_of_triangles(m.asset->surface.triangles, m.asset); },
            "Its triangles, (m, 3), counter-clockwise from outside; a read-only view.")
        .def_property_readonly(
            "normals",
            [](const Mesh& m) {
                const TriMesh& surface = m.asset->surface;
                return array_of_points(vertex_normals(surface.points, surface.triangles));
            },
            "Unit normals of the surface's points, (n, 3); made anew.")
        .def_property_readonly(
            "render_points",
            [](const Mesh& m) { return view_of_points(m.asset->render.points, m.asset); },
            "Vertices of the drawn mesh, (k, 3) [m]; a read-only view.")
        .def_property_readonly(
            "render_normals",
            [](const Mesh& m) { return view_of_points(m.asset->render.normals, m.asset); },
            "Their normals, (k, 3); a read-only view.")
        .def_property_readonly(
            "render_uvs",
            [](const Mesh& m) {
                const std::vector<Vec2>& uvs = m.asset->render.uvs;
                const double* first = uvs.empty() ? nullptr : uvs[0].data();
                return view_of_values(std::span(first, 2 * uvs.size()),
                                      {static_cast<py::ssize_t>(uvs.size()), 2}, m.asset);
            },
            "Their texture coordinates, (k, 2); a read-only view.")
        .def_property_readonly(
            "render_triangles",
            [](const Mesh& m) { return view_of_triangles(m.asset->render.triangles, m.asset); },
            "Triangles of the drawn mesh, (l, 3); a read-only view.")
        .def_property_readonly(
            "file_points", &file_points,
            "Vertices of the file that it came from, in the file's order and number, (f, 3) [m]; "
            "the drawn ones where they are the file's own. A read-only view.")
        .def_property_readonly(
            "file_vertices", &file_vertices,
            "Which of `file_points` each vertex of the drawn mesh is a copy of, (k,); made anew.");
}

}  // namespace

void bind_mesh(py::module_& module) {
    py::class_<Mesh> mesh(module, "Mesh",
                          "A shape: the surface that is hit, and the mesh that is drawn over it. "
                          "Never changed.");
    mesh.def(py::init(&from_arrays), py::arg("points"), py::arg("triangles"),
             "Of arrays, as they are: points (n, 3) [m], triangles (m, 3), counter-clockwise seen "
             "from outside.")
        .def_static("load", &load_mesh, py::arg("path"),
                    help_of<AssetOptions>("Reads a mesh file of any kind, mended where needed "
                                          "(docs/mesh-files.md); `report` tells what was found.")
                        .c_str())
        .def_static("solid", &solid, py::arg("kind"),
                    help_of<SolidOptions>("One of ductile's own shapes: box, sphere, capsule, "
                                          "cylinder, plank, plate, torus, barrel, car.")
                        .c_str())
        .def_property_readonly("bounds", &bounds_of, "Lower and upper corner of its box [m].")
        .def_property_readonly(
            "volume",
            [](const Mesh& m) {
                return volume(m.asset->surface.points, m.asset->surface.triangles);
            },
            "Signed volume of a closed surface, positive if it faces outward [m^3].")
        .def_property_readonly("area", &area, "Of the surface [m^2].")
        .def_property_readonly(
            "is_closed", [](const Mesh& m) { return is_closed(m.asset->surface.triangles); },
            "Whether every edge is shared by exactly two faces with opposite direction.")
        .def_property_readonly(
            "thickness", [](const Mesh& m) { return m.thickness; },
            "Of its sheets, as its file tells [m]; 0: solid.")
        .def_property_readonly(
            "report",
            [](const Mesh& m) -> py::object {
                return m.report ? fields_of(*m.report) : py::none();
            },
            "What was found in its file and mended; None if it came from none.")
        .def("mass", &mass, py::arg("material") = "steel", py::arg("thickness") = py::none(),
             "Its mass [kg], centre (3,) [m] and inertia (3, 3) about that [kg m^2]. A thickness "
             "of 0 stands for a solid; left out, it is the mesh's own.")
        .def("damage", &damage, py::arg("points"),
             "How far each of its points was pushed in (depth [m]), how much the faces around it "
             "were stretched (strain) and where it was dragged (scratch, (n, 3) [m]).")
        .def("pose", &pose, py::arg("points"),
             "Points and normals of the drawn mesh over moved surface points.")
        .def("painted", &painted,
             help_of<PaintOptions>("A copy whose first look, that of its main surface, is this.")
                 .c_str())
        .def("write_obj", &write_obj_file, py::arg("path"), py::arg("points") = py::none(),
             "Writes it as OBJ with its MTL, at rest or over moved surface points.")
        .def("__repr__", &shown_mesh)
        .def("_repr_png_", &mesh_png, "A picture of it, for notebooks.");
    bind_arrays(mesh);
}

}  // namespace ductile::python
