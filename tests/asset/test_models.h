// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/prepare_asset.h>
#include <ductile/geom/repair/check_asset.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <string>
#include <utility>
#include <vector>

namespace ductile::test {

inline ModelMesh mesh_of(const TriMesh& mesh, const std::string& name) {
    ModelMesh out;
    out.name = name;
    out.points = mesh.points;
    out.triangles = mesh.triangles;
    return out;
}

// One node per mesh, none of them moved.
inline Model model_of(const std::vector<std::pair<std::string, TriMesh>>& meshes) {
    Model model;
    model.format = "OBJ";
    for (const auto& [name, mesh] : meshes) {
        ModelNode node;
        node.name = name;
        node.mesh = static_cast<std::int32_t>(model.meshes.size());
        model.nodes.push_back(node);
        model.meshes.push_back(mesh_of(mesh, name));
    }
    return model;
}

// A sphere cut into faces of their own, smooth: what a UV seam everywhere would look like.
inline Model split_sphere(int levels) {
    const TriMesh sphere = sphere_mesh(0.5, levels);
    Model model = model_of({{"ball", {}}});
    ModelMesh& mesh = model.meshes[0];
    for (const Triangle& t : sphere.triangles) {
        const auto first = static_cast<std::int32_t>(mesh.points.size());
        for (const std::int32_t v : t) {
            mesh.points.push_back(sphere.points[v]);
            mesh.normals.push_back(sphere.points[v].normalized());
            mesh.uvs.emplace_back(0.1 * first, 0.5);
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return model;
}

inline PreparedAsset prepared(const Model& model, const AssetOptions& options = {}) {
    Result<PreparedAsset> result = prepare_asset(model, options);
    REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().text()));
    REQUIRE(check_asset(result.value().asset).ok());
    return std::move(result).value();
}

}  // namespace ductile::test
