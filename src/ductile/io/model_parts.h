// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/model.h>
#include <ductile/io/read_model.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Adds a mesh to a model, and a node of the same name that shows it.
void add_mesh_with_node(Model& model, ModelMesh mesh);

/// A component of a colour as screens show it, in [0, 1], as the amount of light that it is.
double linear_from_srgb(double value);

/// Faces of any number of corners that name vertices, from 0; what a file says, unchecked.
struct IndexedFaces {
    std::vector<std::uint32_t> start{0};  ///< One more entry than faces.
    std::vector<std::int32_t> corners;

    std::size_t count() const { return start.size() - 1; }
    std::span<const std::int32_t> face(std::size_t f) const {
        return std::span(corners).subspan(start[f], start[f + 1] - start[f]);
    }
    void end_face() { start.push_back(static_cast<std::uint32_t>(corners.size())); }
};

/// Cuts the faces into triangles of `mesh`, whose vertices are there, and adds that to a model.
/// What is no face is left out with a note. Error: a corner without a vertex (`where`: "face N",
/// from 0), more triangles than allowed, no face at all.
Status add_indexed_mesh(Model& model, ModelMesh mesh, const IndexedFaces& faces,
                        const ReadLimits& limits);

}  // namespace ductile
