// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/camera.h>
#include <ductile/render/render_options.h>

#include "mesh.h"
#include "recording.h"
#include <pybind11/pybind11.h>

#include <memory>

namespace ductile::python {

/// Where a picture is taken from and how: both lists of fields in one.
struct DrawOptions {
    Camera camera;
    RenderOptions picture;
};
template <class Visitor>
void visit_fields(DrawOptions& o, Visitor&& field) {
    visit_fields(o.camera, field);
    visit_fields(o.picture, field);
}

/// Adds `draw`, `write_player` and what a notebook shows: the player.
void bind_show(pybind11::class_<Film, std::shared_ptr<Film>>& film);

/// A small picture of a mesh, seen whole, as the bytes of a PNG file: what a notebook shows.
pybind11::bytes mesh_png(const Mesh& mesh);

}  // namespace ductile::python
