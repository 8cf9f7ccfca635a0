// SPDX-License-Identifier: MIT
#include <ductile/export/glb_mesh.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Json = GlbBuilder::Json;

// A delta below this share of the shape tolerance is left out: it costs bytes and shows nothing.
constexpr double kNegligible = 1e-3;
// The same for normals, which have no tolerance of their own: a tenth of a grey level of 256.
constexpr double kNegligibleTurn = 4e-4;

void append(std::vector<float>& out, const Vec3& v) {
    for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}

std::vector<float> gather(const std::vector<Vec3>& values, const RenderPart& part) {
    std::vector<float> out;
    out.reserve(3 * part.vertices.size());
    for (const std::int32_t v : part.vertices) append(out, values[v]);
    return out;
}

// Differences of the floats that readers will add up, so that rounding does not add up too.
std::vector<float> deltas(const std::vector<Vec3>& to, const std::vector<Vec3>& from,
                          const RenderPart& part, double negligible) {
    std::vector<float> out;
    out.reserve(3 * part.vertices.size());
    for (const std::int32_t v : part.vertices) {
        const Vec3 rest = from[v].cast<float>().cast<double>();
        const Vec3 delta = to[v] - rest;
        const bool moves = (to[v] - from[v]).norm() > negligible;
        append(out, moves ? delta : Vec3(0, 0, 0));
    }
    return out;
}

// A normal that is none (a vertex without a usable face) takes the fallback: readers want length 1.
Vec3 unit_or(const Vec3& n, const Vec3& fallback) {
    const double length = n.norm();
    return length > 0.0 && std::isfinite(length) ? Vec3(n / length) : fallback;
}

double unit(double x) { return std::clamp(x, 0.0, 1.0); }

}  // namespace

int GlbMeshes::add_look(const Look& look, bool is_open) {
    const std::vector<double> numbers = {unit(look.base_colour.x()), unit(look.base_colour.y()),
                                         unit(look.base_colour.z()), unit(look.opacity),
                                         unit(look.metallic),        unit(look.roughness)};
    const auto [known, is_new] = looks_.try_emplace({look.name, numbers, is_open}, 0);
    if (!is_new) return known->second;
    Json material = {{"name", look.name}};
    material["pbrMetallicRoughness"] = {
        {"baseColorFactor", {numbers[0], numbers[1], numbers[2], numbers[3]}},
        {"metallicFactor", numbers[4]},
        {"roughnessFactor", numbers[5]}};
    if (numbers[3] < 1.0) material["alphaMode"] = "BLEND";
    if (is_open) material["doubleSided"] = true;
    return known->second = builder_.add("materials", std::move(material));
}

Json GlbMeshes::primitive_of(const Asset& asset, const RenderPart& part, bool is_open) {
    const RenderMesh& mesh = asset.source->render;
    Json attributes = Json::object();
    attributes["POSITION"] = builder_.add_vertices(gather(mesh.points, part), 3);
    attributes["NORMAL"] = builder_.add_vertices(gather(asset.normals, part), 3);
    if (!mesh.uvs.empty()) {
        std::vector<float> uvs;
        uvs.reserve(2 * part.vertices.size());
        for (const std::int32_t v : part.vertices) {
            for (int i = 0; i < 2; ++i) uvs.push_back(static_cast<float>(mesh.uvs[v][i]));
        }
        attributes["TEXCOORD_0"] = builder_.add_vertices(uvs, 2);
    }
    std::vector<std::uint32_t> corners;
    corners.reserve(3 * part.triangles.size());
    for (const Triangle& t : part.triangles) {
        for (const std::int32_t v : t) corners.push_back(static_cast<std::uint32_t>(v));
    }
    return {{"attributes", std::move(attributes)},
            {"indices", builder_.add_indices(corners, part.vertices.size())},
            {"material", add_look(mesh.looks[part.look], is_open)}};
}

GlbMeshes::Asset& GlbMeshes::asset_of(const RecordedBody& body) {
    for (const std::unique_ptr<Asset>& known : assets_) {
        if (known->source == body.asset) return *known;
    }
    assets_.push_back(std::make_unique<Asset>());
    Asset& asset = *assets_.back();
    asset.source = body.asset;
    asset.parts = split_by_look(body.asset->render);
    asset.normals = body.asset->render.normals;
    for (Vec3& n : asset.normals) n = unit_or(n, Vec3::UnitY());
    asset.primitives = Json::array();
    const bool is_open = !is_closed(body.asset->surface.triangles);
    for (const RenderPart& part : asset.parts) {
        asset.primitives.push_back(primitive_of(asset, part, is_open));
    }
    return asset;
}

Json GlbMeshes::targets_of(const Asset& asset, const RecordedBody& body, const ShapeTrack& shapes,
                           double tolerance) {
    const RenderSkin skin(asset.source);
    const std::vector<Vec3>& rest = asset.source->render.points;
    Json targets = Json::array();  // per part, per key
    for (std::size_t p = 0; p < asset.parts.size(); ++p) targets.push_back(Json::array());
    std::vector<Vec3> points, normals;
    for (const std::int32_t key : shapes.keys) {
        skin.pose(body.shapes[key], points, normals);
        for (std::size_t v = 0; v < normals.size(); ++v) {
            normals[v] = unit_or(normals[v], asset.normals[v]);
        }
        for (std::size_t p = 0; p < asset.parts.size(); ++p) {
            const RenderPart& part = asset.parts[p];
            const std::vector<float> moves = deltas(points, rest, part, kNegligible * tolerance);
            const std::vector<float> turns =
                deltas(normals, asset.normals, part, tolerance > 0.0 ? kNegligibleTurn : 0.0);
            targets[p].push_back(
                {{"POSITION", builder_.add_deltas(moves)}, {"NORMAL", builder_.add_deltas(turns)}});
        }
    }
    return targets;
}

int GlbMeshes::add_body(const RecordedBody& body, const ShapeTrack& shapes, double tolerance) {
    if (body.asset->render.triangles.empty()) return -1;
    Asset& asset = asset_of(body);
    if (shapes.keys.empty() && asset.rest_mesh >= 0) return asset.rest_mesh;
    Json mesh = {{"name", body.name}, {"primitives", asset.primitives}};
    if (shapes.keys.empty()) return asset.rest_mesh = builder_.add("meshes", std::move(mesh));

    Json targets = targets_of(asset, body, shapes, tolerance);
    for (std::size_t p = 0; p < asset.parts.size(); ++p) {
        mesh["primitives"][p]["targets"] = std::move(targets[p]);
    }
    mesh["weights"] = key_weights(shapes, shapes.frames[0]);
    // targetNames is what Blender and three.js read to label shape keys.
    Json names = Json::array();
    for (const std::int32_t key : shapes.keys) names.push_back("shape " + std::to_string(key));
    mesh["extras"] = {{"targetNames", std::move(names)}, {"shape_error", shapes.error}};
    return builder_.add("meshes", std::move(mesh));
}

}  // namespace ductile
