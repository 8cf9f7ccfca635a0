// SPDX-License-Identifier: MIT
#include <ductile/record/shown_hash.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <functional>

using namespace ductile;

namespace {

SurfaceAsset painted_ball() {
    SurfaceAsset asset;
    asset.surface = test::sphere_mesh(1.0, 1);
    RenderMesh& mesh = asset.render;
    mesh.points = asset.surface.points;
    mesh.normals = mesh.points;
    mesh.uvs.assign(mesh.points.size(), Vec2(0.25, 0.5));
    mesh.colours.assign(mesh.points.size(), Vec4(1, 0, 0, 1));
    mesh.triangles = asset.surface.triangles;
    mesh.triangle_looks.assign(mesh.triangles.size(), 0);
    mesh.looks = {Look{}, Look{}};
    mesh.looks[1].texture = std::make_shared<Texture>(Texture{"dots", "image/png", {std::byte{7}}});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        asset.anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(i)));
    }
    return asset;
}

/// A film of one frame; `change` alters its parts before they are put together.
std::uint64_t hash_of(const std::function<void(SurfaceAsset&, Recording&)>& change = {}) {
    auto asset = std::make_shared<SurfaceAsset>(painted_ball());
    Recording recording;
    RecordedBody& body = recording.bodies.emplace_back();
    body.name = "ball";
    body.shapes = {asset->surface.points};
    recording.frames.push_back({0.5, {BodyFrame{}}});
    if (change) change(*asset, recording);
    recording.bodies[0].asset = asset;
    return shown_hash(recording);
}

}  // namespace

TEST_CASE("whatever is drawn counts, and nothing else") {
    const std::uint64_t hash = hash_of();
    CHECK(hash_of() == hash);
    const std::function<void(SurfaceAsset&, Recording&)> changes[] = {
        [](SurfaceAsset& a, Recording&) { a.render.points[3].x() += 1e-12; },
        [](SurfaceAsset& a, Recording&) { a.render.normals[3].y() += 1e-12; },
        [](SurfaceAsset& a, Recording&) { a.render.uvs[5].y() = 0.75; },
        [](SurfaceAsset& a, Recording&) { a.render.colours[5].w() = 0.5; },
        [](SurfaceAsset& a, Recording&) {
            std::swap(a.render.triangles[0], a.render.triangles[1]);
        },
        [](SurfaceAsset& a, Recording&) { a.render.triangle_looks[0] = 1; },
        [](SurfaceAsset& a, Recording&) { a.render.looks[0].roughness = 0.1; },
        [](SurfaceAsset& a, Recording&) { a.render.looks[0].is_two_sided = true; },
        [](SurfaceAsset& a, Recording&) { a.render.looks[1].texture.reset(); },
        [](SurfaceAsset& a, Recording&) {
            a.render.looks[1].texture =
                std::make_shared<Texture>(Texture{"dots", "image/png", {std::byte{8}}});
        },
        [](SurfaceAsset& a, Recording&) { a.anchors[2] = SurfaceAnchor::on_point(0); },
        [](SurfaceAsset& a, Recording&) {
            a.riders.push_back({0, {1}, {1.0}});
        },
        [](SurfaceAsset&, Recording& r) { r.bodies[0].shapes[0][1].z() += 1e-12; },
        [](SurfaceAsset&, Recording& r) { r.frames[0].bodies[0].pose_w.translation.x() = 1e-12; },
        [](SurfaceAsset&, Recording& r) { r.frames[0].bodies[0].is_present = false; },
        [](SurfaceAsset&, Recording& r) { r.frames[0].time = 0.6; },
        [](SurfaceAsset&, Recording& r) { r.bodies[0].name = "egg"; },
        [](SurfaceAsset&, Recording& r) { r.bodies[0].is_hidden = true; },
    };
    for (std::size_t i = 0; i < std::size(changes); ++i) {
        CAPTURE(i);
        CHECK(hash_of(changes[i]) != hash);
    }
    // Shapes that no frame shows, and what is told beside the pictures.
    CHECK(hash_of([](SurfaceAsset&, Recording& r) {
              r.bodies[0].shapes.push_back({Vec3::Zero()});
              r.hits.emplace_back();
              r.energy.emplace_back();
          }) == hash);
}
