// SPDX-License-Identifier: MIT
// glTF 2.0, sections 3.7.3 (skins), 3.11 and appendix C (interpolation).
#include <ductile/core/assert.h>
#include <ductile/skin/pose_model.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ductile {
namespace {

/// What channels change of a node: its matrix as glTF would write it, in parts.
struct NodeParts {
    Vec3 translation = Vec3::Zero();
    Quat rotation = Quat::Identity();
    Vec3 scale = Vec3::Ones();
};

// A file gives a node that is animated in these parts; a reader multiplied them.
NodeParts parts_of(const Mat4& matrix) {
    NodeParts parts;
    parts.translation = matrix.topRightCorner<3, 1>();
    Mat3 turn = matrix.topLeftCorner<3, 3>();
    parts.scale = turn.colwise().norm();
    if (turn.determinant() < 0) parts.scale.x() = -parts.scale.x();
    for (int i = 0; i < 3; ++i) {
        if (parts.scale[i] != 0) turn.col(i) /= parts.scale[i];
    }
    parts.rotation = Quat(turn).normalized();
    return parts;
}

Mat4 matrix_of(const NodeParts& parts) {
    Mat4 matrix = Mat4::Identity();
    matrix.topLeftCorner<3, 3>() = parts.rotation.toRotationMatrix() * parts.scale.asDiagonal();
    matrix.topRightCorner<3, 1>() = parts.translation;
    return matrix;
}

int channel_width(ModelChannel::Target target) {
    return target == ModelChannel::Target::Rotation ? 4 : 3;
}

Vec4 cubic(const std::array<Vec4, 4>& k, double t, double span) {
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * k[0] + (t3 - 2 * t2 + t) * span * k[1] +
           (3 * t2 - 2 * t3) * k[2] + (t3 - t2) * span * k[3];
}

// A channel's value at a time, in the first three or four numbers.
Vec4 value_at(const ModelChannel& channel, double time) {
    const bool is_cubic = channel.interpolation == "CUBICSPLINE";
    const bool is_turn = channel.target == ModelChannel::Target::Rotation;
    const int width = channel_width(channel.target);
    // Of a cubic's key the tangents stand before and after the value.
    const auto stored = [&](std::size_t key, int which) {
        Vec4 v = Vec4::Zero();
        const std::size_t row = is_cubic ? 3 * key + static_cast<std::size_t>(which) : key;
        for (int i = 0; i < width; ++i) {
            v[i] =
                channel.values[row * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)];
        }
        return v;
    };
    const std::vector<double>& times = channel.times;
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    if (after == times.begin()) return stored(0, 1);
    const auto at = static_cast<std::size_t>(after - times.begin()) - 1;
    if (after == times.end() || channel.interpolation == "STEP") return stored(at, 1);
    const double span = times[at + 1] - times[at], t = (time - times[at]) / span;
    if (is_cubic)
        return cubic({stored(at, 1), stored(at, 2), stored(at + 1, 1), stored(at + 1, 0)}, t, span);
    if (!is_turn) return (1 - t) * stored(at, 1) + t * stored(at + 1, 1);
    const Vec4 a = stored(at, 1), b = stored(at + 1, 1);
    const Quat from(a[3], a[0], a[1], a[2]), to(b[3], b[0], b[1], b[2]);
    return from.normalized().slerp(t, to.normalized()).coeffs();
}

Status check_channel(const Model& model, const ModelChannel& channel) {
    const auto refuse = [](const char* what, const char* hint = "") {
        return Error{what, "animation", hint};
    };
    if (channel.target == ModelChannel::Target::Weights) {
        return refuse("morph targets are not read",
                      "bake the animation into a point cache (PC2, MDD)");
    }
    if (channel.node < 0 || channel.node >= std::ssize(model.nodes)) {
        return refuse("a channel moves a node that is not there");
    }
    const std::size_t per_key = channel.interpolation == "CUBICSPLINE" ? 3 : 1;
    const auto width = static_cast<std::size_t>(channel_width(channel.target));
    if (channel.times.empty() || channel.values.size() != channel.times.size() * per_key * width) {
        return refuse("a channel's values do not match its times");
    }
    for (std::size_t i = 1; i < channel.times.size(); ++i) {
        if (!(channel.times[i] > channel.times[i - 1]))
            return refuse("a channel's times must ascend");
    }
    return {};
}

void move_nodes(const ModelAnimation& animation, double time, Model& model) {
    std::vector<std::optional<NodeParts>> moved(model.nodes.size());
    for (const ModelChannel& channel : animation.channels) {
        const auto node = static_cast<std::size_t>(channel.node);
        if (!moved[node]) moved[node] = parts_of(model.nodes[node].to_parent);
        const Vec4 value = value_at(channel, time);
        if (channel.target == ModelChannel::Target::Translation) {
            moved[node]->translation = value.head<3>();
        } else if (channel.target == ModelChannel::Target::Scale) {
            moved[node]->scale = value.head<3>();
        } else {
            const double length = value.norm();
            if (length > 0) {
                moved[node]->rotation = Quat(value[3], value[0], value[1], value[2]).normalized();
            }
        }
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved[i]) model.nodes[i].to_parent = matrix_of(*moved[i]);
    }
}

Result<ModelMesh> bent_mesh(const ModelMesh& mesh, const ModelSkin& skin,
                            const std::vector<Mat4>& to_model) {
    const auto refuse = [&](const char* what) { return Error{what, "skin " + skin.name, ""}; };
    if (mesh.joints.size() != mesh.points.size() ||
        mesh.joint_weights.size() != mesh.points.size() ||
        skin.inverse_binds.size() != skin.joints.size()) {
        return refuse("a skin's joints and weights do not fit its mesh");
    }
    std::vector<Mat4> carry;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        if (skin.joints[j] < 0 || skin.joints[j] >= std::ssize(to_model)) {
            return refuse("a skin names a node that is not there");
        }
        carry.push_back(to_model[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_binds[j]);
    }
    ModelMesh bent = mesh;
    for (std::size_t v = 0; v < bent.points.size(); ++v) {
        Mat4 blend = Mat4::Zero();
        for (int k = 0; k < 4; ++k) {
            const double weight = mesh.joint_weights[v][k];
            if (weight == 0) continue;
            const std::int32_t joint = mesh.joints[v][static_cast<std::size_t>(k)];
            if (joint < 0 || joint >= std::ssize(carry)) {
                return refuse("a vertex hangs on a joint that is not there");
            }
            blend += weight * carry[static_cast<std::size_t>(joint)];
        }
        const double sum = mesh.joint_weights[v].sum();
        if (!(sum > 0)) continue;  // hangs on nothing
        blend /= sum;
        bent.points[v] = (blend * mesh.points[v].homogeneous()).head<3>();
        if (!bent.normals.empty()) bent.normals[v] = blend.topLeftCorner<3, 3>() * mesh.normals[v];
    }
    bent.joints.clear();
    bent.joint_weights.clear();
    return bent;
}

// A skinned mesh lies where its joints are, whatever its own node says.
Status bend_skins(Model& model) {
    std::vector<Mat4> to_model(model.nodes.size());
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const ModelNode& node = model.nodes[i];
        if (node.parent >= static_cast<std::int32_t>(i)) {
            return Error{"a node comes before the one it hangs on", "node " + node.name, ""};
        }
        to_model[i] = node.parent < 0
                          ? node.to_parent
                          : Mat4(to_model[static_cast<std::size_t>(node.parent)] * node.to_parent);
    }
    const std::size_t own_meshes = model.meshes.size();
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        ModelNode& node = model.nodes[i];
        if (node.skin < 0 || node.mesh < 0 || node.skin >= std::ssize(model.skins) ||
            node.mesh >= static_cast<std::int32_t>(own_meshes)) {
            continue;
        }
        Result<ModelMesh> bent =
            bent_mesh(model.meshes[static_cast<std::size_t>(node.mesh)],
                      model.skins[static_cast<std::size_t>(node.skin)], to_model);
        if (!bent) return bent.error();
        if (std::abs(to_model[i].determinant()) < 1e-12) {
            return Error{"a skinned node has no size", "node " + node.name, ""};
        }
        const Mat4 back = to_model[i].inverse();
        for (Vec3& p : bent.value().points) p = (back * p.homogeneous()).head<3>();
        node.mesh = static_cast<std::int32_t>(model.meshes.size());
        model.meshes.push_back(std::move(bent).value());
    }
    return {};
}

}  // namespace

AnimationSpan animation_span(const ModelAnimation& animation) {
    AnimationSpan span;
    bool is_first = true;
    for (const ModelChannel& channel : animation.channels) {
        if (channel.times.empty()) continue;
        span.begin = is_first ? channel.times.front() : std::min(span.begin, channel.times.front());
        span.end = is_first ? channel.times.back() : std::max(span.end, channel.times.back());
        is_first = false;
    }
    return span;
}

Result<Model> posed_model(const Model& model, std::size_t animation, double time) {
    DUCTILE_ASSERT(animation < model.animations.size(), "an animation of the model");
    for (const ModelChannel& channel : model.animations[animation].channels) {
        if (Status fine = check_channel(model, channel); !fine) return fine.error();
    }
    Model out = model;
    move_nodes(model.animations[animation], time, out);
    if (Status bent = bend_skins(out); !bent) return bent.error();
    out.animations.clear();
    out.skins.clear();
    for (ModelNode& node : out.nodes) node.skin = -1;
    return out;
}

}  // namespace ductile
