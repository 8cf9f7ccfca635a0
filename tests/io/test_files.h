// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/io/read_model.h>

#include <support/temp_folder.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ductile::test {

/// Reads a text or bytes under a name, with nothing beside it.
inline Result<Model> read_text(std::string_view content, std::string_view name,
                               const ReadLimits& limits = {}) {
    ReadContext context;
    context.limits = limits;
    return read_model(std::as_bytes(std::span(content)), name, context);
}

inline std::size_t triangle_count(const Model& model) {
    std::size_t sum = 0;
    for (const ModelMesh& mesh : model.meshes) sum += mesh.triangles.size();
    return sum;
}

inline std::size_t vertex_count(const Model& model) {
    std::size_t sum = 0;
    for (const ModelMesh& mesh : model.meshes) sum += mesh.points.size();
    return sum;
}

inline bool has_note(const Model& model, std::string_view fragment) {
    for (const std::string& note : model.notes) {
        if (note.find(fragment) != std::string::npos) return true;
    }
    return false;
}

/// What every model promises: indices in range, arrays of one length, finite numbers.
inline bool is_sound(const Model& model) {
    for (const ModelMesh& mesh : model.meshes) {
        const std::size_t n = mesh.points.size();
        const auto fits = [&](std::size_t size) { return size == 0 || size == n; };
        if (!has_valid_indices(n, mesh.triangles)) return false;
        if (mesh.triangle_looks.size() != mesh.triangles.size()) return false;
        if (!fits(mesh.normals.size()) || !fits(mesh.uvs.size()) || !fits(mesh.colours.size())) {
            return false;
        }
        for (const Vec3& p : mesh.points) {
            if (!is_finite(p)) return false;
        }
        for (const Vec3& p : mesh.normals) {
            if (!is_finite(p)) return false;
        }
        for (const Vec2& p : mesh.uvs) {
            if (!p.allFinite()) return false;
        }
        for (const Vec4& p : mesh.colours) {
            if (!p.allFinite()) return false;
        }
        for (const std::int32_t look : mesh.triangle_looks) {
            if (look < -1 || look >= static_cast<std::int32_t>(model.looks.size())) return false;
        }
        for (const Triangle& t : mesh.triangles) {
            if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
        }
        for (const auto& tet : mesh.tets) {
            for (const std::int32_t v : tet) {
                if (v < 0 || static_cast<std::size_t>(v) >= n) return false;
            }
        }
    }
    for (const ModelNode& node : model.nodes) {
        if (node.mesh < -1 || node.mesh >= static_cast<std::int32_t>(model.meshes.size())) {
            return false;
        }
    }
    return !model.meshes.empty() && !model.format.empty();
}

}  // namespace ductile::test
