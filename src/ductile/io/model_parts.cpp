// SPDX-License-Identifier: MIT
#include <ductile/io/face_cutter.h>
#include <ductile/io/model_parts.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

Status check_corners(const IndexedFaces& faces, std::size_t vertex_count,
                     const ReadLimits& limits) {
    std::size_t triangles = 0;
    for (std::size_t f = 0; f < faces.count(); ++f) {
        for (const std::int32_t corner : faces.face(f)) {
            if (static_cast<std::size_t>(corner) < vertex_count) continue;  // Negatives are huge.
            return Error{fmt::format("names vertex {}, but there are {} (counted from 0)", corner,
                                     vertex_count),
                         fmt::format("face {}", f), "the file is damaged: export it again"};
        }
        triangles += std::max<std::size_t>(faces.face(f).size(), 2) - 2;
    }
    if (triangles <= limits.triangles) return {};
    return Error{fmt::format("more than {} triangles", limits.triangles), "",
                 "decimate the mesh before loading it"};
}

}  // namespace

void add_mesh_with_node(Model& model, ModelMesh mesh) {
    ModelNode node;
    node.name = mesh.name;
    node.mesh = static_cast<std::int32_t>(model.meshes.size());
    model.nodes.push_back(std::move(node));
    model.meshes.push_back(std::move(mesh));
}

double linear_from_srgb(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Status add_indexed_mesh(Model& model, ModelMesh mesh, const IndexedFaces& faces,
                        const ReadLimits& limits) {
    if (faces.count() == 0) {
        return Error{fmt::format("has no faces ({} vertices)", mesh.points.size()), "",
                     "a cloud of points is no surface: mesh it first"};
    }
    if (Status good = check_corners(faces, mesh.points.size(), limits); !good) return good;
    FaceCutter cutter;
    mesh.triangles.reserve(faces.count());
    for (std::size_t f = 0; f < faces.count(); ++f) {
        const std::span<const std::int32_t> corners = faces.face(f);
        for (const Triangle& t : cutter.cut(mesh.points, corners)) {
            mesh.triangles.push_back({corners[t[0]], corners[t[1]], corners[t[2]]});
        }
    }
    if (mesh.triangles.empty()) return Error{"has no face with three different corners", "", ""};
    mesh.triangle_looks.assign(mesh.triangles.size(), -1);
    const auto add_note = [&](const FaceCutter::Count& kind, const char* what) {
        if (kind.faces == 0) return;
        model.notes.push_back(
            fmt::format("{} faces {}, first face {}", kind.faces, what, kind.first));
    };
    add_note(cutter.dropped(), "without three different corners left out");
    add_note(cutter.hasty(), "of many corners cut without regard to their form");
    add_mesh_with_node(model, std::move(mesh));
    return {};
}

}  // namespace ductile
