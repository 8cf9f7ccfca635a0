// SPDX-License-Identifier: MIT
#include <ductile/asset/carry_columns.h>
#include <ductile/asset/prepare_asset.h>
#include <ductile/geom/point_attribute.h>

#include <asset/test_models.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

// A bar along x of boxes, two joints: one at each end, the share goes from one to the other.
Model jointed_bar() {
    TriMesh bar = sphere_mesh(0.5, 3);
    for (Vec3& p : bar.points) p = Vec3(2.0 * p.x(), 0.5 * p.y(), 0.25 * p.z());
    Model model = model_of({{"bar", bar}});
    model.nodes.resize(3);
    model.nodes[1].name = "left";
    model.nodes[1].to_parent.topRightCorner<3, 1>() = Vec3(-1, 0, 0);
    model.nodes[2].name = "right";
    model.nodes[2].to_parent.topRightCorner<3, 1>() = Vec3(1, 0, 0);
    ModelSkin& skin = model.skins.emplace_back();
    skin.joints = {2, 1};
    for (const std::int32_t joint : skin.joints) {
        skin.inverse_binds.push_back(model.nodes[joint].to_parent.inverse());
    }
    model.nodes[0].skin = 0;
    ModelMesh& mesh = model.meshes[0];
    for (const Vec3& p : mesh.points) {
        const double right = 0.5 * (p.x() + 1.0);
        mesh.normals.push_back(p.normalized());
        mesh.joints.push_back({0, 1, 0, 0});
        mesh.joint_weights.emplace_back(2 * right, 2 * (1 - right), 0, 0);
    }
    return model;
}

double share_of(const SkinWeights& weights, std::size_t point, std::int32_t handle) {
    for (std::size_t k = 0; k < weights.handles_of(point).size(); ++k) {
        if (weights.handles_of(point)[k] == handle) return weights.weights_of(point)[k];
    }
    return 0.0;
}

}  // namespace

TEST_CASE("a joint knows the one above it, past nodes that are none") {
    Model model = jointed_bar();
    model.nodes.push_back(model.nodes[2]);
    model.nodes[2] = {.name = "between", .parent = 1};
    model.nodes[3].parent = 2;
    model.nodes[3].to_parent.topRightCorner<3, 1>() = Vec3(2, 0, 0);
    model.skins[0].joints = {3, 1};
    const PreparedAsset made = prepared(model, {});
    REQUIRE(made.joints.size() == 2);
    CHECK(made.joints[0].parent == -1);
    CHECK(made.joints[1].name == "right");
    CHECK(made.joints[1].parent == 0);
}

TEST_CASE("joints and weights come through welding, scale, up axis, simplifying and splitting") {
    Model model = jointed_bar();
    for (const AssetOptions& options :
         {AssetOptions{}, AssetOptions{.scale = 0.1, .up = UpAxis::Z},
          AssetOptions{.scale = 1.0, .up = UpAxis::Y, .surface_points = 100},
          AssetOptions{.scale = 1.0, .up = UpAxis::Y, .longest_edge = 0.08}}) {
        const PreparedAsset made = prepared(model, options);
        REQUIRE(made.joints.size() == 2);
        CHECK(made.joints[0].name == "left");
        const double scale = made.report.placement.metres_per_unit;
        CHECK((made.joints[1].place - Vec3(scale, 0, 0)).norm() < 1e-12);
        REQUIRE(made.joint_weights.size() == made.asset.surface.points.size());
        const double slack = options.surface_points > 0 ? 0.1 : 1e-9;
        for (std::size_t i = 0; i < made.joint_weights.size(); ++i) {
            const double right = 0.5 * (made.asset.surface.points[i].x() / scale + 1.0);
            CHECK(std::abs(share_of(made.joint_weights, i, 1) - right) <= slack);
            CHECK(std::abs(share_of(made.joint_weights, i, 0) - (1 - right)) <= slack);
        }
        CHECK(find_attribute(made.asset, "") == nullptr);
    }
}

TEST_CASE("a skinned mesh stands as its joints stand in the file, not as it was bound") {
    Model model = jointed_bar();
    const std::vector<Vec3> bound =
        prepared(model, {.scale = 1.0, .up = UpAxis::Y}).asset.render.points;
    CHECK(bound == model.meshes[0].points);
    model.nodes[2].to_parent(1, 3) = 0.5;  // the right end stands higher than it was bound
    const PreparedAsset made = prepared(model, {.scale = 1.0, .up = UpAxis::Y});
    for (std::size_t v = 0; v < bound.size(); ++v) {
        const double right = 0.5 * (bound[v].x() + 1.0);
        CHECK((made.asset.render.points[v] - bound[v] - Vec3(0, 0.5 * right, 0)).norm() < 1e-12);
    }
}

TEST_CASE("morphs and copies move the surface by what they move the vertices") {
    Model model = split_sphere(2);
    ModelMesh& mesh = model.meshes[0];
    ModelMorph morph{"squeezed", {}};
    std::vector<Vec3> copy;
    for (const Vec3& p : mesh.points) {
        morph.moves.emplace_back(0.1 * p.x(), -0.3 * p.y(), 0);
        copy.push_back(p + morph.moves.back());
    }
    mesh.morphs = {morph};
    const AssetOptions options{.scale = 0.5, .up = UpAxis::Y};
    const PreparedAsset made = prepared(model, options);
    REQUIRE(made.morphs.size() == 1);
    CHECK(made.morphs[0].name == "squeezed");
    const auto carried = carry_copies(model, options, std::vector<std::vector<Vec3>>{copy});
    REQUIRE(carried.ok());
    REQUIRE(carried.value()[0].size() == made.asset.surface.points.size());
    for (std::size_t i = 0; i < made.asset.surface.points.size(); ++i) {
        const Vec3& p = made.asset.surface.points[i];
        const Vec3 wanted(0.1 * p.x(), -0.3 * p.y(), 0);
        CHECK((made.morphs[0].moves[i] - wanted).norm() < 1e-12);
        CHECK((carried.value()[0][i] - wanted).norm() < 1e-12);
    }
    copy.pop_back();
    const auto short_one = carry_copies(model, options, std::vector<std::vector<Vec3>>{copy});
    REQUIRE(!short_one.ok());
    CHECK(short_one.error().what.find("vertices") != std::string::npos);
}
