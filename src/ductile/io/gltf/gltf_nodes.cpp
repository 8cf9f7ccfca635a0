// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_parts.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

Mat4 read_pose(const JsonPlace& place) {
    Mat4 pose = Mat4::Identity();
    if (place["matrix"].exists()) {
        place["matrix"].numbers(pose.data(), 16);  // both sides go by columns
        return pose;
    }
    Vec3 translation = Vec3::Zero(), scale = Vec3::Ones();
    Vec4 turn(0, 0, 0, 1);
    place["translation"].numbers(translation.data(), 3);
    place["rotation"].numbers(turn.data(), 4);
    place["scale"].numbers(scale.data(), 3);
    const double length = turn.norm();
    if (!(length > 0.0)) place["rotation"].refuse("is no rotation: all four numbers are 0");
    if (length > 0.0 && turn != Vec4(0, 0, 0, 1)) {
        turn /= length;
        pose.topLeftCorner<3, 3>() = Quat(turn[3], turn[0], turn[1], turn[2]).toRotationMatrix();
    }
    pose.topLeftCorner<3, 3>() *= scale.asDiagonal();
    pose.topRightCorner<3, 1>() = translation;
    return pose;
}

void read_skins(const JsonPlace& root, std::size_t node_count, GltfDocument& out) {
    const JsonPlace list = root["skins"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i), joints = place["joints"].required();
        const JsonPlace binds = place["inverseBindMatrices"];
        GltfSkin skin;
        skin.name = place["name"].text_or("");
        for (std::size_t k = 0; k < joints.size(); ++k) {
            skin.joints.push_back(joints.item(k).reference(node_count, "node"));
        }
        skin.inverse_binds = binds.reference(out.accessors.size(), "accessor");
        if (skin.inverse_binds >= 0) {
            const GltfAccessor& a = out.accessors[skin.inverse_binds];
            if (a.width != 16 || a.type != GltfNumber::Float) {
                binds.refuse("must be an accessor of 4 x 4 floats");
            } else if (a.count < skin.joints.size()) {
                binds.refuse(fmt::format("{} matrices for {} joints", a.count, skin.joints.size()));
            }
        }
        out.skins.push_back(std::move(skin));
    }
}

// Every node has one parent at most, so a walk upwards that never ends is a circle.
void check_trees(const JsonPlace& list, GltfDocument& out) {
    out.parents.assign(out.nodes.size(), -1);
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
        for (std::size_t k = 0; k < out.nodes[n].children.size(); ++k) {
            const std::int32_t child = out.nodes[n].children[k];
            if (child < 0) continue;  // told already
            std::int32_t& parent = out.parents[child];
            // Looked up on demand: an object with very many keys is slow to search.
            const auto place = [&] { return list.item(n)["children"].item(k); };
            if (static_cast<std::size_t>(child) == n) place().refuse("the node is its own child");
            if (parent >= 0) {
                place().refuse(fmt::format("node {} is a child of node {} already", child, parent));
            }
            parent = static_cast<std::int32_t>(n);
        }
    }
    std::vector<std::int32_t> walk(out.nodes.size(), -1);  // the walk that came by
    for (std::size_t start = 0; start < out.nodes.size(); ++start) {
        const std::int32_t mark = static_cast<std::int32_t>(start);
        for (std::int32_t n = mark; n >= 0 && walk[n] != mark; n = out.parents[n]) {
            if (walk[n] >= 0) break;
            walk[n] = mark;
            if (out.parents[n] >= 0 && walk[out.parents[n]] == mark) {
                list.item(n).refuse("the node is among its own descendants");
            }
        }
    }
}

void read_scenes(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["scenes"];
    const std::int32_t given = root["scene"].reference(list.size(), "scene");
    if (list.size() == 0) {
        for (std::size_t n = 0; n < out.nodes.size(); ++n) {
            if (out.parents[n] < 0) out.roots.push_back(static_cast<std::int32_t>(n));
        }
        return;
    }
    const JsonPlace nodes = list.item(std::max(given, 0))["nodes"];
    std::vector<bool> is_root(out.nodes.size(), false);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const std::int32_t n = nodes.item(k).reference(out.nodes.size(), "node");
        if (n < 0) continue;
        if (out.parents[n] >= 0 || is_root[n]) {
            nodes.item(k).refuse(fmt::format("node {} has its place in the scene already", n));
        }
        is_root[n] = true;
        out.roots.push_back(n);
    }
    if (list.size() > 1) {
        out.notes.push_back(fmt::format("of {} scenes only the default one is read", list.size()));
    }
}

}  // namespace

void read_gltf_nodes(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["nodes"];
    const std::size_t count = list.size();
    read_skins(root, count, out);
    bool has_instances = false;
    for (std::size_t i = 0; i < count; ++i) {
        const JsonPlace place = list.item(i), children = place["children"];
        GltfNode node;
        node.name = place["name"].text_or("");
        node.mesh = place["mesh"].reference(out.meshes.size(), "mesh");
        node.skin = place["skin"].reference(out.skins.size(), "skin");
        node.to_parent = read_pose(place);
        for (std::size_t k = 0; k < children.size(); ++k) {
            node.children.push_back(children.item(k).reference(count, "node"));
        }
        has_instances = has_instances || place["extensions"]["EXT_mesh_gpu_instancing"].exists();
        out.nodes.push_back(std::move(node));
    }
    check_trees(list, out);
    read_scenes(root, out);
    if (has_instances) out.notes.push_back("EXT_mesh_gpu_instancing is left out: one of each");
}

}  // namespace ductile
