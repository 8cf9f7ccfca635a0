// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/glb/glb_mesh.h>
#include <ductile/export/glb/glb_rig.h>
#include <ductile/skin/vertex_weights.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ductile {
namespace {

using Json = GlbBuilder::Json;

constexpr std::size_t kMostJoints = 65535;

std::vector<float> floats(const auto& vector) {
    std::vector<float> out;
    for (Eigen::Index i = 0; i < vector.size(); ++i) out.push_back(static_cast<float>(vector[i]));
    return out;
}

// One node per handle below a node of their own; returns where the first one is.
int add_joint_nodes(GlbBuilder& builder, const Rig& rig) {
    const int above = builder.add("nodes", {{"name", "rig"}, {"children", Json::array()}});
    int first = -1;
    for (const Handle& handle : rig.handles) {
        const int node =
            builder.add("nodes", {{"name", handle.name}, {"translation", floats(handle.place)}});
        builder.root["nodes"][above]["children"].push_back(node);
        if (first < 0) first = node;
    }
    return first;
}

int add_skin(GlbBuilder& builder, const Rig& rig, int first_joint) {
    std::vector<float> binds;
    Json joints = Json::array();
    for (std::size_t b = 0; b < rig.handles.size(); ++b) {
        Eigen::Matrix4f bind = Eigen::Matrix4f::Identity();
        bind.topRightCorner<3, 1>() = -rig.handles[b].place.cast<float>();
        binds.insert(binds.end(), bind.data(), bind.data() + 16);
        joints.push_back(first_joint + static_cast<int>(b));
    }
    return builder.add("skins", {{"name", "rig"},
                                 {"skeleton", first_joint - 1},
                                 {"inverseBindMatrices", builder.add_matrices(binds)},
                                 {"joints", std::move(joints)}});
}

// The largest weights first: a reader that takes one set only then takes what counts most.
void add_weights(GlbBuilder& builder, const SkinWeights& weights,
                 std::span<const std::int32_t> vertices, Json& attributes) {
    std::size_t most = 1;
    for (const std::int32_t v : vertices) {
        most = std::max(most, weights.handles_of(static_cast<std::size_t>(v)).size());
    }
    const std::size_t sets = (most + 3) / 4;
    std::vector<std::vector<std::uint16_t>> joints(sets);
    std::vector<std::vector<float>> shares(sets);
    for (const std::int32_t v : vertices) {
        const auto i = static_cast<std::size_t>(v);
        std::vector<std::pair<double, std::int32_t>> row;
        for (std::size_t k = 0; k < weights.handles_of(i).size(); ++k) {
            row.emplace_back(-weights.weights_of(i)[k], weights.handles_of(i)[k]);
        }
        std::sort(row.begin(), row.end());
        row.resize(4 * sets, {0.0, 0});
        for (std::size_t k = 0; k < row.size(); ++k) {
            joints[k / 4].push_back(static_cast<std::uint16_t>(row[k].second));
            shares[k / 4].push_back(static_cast<float>(-row[k].first));
        }
    }
    for (std::size_t s = 0; s < sets; ++s) {
        attributes[fmt::format("JOINTS_{}", s)] = builder.add_joints(joints[s]);
        attributes[fmt::format("WEIGHTS_{}", s)] = builder.add_vertices(shares[s], 4);
    }
}

// The parts of a drawn mesh in the order in which GlbMeshes writes them.
std::vector<std::vector<RenderPart>> parts_of(const RenderMesh& mesh) {
    std::vector<std::vector<RenderPart>> out;
    if (mesh.parts.empty()) out.push_back(split_by_look(mesh));
    for (const MeshPart& part : mesh.parts) out.push_back(split_by_look(mesh, part));
    return out;
}

// The nodes that show the body, each with the skin.
Json add_body_nodes(GlbBuilder& builder, const std::shared_ptr<const SurfaceAsset>& asset,
                    const SkinWeights& surface_weights, int skin, const std::string& name) {
    RecordedBody body;
    body.name = name;
    body.asset = asset;
    GlbMeshes meshes(builder);
    const std::vector<GlbPartMesh> written = meshes.add_body(body, {}, 0.0);
    const SkinWeights weights = vertex_weights(*asset, surface_weights);
    const std::vector<std::vector<RenderPart>> parts = parts_of(asset->render);
    Json nodes = Json::array();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (written[p].mesh < 0) continue;
        Json& primitives = builder.root["meshes"][written[p].mesh]["primitives"];
        for (std::size_t k = 0; k < parts[p].size(); ++k) {
            Json attributes = primitives[k]["attributes"];
            add_weights(builder, weights, parts[p][k].vertices, attributes);
            primitives[k]["attributes"] = std::move(attributes);
        }
        const bool is_whole = asset->render.parts.empty();
        nodes.push_back(
            builder.add("nodes", {{"name", is_whole ? name : asset->render.parts[p].name},
                                  {"mesh", written[p].mesh},
                                  {"skin", skin}}));
    }
    return nodes;
}

void add_pose(GlbBuilder& builder, const Rig& rig, const RigPose& pose, int first_joint) {
    Json samplers = Json::array(), channels = Json::array();
    const int times = builder.add_times({0.0f});
    const auto add = [&](int node, const char* path, const std::vector<float>& value) {
        samplers.push_back({{"input", times},
                            {"interpolation", "STEP"},
                            {"output", builder.add_keys(value, static_cast<int>(value.size()))}});
        channels.push_back(
            {{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    };
    for (std::size_t b = 0; b < rig.handles.size(); ++b) {
        const int node = first_joint + static_cast<int>(b);
        const Transform& move = pose.moves[b];
        add(node, "translation", floats(Vec3(rig.handles[b].place + move.translation)));
        add(node, "rotation", floats(Vec4(move.rotation.coeffs())));
    }
    builder.add("animations", {{"name", pose.name},
                               {"channels", std::move(channels)},
                               {"samplers", std::move(samplers)}});
}

}  // namespace

Result<std::string> rig_glb_bytes(const std::shared_ptr<const SurfaceAsset>& asset, const Rig& rig,
                                  const std::string& name) {
    if (Status fits = check_rig(rig, asset->surface.points.size()); !fits) return fits.error();
    if (rig.handles.empty() || rig.handles.size() > kMostJoints) {
        return Error{fmt::format("a skin of {} handles; glTF takes 1 to {}", rig.handles.size(),
                                 kMostJoints),
                     "", ""};
    }
    GlbBuilder builder(GlbBuilder::kFormatLimit);
    builder.root["scene"] = 0;
    const int first_joint = add_joint_nodes(builder, rig);
    const int skin = add_skin(builder, rig, first_joint);
    Json roots = add_body_nodes(builder, asset, rig.weights, skin, name);
    roots.push_back(first_joint - 1);
    builder.root["scenes"] = Json::array({{{"name", name}, {"nodes", std::move(roots)}}});
    for (const RigPose& pose : rig.poses) add_pose(builder, rig, pose, first_joint);
    return builder.finish();
}

Status write_rig_glb(const std::filesystem::path& path,
                     const std::shared_ptr<const SurfaceAsset>& asset, const Rig& rig,
                     const std::string& name) {
    Result<std::string> bytes = rig_glb_bytes(asset, rig, name);
    if (bytes) return write_file(path, bytes.value());
    return Error{bytes.error().what, path.string(), bytes.error().hint};
}

}  // namespace ductile
