// SPDX-License-Identifier: MIT
#include <ductile/io/assimp/import_rig.h>

#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace ductile {
namespace {

constexpr double kUsualRate = 25.0;  // ticks per second where a file says none, as assimp advises

using NodeNames = std::map<std::string, std::int32_t>;

// Keeps the four strongest joints of a vertex.
void add_weight(std::array<std::int32_t, 4>& joints, Vec4& weights, std::int32_t joint,
                double weight) {
    Eigen::Index weakest = 0;
    weights.minCoeff(&weakest);
    if (!(weight > weights[weakest])) return;
    weights[weakest] = weight;
    joints[weakest] = joint;
}

void add_bones(const aiMesh& from, std::size_t first, const NodeNames& names, ModelMesh& mesh,
               ModelSkin& skin) {
    for (unsigned b = 0; b < from.mNumBones; ++b) {
        const aiBone& bone = *from.mBones[b];
        const auto node = names.find(bone.mName.C_Str());
        const Mat4 bind = to_matrix(bone.mOffsetMatrix);
        if (node == names.end() || !bind.allFinite()) continue;
        if (mesh.joints.empty()) {
            mesh.joints.assign(mesh.points.size(), {0, 0, 0, 0});
            mesh.joint_weights.assign(mesh.points.size(), Vec4::Zero());
        }
        const auto joint = static_cast<std::int32_t>(skin.joints.size());
        skin.joints.push_back(node->second);
        skin.inverse_binds.push_back(bind);
        for (unsigned w = 0; w < bone.mNumWeights; ++w) {
            const aiVertexWeight& weight = bone.mWeights[w];
            if (weight.mVertexId >= from.mNumVertices || !std::isfinite(weight.mWeight)) continue;
            const std::size_t v = first + weight.mVertexId;
            add_weight(mesh.joints[v], mesh.joint_weights[v], joint, weight.mWeight);
        }
    }
}

template <class Key, class Write>
void add_channel(ModelAnimation& animation, std::int32_t node, ModelChannel::Target target,
                 const Key* keys, unsigned count, double rate, Write&& write) {
    ModelChannel channel;
    channel.node = node;
    channel.target = target;
    for (unsigned k = 0; k < count; ++k) {
        const double time = keys[k].mTime / rate;
        const bool rises = channel.times.empty() || time > channel.times.back();
        if (!std::isfinite(time) || !rises) continue;
        channel.times.push_back(time);
        write(keys[k].mValue, channel.values);
    }
    for (double& value : channel.values) {
        if (!std::isfinite(value)) value = 0.0;
    }
    if (!channel.times.empty()) animation.channels.push_back(std::move(channel));
}

ModelAnimation read_animation(const aiAnimation& from, const NodeNames& names) {
    ModelAnimation animation;
    animation.name = from.mName.C_Str();
    const double rate = from.mTicksPerSecond > 0.0 ? from.mTicksPerSecond : kUsualRate;
    const auto vector = [](const aiVector3D& v, std::vector<double>& out) {
        out.insert(out.end(), {v.x, v.y, v.z});
    };
    const auto turn = [](const aiQuaternion& q, std::vector<double>& out) {
        out.insert(out.end(), {q.x, q.y, q.z, q.w});
    };
    for (unsigned c = 0; c < from.mNumChannels; ++c) {
        const aiNodeAnim& anim = *from.mChannels[c];
        const auto node = names.find(anim.mNodeName.C_Str());
        if (node == names.end()) continue;
        using Target = ModelChannel::Target;
        add_channel(animation, node->second, Target::Translation, anim.mPositionKeys,
                    anim.mNumPositionKeys, rate, vector);
        add_channel(animation, node->second, Target::Rotation, anim.mRotationKeys,
                    anim.mNumRotationKeys, rate, turn);
        add_channel(animation, node->second, Target::Scale, anim.mScalingKeys, anim.mNumScalingKeys,
                    rate, vector);
    }
    return animation;
}

}  // namespace

Mat4 to_matrix(const aiMatrix4x4t<float>& m) {
    Mat4 out;
    out << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2, m.d3,
        m.d4;
    return out;
}

void add_rig(const aiScene& scene, const std::vector<std::vector<unsigned>>& sources,
             Model& model) {
    NodeNames names;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        names.try_emplace(model.nodes[n].name, static_cast<std::int32_t>(n));
    }
    for (std::size_t m = 0; m < sources.size(); ++m) {
        ModelSkin skin;
        std::size_t first = 0;
        for (const unsigned source : sources[m]) {
            add_bones(*scene.mMeshes[source], first, names, model.meshes[m], skin);
            first += scene.mMeshes[source]->mNumVertices;
        }
        if (skin.joints.empty()) continue;
        skin.name = model.meshes[m].name;
        for (ModelNode& node : model.nodes) {
            if (node.mesh == static_cast<std::int32_t>(m)) {
                node.skin = static_cast<std::int32_t>(model.skins.size());
            }
        }
        model.skins.push_back(std::move(skin));
    }
    for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
        model.animations.push_back(read_animation(*scene.mAnimations[a], names));
    }
}

}  // namespace ductile
