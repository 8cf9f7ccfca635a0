// SPDX-License-Identifier: MIT
#include <ductile/io/assimp/import_rig.h>

#include <assimp/scene.h>
#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace ductile;

namespace {

/// A bone that holds vertices 0, 1 ... by the given weights.
aiBone* make_bone(const char* name, const std::vector<float>& weights) {
    auto* bone = new aiBone;
    bone->mName = name;
    bone->mNumWeights = static_cast<unsigned>(weights.size());
    bone->mWeights = new aiVertexWeight[weights.size()];
    for (unsigned v = 0; v < bone->mNumWeights; ++v) bone->mWeights[v] = {v, weights[v]};
    return bone;
}

aiMesh* make_boned_mesh(unsigned vertices, const std::vector<aiBone*>& bones) {
    auto* mesh = new aiMesh;
    mesh->mNumVertices = vertices;
    mesh->mNumBones = static_cast<unsigned>(bones.size());
    mesh->mBones = new aiBone*[bones.size()];
    std::copy(bones.begin(), bones.end(), mesh->mBones);
    return mesh;
}

void set_meshes(aiScene& scene, const std::vector<aiMesh*>& meshes) {
    scene.mNumMeshes = static_cast<unsigned>(meshes.size());
    scene.mMeshes = new aiMesh*[meshes.size()];
    std::copy(meshes.begin(), meshes.end(), scene.mMeshes);
}

/// Nodes "hip" and "knee" and one that shows a mesh of so many points.
Model model_with_nodes(std::size_t points) {
    Model model;
    for (const char* name : {"hip", "knee", "shown"}) {
        ModelNode node;
        node.name = name;
        model.nodes.push_back(node);
    }
    model.nodes[2].mesh = 0;
    model.meshes.emplace_back();
    model.meshes[0].name = "leg";
    model.meshes[0].points.assign(points, Vec3::Zero());
    return model;
}

double weight_of(const Model& model, std::size_t vertex, std::int32_t node) {
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        const std::int32_t joint = model.meshes[0].joints[vertex][k];
        if (model.skins[0].joints[joint] == node) sum += model.meshes[0].joint_weights[vertex][k];
    }
    return sum;
}

}  // namespace

TEST_CASE("bones of the meshes that became one hold its vertices, each mesh's after the other's") {
    aiScene scene;
    set_meshes(
        scene,
        {make_boned_mesh(2, {make_bone("hip", {1.0f, 0.25f}), make_bone("nobody", {0.0f, 0.75f})}),
         make_boned_mesh(2, {make_bone("knee", {0.5f, 1.0f, 1.0f})})});
    scene.mMeshes[0]->mBones[0]->mOffsetMatrix.a4 = 7.0f;
    Model model = model_with_nodes(4);
    add_rig(scene, {{0, 1}}, model);
    REQUIRE(model.skins.size() == 1);
    CHECK(model.skins[0].name == "leg");
    CHECK(model.skins[0].joints == std::vector<std::int32_t>{0, 1});  // No node is called nobody.
    CHECK(model.skins[0].inverse_binds[0](0, 3) == 7.0);
    CHECK(model.nodes[2].skin == 0);
    CHECK(model.nodes[0].skin == -1);
    CHECK(weight_of(model, 0, 0) == 1.0);
    CHECK(weight_of(model, 1, 0) == 0.25);
    CHECK(weight_of(model, 2, 1) == 0.5);
    CHECK(weight_of(model, 3, 1) == 1.0);  // The third weight is of a vertex that is not there.
    CHECK(weight_of(model, 0, 1) == 0.0);
}

TEST_CASE("a vertex keeps its four strongest bones, and no weight that is not finite") {
    aiScene scene;
    std::vector<aiBone*> bones;
    Model model = model_with_nodes(1);
    const float weights[] = {0.1f, 0.3f, NAN, 0.2f, 0.05f, 0.35f};
    for (int b = 0; b < 6; ++b) {
        const std::string name = "bone " + std::to_string(b);
        bones.push_back(make_bone(name.c_str(), {weights[b]}));
        ModelNode node;
        node.name = name;
        model.nodes.push_back(node);
    }
    set_meshes(scene, {make_boned_mesh(1, bones)});
    add_rig(scene, {{0}}, model);
    for (int b = 0; b < 6; ++b) {
        const double kept = b == 2 || b == 4 ? 0.0 : static_cast<double>(weights[b]);
        CHECK(weight_of(model, 0, 3 + b) == kept);
    }
}

TEST_CASE("animations are in seconds, and keys that do not rise are dropped") {
    aiScene scene;
    scene.mNumAnimations = 2;
    scene.mAnimations = new aiAnimation*[2];
    for (int a = 0; a < 2; ++a) {
        auto* animation = scene.mAnimations[a] = new aiAnimation;
        animation->mName = "walk";
        animation->mTicksPerSecond = a == 0 ? 10.0 : 0.0;  // Unsaid: 25.
        animation->mNumChannels = 1;
        animation->mChannels = new aiNodeAnim*[1];
        auto* channel = animation->mChannels[0] = new aiNodeAnim;
        channel->mNodeName = "knee";
        channel->mNumPositionKeys = 3;
        channel->mPositionKeys = new aiVectorKey[3];
        channel->mPositionKeys[0] = {0.0, {1, 2, 3}};
        channel->mPositionKeys[1] = {0.0, {9, 9, 9}};
        channel->mPositionKeys[2] = {5.0, {4, 5, 6}};
        channel->mNumRotationKeys = 1;
        channel->mRotationKeys = new aiQuatKey[1];
        channel->mRotationKeys[0] = {5.0, aiQuaternion(0.5f, 0.1f, 0.2f, 0.3f)};  // w first.
    }
    Model model = model_with_nodes(0);
    add_rig(scene, {}, model);
    REQUIRE(model.animations.size() == 2);
    const ModelAnimation& walk = model.animations[0];
    REQUIRE(walk.channels.size() == 2);
    CHECK(walk.channels[0].node == 1);
    CHECK(walk.channels[0].target == ModelChannel::Target::Translation);
    CHECK(walk.channels[0].times == std::vector<double>{0, 0.5});
    CHECK(walk.channels[0].values == std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(walk.channels[1].target == ModelChannel::Target::Rotation);
    CHECK(walk.channels[1].values == std::vector<double>{0.1f, 0.2f, 0.3f, 0.5f});
    CHECK(model.animations[1].channels[0].times == std::vector<double>{0, 0.2});
}
