// SPDX-License-Identifier: MIT
#include "bind.h"
#include "convert.h"
#include "material.h"
#include <fmt/format.h>
#include <pybind11/stl.h>

namespace ductile::python {
namespace {

/// A card by its name with some of its fields changed; `name` among them names the new card.
Material changed_material(const Material& card, const py::dict& changes) {
    Material out = card;
    read_options(changes, out);
    return out;
}

std::string shown(const Material& m) {
    return fmt::format("<ductile.Material '{}': {:.4g} kg/m^3, yields at {:.4g} MPa>", m.name,
                       m.density, 1e-6 * m.yield_stress);
}

}  // namespace

Material material_of(py::handle value) {
    if (py::isinstance<Material>(value)) return value.cast<Material>();
    if (!py::isinstance<py::str>(value)) throw py::type_error("a material is a card or its name");
    return unwrap(find_material(value.cast<std::string>()));
}

void bind_material(py::module_& module) {
    py::class_<Material> material(
        module, "Material", "What a body is made of. Never changed: replace() makes another.");
    material
        .def(py::init([](const std::string& card, const py::kwargs& changes) {
                 return changed_material(unwrap(find_material(card)), changes);
             }),
             py::arg("card") = "steel",
             help_of<Material>("The card of that name, with these of its fields changed.").c_str())
        .def(
            "replace",
            [](const Material& m, const py::kwargs& changes) {
                return changed_material(m, changes);
            },
            "A copy with some fields changed.")
        .def(
            "to_dict", [](const Material& m) { return fields_of(m); }, "All fields.")
        .def("__repr__", &shown)
        .def(
            "__eq__",
            [](const Material& a, const py::object& b) {
                return py::isinstance<Material>(b) &&
                       write_fields(a) == write_fields(b.cast<const Material&>());
            },
            py::arg("other"))
        .def("__hash__", [](const Material& m) {
            return static_cast<std::int64_t>(std::hash<std::string>{}(write_fields(m).dump()) >> 1);
        });
    Material defaults;
    visit_fields(defaults, [&](const Field& field, auto&) {
        const std::string name(field.name);
        const std::string help = std::string(field.help) +
                                 (field.unit.empty() ? "" : " [" + std::string(field.unit) + "]");
        material.def_property_readonly(
            name.c_str(), [name](const Material& m) { return object_of(write_fields(m)[name]); },
            help.c_str());
    });
    module.def(
        "materials",
        [] { return std::vector<Material>(material_cards().begin(), material_cards().end()); },
        "All material cards.");
}

}  // namespace ductile::python
