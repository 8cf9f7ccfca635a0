// SPDX-License-Identifier: MIT
// glTF 2.0, sections 3.11 and appendix C (interpolation).
#include <ductile/core/assert.h>
#include <ductile/geom/model_skin.h>
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

std::size_t channel_width(const Model& model, const ModelChannel& channel) {
    if (channel.target == ModelChannel::Target::Rotation) return 4;
    if (channel.target != ModelChannel::Target::Weights) return 3;
    const std::int32_t mesh = model.nodes[static_cast<std::size_t>(channel.node)].mesh;
    const bool has_mesh = mesh >= 0 && mesh < std::ssize(model.meshes);
    return has_mesh ? model.meshes[static_cast<std::size_t>(mesh)].morphs.size() : 0;
}

using Values = Eigen::VectorXd;

Values cubic(const std::array<Values, 4>& k, double t, double span) {
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * k[0] + (t3 - 2 * t2 + t) * span * k[1] +
           (3 * t2 - 2 * t3) * k[2] + (t3 - t2) * span * k[3];
}

// A channel's numbers at a time.
Values value_at(const ModelChannel& channel, std::size_t width, double time) {
    const bool is_cubic = channel.interpolation == "CUBICSPLINE";
    // Of a cubic's key the tangents stand before and after the value.
    const auto stored = [&](std::size_t key, std::size_t which) -> Values {
        const std::size_t row = is_cubic ? 3 * key + which : key;
        return Eigen::Map<const Values>(channel.values.data() + row * width,
                                        static_cast<Eigen::Index>(width));
    };
    const std::vector<double>& times = channel.times;
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    if (after == times.begin()) return stored(0, 1);
    const auto at = static_cast<std::size_t>(after - times.begin()) - 1;
    if (after == times.end() || channel.interpolation == "STEP") return stored(at, 1);
    const double span = times[at + 1] - times[at], t = (time - times[at]) / span;
    if (is_cubic)
        return cubic({stored(at, 1), stored(at, 2), stored(at + 1, 1), stored(at + 1, 0)}, t, span);
    const Values a = stored(at, 1), b = stored(at + 1, 1);
    if (channel.target != ModelChannel::Target::Rotation) return (1 - t) * a + t * b;
    const Quat from(a[3], a[0], a[1], a[2]), to(b[3], b[0], b[1], b[2]);
    return from.normalized().slerp(t, to.normalized()).coeffs();
}

Status check_channel(const Model& model, const ModelChannel& channel) {
    const auto refuse = [](const char* what) { return Error{what, "animation", ""}; };
    if (channel.node < 0 || channel.node >= std::ssize(model.nodes)) {
        return refuse("a channel moves a node that is not there");
    }
    const std::size_t per_key = channel.interpolation == "CUBICSPLINE" ? 3 : 1;
    const std::size_t width = channel_width(model, channel);
    if (width == 0) return refuse("a channel weighs the morphs of a node that shows none");
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
        if (channel.target == ModelChannel::Target::Weights) continue;
        const auto node = static_cast<std::size_t>(channel.node);
        if (!moved[node]) moved[node] = parts_of(model.nodes[node].to_parent);
        const Values value = value_at(channel, channel_width(model, channel), time);
        if (channel.target == ModelChannel::Target::Translation) {
            moved[node]->translation = value;
        } else if (channel.target == ModelChannel::Target::Scale) {
            moved[node]->scale = value;
        } else if (value.norm() > 0) {
            moved[node]->rotation = Quat(value[3], value[0], value[1], value[2]).normalized();
        }
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved[i]) model.nodes[i].to_parent = matrix_of(*moved[i]);
    }
}

// Nodes may share a mesh and not its morphs' weights: each that is weighed gets one of its own.
void morph_meshes(const ModelAnimation& animation, double time, Model& model) {
    for (const ModelChannel& channel : animation.channels) {
        if (channel.target != ModelChannel::Target::Weights) continue;
        ModelNode& node = model.nodes[static_cast<std::size_t>(channel.node)];
        const Values weights = value_at(channel, channel_width(model, channel), time);
        ModelMesh mesh = model.meshes[static_cast<std::size_t>(node.mesh)];
        for (std::size_t m = 0; m < mesh.morphs.size(); ++m) {
            for (std::size_t v = 0; v < mesh.points.size(); ++v) {
                mesh.points[v] += weights[static_cast<Eigen::Index>(m)] * mesh.morphs[m].moves[v];
            }
        }
        node.mesh = static_cast<std::int32_t>(model.meshes.size());
        model.meshes.push_back(std::move(mesh));
    }
}

// A skinned mesh lies where its joints are, whatever its own node says.
Status bend_skins(Model& model) {
    const Result<std::vector<Mat4>> places = node_places(model);
    if (!places) return places.error();
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        ModelNode& node = model.nodes[i];
        if (!is_skinned(model, node)) continue;
        const Result<std::vector<Mat4>> carries =
            joint_carries(model.skins[static_cast<std::size_t>(node.skin)], places.value());
        if (!carries) return carries.error();
        Result<ModelMesh> bent =
            bent_mesh(model.meshes[static_cast<std::size_t>(node.mesh)], carries.value());
        if (!bent) return bent.error();
        if (std::abs(places.value()[i].determinant()) < 1e-12) {
            return Error{"a skinned node has no size", "node " + node.name, ""};
        }
        const Mat4 back = places.value()[i].inverse();
        for (Vec3& p : bent.value().points) p = (back * p.homogeneous()).head<3>();
        node.mesh = static_cast<std::int32_t>(model.meshes.size());
        model.meshes.push_back(std::move(bent).value());
    }
    return {};
}

Status check_channels(const Model& model, std::size_t animation) {
    DUCTILE_ASSERT(animation < model.animations.size(), "an animation of the model");
    for (const ModelChannel& channel : model.animations[animation].channels) {
        if (Status fine = check_channel(model, channel); !fine) return fine;
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
    if (Status fine = check_channels(model, animation); !fine) return fine.error();
    Model out = model;
    move_nodes(model.animations[animation], time, out);
    morph_meshes(model.animations[animation], time, out);
    if (Status bent = bend_skins(out); !bent) return bent.error();
    out.animations.clear();
    out.skins.clear();
    for (ModelNode& node : out.nodes) node.skin = -1;
    for (ModelMesh& mesh : out.meshes) mesh.morphs.clear();
    return out;
}

Result<std::vector<Mat4>> posed_places(const Model& model, std::size_t animation, double time) {
    if (Status fine = check_channels(model, animation); !fine) return fine.error();
    Model moved;
    moved.nodes = model.nodes;
    move_nodes(model.animations[animation], time, moved);
    return node_places(moved);
}

}  // namespace ductile
