// SPDX-License-Identifier: MIT
#include <ductile/asset/carry_columns.h>
#include <ductile/geom/model_skin.h>
#include <ductile/geom/point_attribute.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace ductile {
namespace {

// The joint that is the nearest above a node; -1: there is none.
std::int32_t parent_of(const Model& model, std::int32_t node, std::span<const BodyJoint> joints) {
    for (node = model.nodes[node].parent; node >= 0; node = model.nodes[node].parent) {
        const auto at = std::find_if(joints.begin(), joints.end(),
                                     [&](const BodyJoint& joint) { return joint.node == node; });
        if (at != joints.end()) return static_cast<std::int32_t>(at - joints.begin());
    }
    return -1;
}

// Numbers of the file's vertices as attributes that the surface carries along; the first one.
// Riding parts are not its surface: theirs do not count. `values` gives vertex v's, or none.
template <class Values>
void add_column(std::span<const PartRole> roles, std::span<const std::int32_t> vertex_source,
                SurfaceAsset& asset, Values&& values) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const RenderMesh& render = asset.render;
    std::vector<double> numbers(render.points.size());
    for (std::size_t v = 0; v < numbers.size(); ++v) numbers[v] = values(vertex_source[v]);
    for (std::size_t p = 0; p < roles.size(); ++p) {
        if (roles[p] != PartRole::Ride) continue;
        const MeshPart& part = render.parts[p];
        std::fill_n(numbers.begin() + part.first_vertex, part.vertex_count, kNone);
    }
    asset.attributes.push_back({"", carry_to_surface(asset, numbers)});
    fill_from_neighbours(asset.surface, asset.attributes.back().values);
}

SkinWeights rows_of(std::span<const PointAttribute> columns, std::size_t point_count) {
    SkinWeights out;
    for (std::size_t i = 0; i < point_count; ++i) {
        double sum = 0.0;
        for (const PointAttribute& column : columns) sum += std::max(column.values[i], 0.0);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const double weight = columns[j].values[i];
            // What hangs on nothing, and next to nothing that does, goes with the first joint.
            const double share = sum > 0 ? weight / sum : (j == 0 ? 1.0 : 0.0);
            if (!(share > 0)) continue;
            out.handle.push_back(static_cast<std::int32_t>(j));
            out.weight.push_back(share);
        }
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
    return out;
}

}  // namespace

Status take_copies(std::span<const std::vector<Vec3>> copies, FlatModel& flat) {
    flat.joints.clear();
    flat.weights = {};
    flat.morphs.clear();
    const std::vector<Vec3>& rest = flat.render.points;
    for (const std::vector<Vec3>& copy : copies) {
        if (copy.size() != rest.size()) {
            return Error{
                fmt::format("the copy has {} vertices, the mesh {}", copy.size(), rest.size()), "",
                "copies must have the vertices of the mesh, in its order"};
        }
        ModelMorph& morph = flat.morphs.emplace_back();
        for (std::size_t v = 0; v < copy.size(); ++v) morph.moves.push_back(copy[v] - rest[v]);
    }
    return {};
}

void add_columns(const FlatModel& flat, std::span<const std::int32_t> vertex_source,
                 SurfaceAsset& asset) {
    for (std::size_t j = 0; j < flat.joints.size(); ++j) {
        add_column(flat.roles, vertex_source, asset, [&](std::int32_t v) {
            const auto joints = flat.weights.handles_of(static_cast<std::size_t>(v));
            if (joints.empty()) return std::numeric_limits<double>::quiet_NaN();
            const auto at = std::lower_bound(joints.begin(), joints.end(), std::int32_t(j));
            if (at == joints.end() || *at != std::int32_t(j)) return 0.0;
            return flat.weights.weight[flat.weights.start[v] + (at - joints.begin())];
        });
    }
    for (const ModelMorph& morph : flat.morphs) {
        for (int k = 0; k < 3; ++k) {
            add_column(flat.roles, vertex_source, asset,
                       [&](std::int32_t v) { return morph.moves[v][k]; });
        }
    }
}

void take_columns(const FlatModel& flat, PreparedAsset& out) {
    std::vector<PointAttribute>& attributes = out.asset.attributes;
    const std::size_t count = flat.joints.size() + 3 * flat.morphs.size();
    const std::size_t first = attributes.size() - count;
    const std::span<const PointAttribute> columns = std::span(attributes).subspan(first);
    const std::size_t points = out.asset.surface.points.size();
    if (!flat.joints.empty()) {
        out.joint_weights = rows_of(columns.first(flat.joints.size()), points);
    }
    for (std::size_t m = 0; m < flat.morphs.size(); ++m) {
        const auto xyz = columns.subspan(flat.joints.size() + 3 * m, 3);
        ModelMorph& morph = out.morphs.emplace_back();
        morph.name = flat.morphs[m].name;
        for (std::size_t i = 0; i < points; ++i) {
            morph.moves.emplace_back(xyz[0].values[i], xyz[1].values[i], xyz[2].values[i]);
        }
    }
    attributes.resize(first);
}

std::vector<BodyJoint> joints_of(const Model& model, const FlatModel& flat,
                                 const PlacementReport& placement) {
    std::vector<BodyJoint> out;
    const Result<std::vector<Mat4>> places = node_places(model);
    if (!places) return out;  // flattening has refused it
    std::set<std::string> names;
    for (const std::int32_t node : flat.joints) {
        const std::string& given = model.nodes[node].name;
        const std::string name = given.empty() ? "joint" : given;
        std::string unique = name;
        for (int i = 2; !names.insert(unique).second; ++i) unique = fmt::format("{}.{}", name, i);
        const Vec3 place = places.value()[node].topRightCorner<3, 1>();
        out.push_back({unique, node, with_y_up(place * placement.metres_per_unit, placement.up)});
    }
    for (BodyJoint& joint : out) joint.parent = parent_of(model, joint.node, out);
    return out;
}

}  // namespace ductile
