// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace ductile::python {

// Each adds the classes and functions of one source to the module, in this order.
void bind_material(pybind11::module_& module);
void bind_mesh(pybind11::module_& module);
void bind_dent_map(pybind11::module_& module);
void bind_press(pybind11::module_& module);
void bind_journal(pybind11::module_& module);
void bind_recording(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_scene(pybind11::module_& module);

}  // namespace ductile::python
