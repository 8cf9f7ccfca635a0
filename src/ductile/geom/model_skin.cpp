// SPDX-License-Identifier: MIT
// glTF 2.0, section 3.7.3 (skins).
#include <ductile/geom/model_skin.h>

namespace ductile {
namespace {

// The blended matrix of one point; no weight at all: `has_weight` stays false.
Result<Mat4> blended(const ModelMesh& mesh, std::size_t point, std::span<const Mat4> carries,
                     bool& has_weight) {
    Mat4 blend = Mat4::Zero();
    double sum = 0.0;
    for (std::size_t at = point; at < mesh.joints.size(); at += mesh.points.size()) {
        for (int k = 0; k < 4; ++k) {
            const double weight = mesh.joint_weights[at][k];
            if (weight == 0) continue;
            const std::int32_t joint = mesh.joints[at][static_cast<std::size_t>(k)];
            if (joint < 0 || joint >= std::ssize(carries)) {
                return Error{"a vertex hangs on a joint that is not there", "mesh " + mesh.name,
                             ""};
            }
            blend += weight * carries[static_cast<std::size_t>(joint)];
            sum += weight;
        }
    }
    has_weight = sum > 0;
    return has_weight ? Mat4(blend / sum) : blend;
}

}  // namespace

Result<std::vector<Mat4>> node_places(const Model& model) {
    std::vector<Mat4> places(model.nodes.size());
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const ModelNode& node = model.nodes[i];
        if (node.parent >= static_cast<std::int32_t>(i)) {
            return Error{"a node comes before the one it hangs on", "node " + node.name, ""};
        }
        places[i] = node.parent < 0
                        ? node.to_parent
                        : Mat4(places[static_cast<std::size_t>(node.parent)] * node.to_parent);
    }
    return places;
}

bool is_skinned(const Model& model, const ModelNode& node) {
    return node.skin >= 0 && node.skin < std::ssize(model.skins) && node.mesh >= 0 &&
           node.mesh < std::ssize(model.meshes) &&
           !model.meshes[static_cast<std::size_t>(node.mesh)].joints.empty();
}

Result<std::vector<Mat4>> joint_carries(const ModelSkin& skin, std::span<const Mat4> places) {
    const auto refuse = [&](const char* what) { return Error{what, "skin " + skin.name, ""}; };
    if (skin.inverse_binds.size() != skin.joints.size()) {
        return refuse("a skin does not have one matrix per joint");
    }
    std::vector<Mat4> carries;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        if (skin.joints[j] < 0 || skin.joints[j] >= std::ssize(places)) {
            return refuse("a skin names a node that is not there");
        }
        carries.push_back(places[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_binds[j]);
    }
    return carries;
}

Result<ModelMesh> bent_mesh(const ModelMesh& mesh, std::span<const Mat4> carries) {
    if (mesh.joints.size() != mesh.joint_sets() * mesh.points.size() ||
        mesh.joint_weights.size() != mesh.joints.size()) {
        return Error{"a skin's joints and weights do not fit its mesh", "mesh " + mesh.name, ""};
    }
    ModelMesh bent = mesh;
    for (std::size_t v = 0; v < bent.points.size(); ++v) {
        bool has_weight = false;
        const Result<Mat4> blend = blended(mesh, v, carries, has_weight);
        if (!blend) return blend.error();
        if (!has_weight) continue;
        const Mat3 turn = blend.value().topLeftCorner<3, 3>();
        bent.points[v] = turn * mesh.points[v] + blend.value().topRightCorner<3, 1>();
        if (!bent.normals.empty()) bent.normals[v] = turn * mesh.normals[v];
        for (ModelMorph& morph : bent.morphs) morph.moves[v] = turn * morph.moves[v];
    }
    bent.joints.clear();
    bent.joint_weights.clear();
    return bent;
}

}  // namespace ductile
