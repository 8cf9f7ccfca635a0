// SPDX-License-Identifier: MIT
#include <ductile/export/player/player_bytes.h>
#include <ductile/export/player/player_mesh.h>
#include <ductile/export/track/render_parts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// What a vertex's place depends on: where it begins, and what it follows.
struct PlaceKey {
    std::array<double, 6> numbers;
    std::array<std::int32_t, 4> followed;
    auto operator<=>(const PlaceKey&) const = default;
};

PlaceKey place_key(const SurfaceAsset& asset, std::size_t v, std::int32_t rider) {
    const Vec3& p = asset.render.points[v];
    const SurfaceAnchor& a = asset.anchors[v];
    if (rider >= 0) return {{p.x(), p.y(), p.z(), 0, 0, 0}, {0, 0, 0, rider}};
    return {{p.x(), p.y(), p.z(), a.weights.x(), a.weights.y(), a.weights.z()},
            {a.points[0], a.points[1], a.points[2], -1}};
}

std::vector<std::int32_t> riders_of_vertices(const SurfaceAsset& asset) {
    std::vector<std::int32_t> riders(asset.render.points.size(), -1);
    for (std::size_t r = 0; r < asset.riders.size(); ++r) {
        const MeshPart& part = asset.render.parts[asset.riders[r].part];
        std::fill_n(riders.begin() + part.first_vertex, part.vertex_count,
                    static_cast<std::int32_t>(r));
    }
    return riders;
}

// Parts of a whole number range, for the graphics card to read as [-1, 1] or [0, 1].
std::int16_t signed_share(double x) {
    return static_cast<std::int16_t>(std::lround(32767.0 * std::clamp(x, -1.0, 1.0)));
}
std::uint16_t share(double x) {
    return static_cast<std::uint16_t>(std::lround(65535.0 * std::clamp(x, 0.0, 1.0)));
}

std::vector<float> place_points(const RenderMesh& mesh, const VertexPlaces& places) {
    std::vector<float> points;
    points.reserve(3 * places.vertices.size());
    for (const std::int32_t v : places.vertices) {
        for (int k = 0; k < 3; ++k) points.push_back(static_cast<float>(mesh.points[v][k]));
    }
    return points;
}

std::vector<std::int16_t> packed_normals(const RenderMesh& mesh) {
    std::vector<std::int16_t> normals;
    normals.reserve(3 * mesh.normals.size());
    for (const Vec3& n : mesh.normals) {
        for (int k = 0; k < 3; ++k) normals.push_back(signed_share(n[k]));
    }
    return normals;
}

std::vector<float> packed_uvs(const RenderMesh& mesh) {
    std::vector<float> uvs;
    uvs.reserve(2 * mesh.uvs.size());
    for (const Vec2& uv : mesh.uvs) {
        uvs.push_back(static_cast<float>(uv.x()));
        uvs.push_back(static_cast<float>(uv.y()));
    }
    return uvs;
}

std::vector<std::uint16_t> packed_colours(const RenderMesh& mesh) {
    std::vector<std::uint16_t> colours;
    colours.reserve(4 * mesh.colours.size());
    for (const Vec4& c : mesh.colours) {
        for (int k = 0; k < 4; ++k) colours.push_back(share(c[k]));
    }
    return colours;
}

bool has_picture(const Look& look) { return look.texture && !look.texture->bytes.empty(); }

}  // namespace

VertexPlaces vertex_places(const SurfaceAsset& asset) {
    const std::size_t count = asset.render.points.size();
    const std::vector<std::int32_t> riders = riders_of_vertices(asset);
    std::vector<PlaceKey> keys;
    keys.reserve(count);
    for (std::size_t v = 0; v < count; ++v) keys.push_back(place_key(asset, v, riders[v]));
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return keys[a] < keys[b]; });
    std::vector<std::int32_t> first(count);  // of the vertices at the same place
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_alike = i > 0 && keys[order[i]] == keys[order[i - 1]];
        first[order[i]] = is_alike ? first[order[i - 1]] : order[i];
    }
    VertexPlaces places;
    places.place_of.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
        const auto at = static_cast<std::int32_t>(v);
        if (first[v] == at) {
            places.place_of[v] = static_cast<std::int32_t>(places.vertices.size());
            places.vertices.push_back(at);
        } else {
            places.place_of[v] = places.place_of[first[v]];
        }
    }
    return places;
}

int PlayerMeshes::add_texture(const std::shared_ptr<const Texture>& texture, std::string& data) {
    const auto [known, is_new] =
        known_textures_.try_emplace(texture.get(), static_cast<int>(textures_.size()));
    if (is_new) {
        const std::size_t at = append_bytes(data, texture->bytes.data(), texture->bytes.size());
        textures_.push_back({{"type", texture->mime_type == "image/png" ? "png" : "jpeg"},
                             {"at", at},
                             {"size", texture->bytes.size()}});
    }
    return known->second;
}

Json PlayerMeshes::looks_of(const SurfaceAsset& asset, std::string& indices, std::string& data) {
    const RenderMesh& mesh = asset.render;
    // As in GLB: what comes from a file knows its sides, what does not shows both where it is open.
    const bool is_open = mesh.parts.empty() && !is_closed(asset.surface.triangles);
    Json looks = Json::array();
    std::int32_t last = 0;
    std::size_t first = 0;
    for (const RenderPart& part : split_by_look(mesh)) {
        const Look& look = mesh.looks[part.look];
        for (const Triangle& t : part.triangles) {
            for (const std::int32_t corner : t) {
                append_signed(indices, part.vertices[corner] - last);
                last = part.vertices[corner];
            }
        }
        const std::size_t count = 3 * part.triangles.size();
        const Vec3& c = look.base_colour;
        looks.push_back({{"name", look.name},
                         {"colour", {c.x(), c.y(), c.z()}},
                         {"metallic", look.metallic},
                         {"roughness", look.roughness},
                         {"opacity", look.opacity},
                         {"two_sided", look.is_two_sided || is_open},
                         {"holes", look.has_holes},
                         {"texture", has_picture(look) ? add_texture(look.texture, data) : -1},
                         {"first", first},
                         {"count", count}});
        first += count;
    }
    return looks;
}

int PlayerMeshes::add(const std::shared_ptr<const SurfaceAsset>& asset, std::string& data) {
    const auto [known, is_new] =
        known_assets_.try_emplace(asset.get(), static_cast<int>(assets_.size()));
    if (!is_new) return known->second;
    const RenderMesh& mesh = asset->render;
    places_.push_back(vertex_places(*asset));
    const VertexPlaces& places = places_.back();
    std::string numbers;
    std::int32_t last = 0;
    for (const std::int32_t place : places.place_of) {
        append_signed(numbers, place - last);
        last = place;
    }
    Json looks = looks_of(*asset, numbers, data);
    const bool is_pictured = std::any_of(mesh.looks.begin(), mesh.looks.end(), has_picture);
    const Box box = bounds(mesh.points);
    const Vec3 middle = box.is_empty() ? Vec3(Vec3::Zero()) : box.centre();
    Json out = {{"places", places.vertices.size()},
                {"vertices", mesh.points.size()},
                {"looks", std::move(looks)},
                {"middle", {middle.x(), middle.y(), middle.z()}},
                {"radius", 0.5 * box.diagonal()},
                {"numbers", append_bytes(data, numbers.data(), numbers.size())},
                {"points", append_array(data, place_points(mesh, places))},
                {"normals", append_array(data, packed_normals(mesh))}};
    if (is_pictured) out["uvs"] = append_array(data, packed_uvs(mesh));
    if (!mesh.colours.empty()) out["colours"] = append_array(data, packed_colours(mesh));
    assets_.push_back(std::move(out));
    return known->second;
}

}  // namespace ductile
