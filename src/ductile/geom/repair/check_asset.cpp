// SPDX-License-Identifier: MIT
#include <ductile/geom/repair/check_asset.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ductile {
namespace {

bool is_below(std::int32_t index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
}

bool are_below(std::span<const std::int32_t> indices, std::size_t count) {
    return std::all_of(indices.begin(), indices.end(),
                       [&](std::int32_t i) { return is_below(i, count); });
}

template <class Vector>
bool fit_float(const std::vector<Vector>& values) {
    return std::all_of(values.begin(), values.end(), [](const Vector& v) {
        // Written so that NaN fails.
        return (v.array().abs() <= double(std::numeric_limits<float>::max())).all();
    });
}

bool is_usable(const Look& look) {
    return look.base_colour.allFinite() && std::isfinite(look.metallic) &&
           std::isfinite(look.roughness) && std::isfinite(look.opacity);
}

bool are_runs(const RenderMesh& mesh) {
    std::int64_t triangles = 0, vertices = 0;
    for (std::size_t i = 0; i < mesh.parts.size(); ++i) {
        const MeshPart& part = mesh.parts[i];
        const bool has_parent = part.parent == -1 || is_below(part.parent, i);
        if (part.first_triangle != triangles || part.first_vertex != vertices ||
            part.triangle_count < 0 || part.vertex_count < 0 || !has_parent) {
            return false;
        }
        triangles += part.triangle_count;
        vertices += part.vertex_count;
        if (triangles > std::ssize(mesh.triangles)) return false;
        for (std::int64_t t = part.first_triangle; t < triangles; ++t) {
            for (const std::int32_t v : mesh.triangles[t]) {
                if (v < part.first_vertex || v >= vertices) return false;
            }
        }
    }
    return mesh.parts.empty() ||
           (triangles == std::ssize(mesh.triangles) && vertices == std::ssize(mesh.points));
}

bool are_riders(const SurfaceAsset& asset) {
    return std::all_of(asset.riders.begin(), asset.riders.end(), [&](const Rider& rider) {
        return is_below(rider.part, asset.render.parts.size()) && !rider.points.empty() &&
               rider.weights.size() == rider.points.size() &&
               are_below(rider.points, asset.surface.points.size()) &&
               std::all_of(rider.weights.begin(), rider.weights.end(),
                           [](double w) { return w > 0.0 && std::isfinite(w); });
    });
}

// Empty where all is well.
const char* fault(const SurfaceAsset& asset) {
    const RenderMesh& mesh = asset.render;
    const TriMesh& surface = asset.surface;
    const std::size_t count = mesh.points.size();
    if (mesh.normals.size() != count ||
        (!mesh.normal_lengths.empty() && mesh.normal_lengths.size() != count) ||
        asset.anchors.size() != count || (!mesh.uvs.empty() && mesh.uvs.size() != count) ||
        (!mesh.colours.empty() && mesh.colours.size() != count)) {
        return "the render mesh has arrays of different lengths";
    }
    if (mesh.triangle_looks.size() != mesh.triangles.size()) {
        return "the render mesh does not have one look per triangle";
    }
    if ((!asset.is_rigid.empty() && asset.is_rigid.size() != surface.points.size()) ||
        (!asset.is_sheet.empty() && asset.is_sheet.size() != surface.triangles.size())) {
        return "the surface has arrays of different lengths";
    }
    for (const PointAttribute& attribute : asset.attributes) {
        if (attribute.values.size() != surface.points.size()) {
            return "an attribute does not have one number per surface point";
        }
        if (!std::all_of(attribute.values.begin(), attribute.values.end(),
                         [](double v) { return std::isfinite(v); })) {
            return "an attribute holds a number that is not finite";
        }
    }
    if (!has_valid_indices(count, mesh.triangles) ||
        !has_valid_indices(surface.points.size(), surface.triangles) ||
        !are_below(mesh.triangle_looks, mesh.looks.size())) {
        return "the mesh has an index out of range";
    }
    const FileVertices& file = mesh.file_vertices;
    if (!file.empty() &&
        (file.of_drawn.size() != count || !are_below(file.of_drawn, file.points.size()))) {
        return "a render vertex is a copy of a vertex of its file that does not exist";
    }
    for (const SurfaceAnchor& anchor : asset.anchors) {
        if (!are_below(anchor.points, surface.points.size()) || !anchor.weights.allFinite()) {
            return "a render vertex follows a surface point that does not exist";
        }
    }
    if (!are_runs(mesh)) return "the parts of the render mesh do not follow each other";
    if (!are_riders(asset)) return "a rider names a part or a surface point that does not exist";
    const bool finite = fit_float(surface.points) && fit_float(mesh.points) &&
                        fit_float(file.points) && fit_float(mesh.normals) && fit_float(mesh.uvs) &&
                        fit_float(mesh.colours) &&
                        std::all_of(mesh.looks.begin(), mesh.looks.end(), is_usable);
    return finite ? "" : "the asset holds a number that is not finite";
}

}  // namespace

Status check_asset(const SurfaceAsset& asset) {
    const std::string what = fault(asset);
    return what.empty() ? Status() : Status(Error{what, "", ""});
}

}  // namespace ductile
