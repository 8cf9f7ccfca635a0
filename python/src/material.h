// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/material/material.h>

#include <pybind11/pybind11.h>

namespace ductile::python {

/// A Material, or the card of a name. Raises TypeError for others, ductile.Error for no such card.
Material material_of(pybind11::handle value);

}  // namespace ductile::python
