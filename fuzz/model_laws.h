// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/model.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace ductile {

inline void demand(bool holds) {
    if (!holds) std::abort();
}

inline void check_mesh_laws(const ModelMesh& mesh, std::size_t looks) {
    const std::size_t count = mesh.points.size();
    const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
    demand(fits(mesh.normals.size()) && fits(mesh.uvs.size()) && fits(mesh.colours.size()));
    demand(mesh.joints.size() == mesh.joint_sets() * count);
    demand(mesh.joints.size() == mesh.joint_weights.size());
    for (const ModelMorph& morph : mesh.morphs) {
        demand(morph.moves.size() == count);
        for (const Vec3& m : morph.moves) demand(m.allFinite());
    }
    demand(has_valid_indices(count, mesh.triangles));
    demand(mesh.triangle_looks.size() == mesh.triangles.size());
    for (const std::int32_t look : mesh.triangle_looks) {
        demand(look >= -1 && look < static_cast<std::int64_t>(looks));
    }
    for (const Vec3& p : mesh.points) demand(p.allFinite());
    for (const Vec3& n : mesh.normals) demand(n.allFinite());
    for (const Vec2& uv : mesh.uvs) demand(uv.allFinite());
    for (const Vec4& c : mesh.colours) demand(c.allFinite());
}

/// What every reader promises of what it gives; stops the program where that is not so.
inline void check_laws(const Result<Model>& result) {
    if (!result) return demand(!result.error().what.empty());
    const Model& model = result.value();
    for (const ModelMesh& mesh : model.meshes) check_mesh_laws(mesh, model.looks.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const ModelNode& node = model.nodes[n];
        demand(node.parent >= -1 && node.parent < static_cast<std::int64_t>(n));
        demand(node.mesh >= -1 && node.mesh < std::ssize(model.meshes));
        demand(node.skin >= -1 && node.skin < std::ssize(model.skins));
        demand(node.to_parent.allFinite());
    }
    for (const ModelSkin& skin : model.skins) {
        demand(skin.joints.size() == skin.inverse_binds.size());
        for (const std::int32_t j : skin.joints) demand(j >= 0 && j < std::ssize(model.nodes));
    }
    for (const ModelAnimation& animation : model.animations) {
        for (const ModelChannel& channel : animation.channels) {
            demand(channel.node >= 0 && channel.node < std::ssize(model.nodes));
            for (const double t : channel.times) demand(std::isfinite(t));
            for (const double x : channel.values) demand(std::isfinite(x));
        }
    }
}

}  // namespace ductile
