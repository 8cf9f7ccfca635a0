// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/record/shown_hash.h>

#include <map>
#include <span>
#include <string_view>

namespace ductile {
namespace {

void add_whole(Hasher& hasher, std::int32_t number) {
    hasher.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(number)));
}

void add_size(Hasher& hasher, std::size_t size) { hasher.add(static_cast<std::uint64_t>(size)); }

void add_triangles(Hasher& hasher, std::span<const Triangle> triangles) {
    add_size(hasher, triangles.size());
    for (const Triangle& corners : triangles) {
        for (const std::int32_t corner : corners) add_whole(hasher, corner);
    }
}

void add_look(Hasher& hasher, const Look& look) {
    hasher.add(std::string_view(look.name));
    hasher.add(look.base_colour);
    for (const double part : {look.metallic, look.roughness, look.opacity}) hasher.add(part);
    add_whole(hasher, look.is_two_sided);
    add_whole(hasher, look.has_holes);
    add_whole(hasher, look.texture != nullptr);
    if (!look.texture) return;
    const std::vector<std::byte>& bytes = look.texture->bytes;
    hasher.add(std::string_view(look.texture->mime_type));
    hasher.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void add_render_mesh(Hasher& hasher, const RenderMesh& mesh) {
    hasher.add(std::span<const Vec3>(mesh.points));
    hasher.add(std::span<const Vec3>(mesh.normals));
    for (const Vec2& uv : mesh.uvs) {
        for (const double part : uv) hasher.add(part);
    }
    add_size(hasher, mesh.colours.size());
    for (const Vec4& colour : mesh.colours) {
        for (const double part : colour) hasher.add(part);
    }
    add_triangles(hasher, mesh.triangles);
    for (const std::int32_t look : mesh.triangle_looks) add_whole(hasher, look);
    add_size(hasher, mesh.looks.size());
    for (const Look& look : mesh.looks) add_look(hasher, look);
}

/// What carries the render mesh along with the surface.
void add_binding(Hasher& hasher, const SurfaceAsset& asset) {
    add_triangles(hasher, asset.surface.triangles);
    add_size(hasher, asset.anchors.size());
    for (const SurfaceAnchor& anchor : asset.anchors) {
        for (const std::int32_t point : anchor.points) add_whole(hasher, point);
        hasher.add(anchor.weights);
    }
    add_size(hasher, asset.riders.size());
    for (const Rider& rider : asset.riders) {
        add_whole(hasher, rider.part);
        add_size(hasher, rider.points.size());
        for (const std::int32_t point : rider.points) add_whole(hasher, point);
        for (const double weight : rider.weights) hasher.add(weight);
    }
}

std::uint64_t asset_hash(const SurfaceAsset& asset) {
    Hasher hasher;
    add_render_mesh(hasher, asset.render);
    add_binding(hasher, asset);
    return hasher.value();
}

/// Of each shape of a body; a shape may be shown at many frames, so it is taken once.
std::vector<std::uint64_t> shape_hashes(const RecordedBody& body) {
    std::vector<std::uint64_t> hashes;
    const auto take = [&](std::span<const Vec3> points) {
        Hasher hasher;
        hasher.add(points);
        hashes.push_back(hasher.value());
    };
    for (const std::vector<Vec3>& points : body.shapes) take(points);
    if (body.shapes.empty() && body.asset) take(body.asset->surface.points);
    return hashes;
}

}  // namespace

std::uint64_t shown_hash(const Recording& recording) {
    Hasher all;
    std::map<const SurfaceAsset*, std::uint64_t> of_assets;  // copies share theirs
    std::vector<std::vector<std::uint64_t>> of_shapes;
    for (const RecordedBody& body : recording.bodies) {
        all.add(std::string_view(body.name));
        add_whole(all, body.is_hidden);
        of_shapes.push_back(shape_hashes(body));
        if (!body.asset) continue;
        const auto [at, is_new] = of_assets.try_emplace(body.asset.get(), 0);
        if (is_new) at->second = asset_hash(*body.asset);
        all.add(at->second);
    }
    for (const Frame& frame : recording.frames) {
        all.add(frame.time);
        for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
            const BodyFrame& body = frame.bodies[b];
            add_whole(all, body.is_present);
            if (!body.is_present) continue;
            all.add(body.pose_w);
            const auto shape = static_cast<std::size_t>(body.shape);
            if (shape < of_shapes[b].size()) all.add(of_shapes[b][shape]);
        }
    }
    return all.value();
}

}  // namespace ductile
