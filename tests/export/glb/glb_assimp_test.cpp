// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb.h>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <doctest/doctest.h>
#include <export/sample_recording.h>

#include <map>

// The GLB as assimp reads it: a reader that many tools build on.
using namespace ductile;

namespace {

template <class Key>
double share_at(const Key* keys, unsigned count, double time, unsigned& from, unsigned& to) {
    to = 0;
    while (to < count && keys[to].mTime < time) ++to;
    from = to == 0 ? 0 : to - 1;
    if (to == count) from = to = count - 1;
    const double length = keys[to].mTime - keys[from].mTime;
    return length > 0.0 ? (time - keys[from].mTime) / length : 0.0;
}

Vec3 vector_at(const aiVectorKey* keys, unsigned count, double time) {
    unsigned a = 0, b = 0;
    const double t = share_at(keys, count, time, a, b);
    const auto vec = [&](unsigned k) {
        return Vec3(keys[k].mValue.x, keys[k].mValue.y, keys[k].mValue.z);
    };
    return vec(a) + t * (vec(b) - vec(a));
}

Quat rotation_at(const aiQuatKey* keys, unsigned count, double time) {
    unsigned a = 0, b = 0;
    const double t = share_at(keys, count, time, a, b);
    const auto quat = [&](unsigned k) {
        return Quat(keys[k].mValue.w, keys[k].mValue.x, keys[k].mValue.y, keys[k].mValue.z);
    };
    return quat(a).slerp(t, quat(b)).normalized();
}

Transform pose_of(const aiNode& node, const aiNodeAnim* channel, double time) {
    aiVector3D scale, place;
    aiQuaternion turn;
    node.mTransformation.Decompose(scale, turn, place);
    Transform pose{Quat(turn.w, turn.x, turn.y, turn.z).normalized(),
                   Vec3(place.x, place.y, place.z)};
    if (!channel) return pose;
    if (channel->mNumPositionKeys > 0) {
        pose.translation = vector_at(channel->mPositionKeys, channel->mNumPositionKeys, time);
    }
    if (channel->mNumRotationKeys > 0) {
        pose.rotation = rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, time);
    }
    return pose;
}

std::vector<double> weights_at(const aiMesh& mesh, const aiMeshMorphAnim* channel, double time) {
    std::vector<double> weights;
    for (unsigned k = 0; k < mesh.mNumAnimMeshes; ++k) {
        weights.push_back(mesh.mAnimMeshes[k]->mWeight);
    }
    if (!channel) return weights;
    weights.assign(mesh.mNumAnimMeshes, 0.0);
    unsigned a = 0, b = 0;
    const double t = share_at(channel->mKeys, channel->mNumKeys, time, a, b);
    const auto add = [&](const aiMeshMorphKey& key, double factor) {
        for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i) {
            weights.at(key.mValues[i]) += factor * key.mWeights[i];
        }
    };
    add(channel->mKeys[a], 1.0 - t);
    add(channel->mKeys[b], t);
    return weights;
}

// Targets hold whole places in assimp, not offsets.
Vec3 vertex_of(const aiMesh& mesh, unsigned v, const std::vector<double>& weights) {
    const auto vec = [](const aiVector3D& p) { return Vec3(p.x, p.y, p.z); };
    const Vec3 rest = vec(mesh.mVertices[v]);
    Vec3 place = rest;
    for (unsigned k = 0; k < mesh.mNumAnimMeshes; ++k) {
        place += weights[k] * (vec(mesh.mAnimMeshes[k]->mVertices[v]) - rest);
    }
    return place;
}

template <class Channel>
Channel* channel_of(Channel** channels, unsigned count, const std::string& node) {
    for (unsigned c = 0; c < count; ++c) {
        std::string name;
        if constexpr (requires { channels[c]->mNodeName; }) {
            name = channels[c]->mNodeName.C_Str();
        } else {
            name = channels[c]->mName.C_Str();
        }
        if (name == node) return channels[c];
    }
    return nullptr;
}

// The furthest any recorded vertex of a body is from the nearest that assimp shows at a frame.
double worst_at(const Recording& r, std::size_t body, std::size_t f, const aiScene& scene) {
    const RecordedBody& recorded = r.bodies[body];
    const aiNode* node = scene.mRootNode->FindNode(recorded.name.c_str());
    REQUIRE(node != nullptr);
    const aiAnimation& animation = *scene.mAnimations[0];
    const double time = r.frames[f].time * animation.mTicksPerSecond;
    const Transform pose = pose_of(
        *node, channel_of(animation.mChannels, animation.mNumChannels, recorded.name), time);
    std::vector<Vec3> shown;
    for (unsigned m = 0; m < node->mNumMeshes; ++m) {
        const aiMesh& mesh = *scene.mMeshes[node->mMeshes[m]];
        const auto* morph = channel_of(animation.mMorphMeshChannels,
                                       animation.mNumMorphMeshChannels, recorded.name);
        const std::vector<double> weights = weights_at(mesh, morph, time);
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
            shown.push_back(pose.point(vertex_of(mesh, v, weights)));
        }
    }
    std::vector<Vec3> points, normals;
    const BodyFrame& at = r.frames[f].bodies[body];
    RenderSkin(recorded.asset).pose(recorded.shapes[at.shape], points, normals);
    double worst = 0.0;
    for (const Vec3& p : points) {
        double nearest = kInfinity;
        for (const Vec3& q : shown) nearest = std::min(nearest, (at.pose_w.point(p) - q).norm());
        worst = std::max(worst, nearest);
    }
    return worst;
}

}  // namespace

TEST_CASE("assimp shows a GLB's bodies where they were recorded, at every frame") {
    Recording r = sample::busy();
    const GlbOptions options;
    const std::string bytes = glb_bytes(r, options).value();
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, "glb");
    REQUIRE_MESSAGE(scene != nullptr, std::string(importer.GetErrorString()));
    REQUIRE(scene->mNumAnimations == 1);
    for (const std::size_t b : {0u, 1u, 2u}) {
        const double size = bounds(r.bodies[b].asset->surface.points).diagonal();
        const double allowed = (options.shape_tolerance + options.motion_tolerance) * size + 2e-6;
        for (std::size_t f = 0; f < r.frames.size(); ++f) {
            CAPTURE(b);
            CAPTURE(f);
            CHECK(worst_at(r, b, f, *scene) <= allowed);
        }
    }
}
