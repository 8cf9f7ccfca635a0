// SPDX-License-Identifier: MIT
#include <ductile/render/ray_shape.h>

#include <doctest/doctest.h>
#include <image/test_pictures.h>
#include <render/test_shapes.h>

#include <cmath>
#include <limits>

using namespace ductile;

namespace {

/// Two triangles side by side in the plane z = 0, of a look each.
std::shared_ptr<SurfaceAsset> two_panes(const Look& left, const Look& right) {
    RenderMesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}};
    mesh.normals.assign(6, Vec3::UnitZ());
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    auto asset = test::asset_of(std::move(mesh), left);
    asset->render.looks.push_back(right);
    asset->render.triangle_looks = {0, 1};
    asset->render.uvs = {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {0.5, 0}, {0, 0.5}};
    return asset;
}

/// How many of the dice let a ray at `x` pass, or what is left of its light; through an instance,
/// as scenes have it.
struct PaneRays {
    PaneRays(const DrawnAsset& drawn_, std::span<const Vec3> surface)
        : device(make_ray_device().value()), drawn(&drawn_) {
        shape.build(device.get(), drawn_, surface);
        const RayGeometry instance(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_INSTANCE));
        rtcSetGeometryInstancedScene(instance.get(), shape.tree.get());
        rtcCommitGeometry(instance.get());
        world.reset(rtcNewScene(device.get()));
        rtcAttachGeometryByID(world.get(), instance.get(), 0);
        build_tree(world.get());
    }
    /// How far the ray from z = 5 down came; infinity: it met nothing.
    float way(float x, float y, RayContext& context) const {
        rtcInitIntersectContext(&context.rtc);
        context.assets = &drawn;
        RTCRayHit ray{};
        ray.ray.org_x = x;
        ray.ray.org_y = y;
        ray.ray.org_z = 5.0f;
        ray.ray.dir_z = -1.0f;
        ray.ray.tfar = std::numeric_limits<float>::infinity();
        ray.ray.mask = ~0U;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(world.get(), &context.rtc, &ray);
        return ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? INFINITY : ray.ray.tfar;
    }

    RayDevice device;
    const DrawnAsset* drawn;
    RayShape shape;
    RayTree world;
};

}  // namespace

TEST_CASE("a shape's tree holds the triangles that the skin makes of a surface") {
    const auto asset = two_panes(Look{}, Look{});
    const DrawnAsset drawn(asset, TextureStore{});
    CHECK_FALSE(drawn.is_see_through);
    std::vector<Vec3> surface = asset->surface.points;
    for (int v = 3; v < 6; ++v) surface[v].z() = 2.0;
    const PaneRays rays(drawn, surface);
    CHECK(rays.shape.points.size() == 7);
    CHECK(rays.shape.points[4] == Vec3f(3, 0, 2));
    CHECK(rays.shape.normals.size() == 6);
    RayContext context;
    CHECK(rays.way(0.2f, 0.2f, context) == 5.0f);
    CHECK(rays.way(2.2f, 0.2f, context) == 3.0f);
    CHECK(rays.way(1.5f, 0.2f, context) == INFINITY);
}

TEST_CASE("glass stops a ray, lets as much of the dice pass as it is clear, or dims its light") {
    const auto asset = two_panes(Look{.opacity = 0.25}, Look{});
    const DrawnAsset drawn(asset, TextureStore{});
    CHECK(drawn.is_see_through);
    const PaneRays rays(drawn, asset->surface.points);
    RayContext stop;
    CHECK(rays.way(0.2f, 0.2f, stop) == 5.0f);
    RayContext dim{.glass = GlassRule::Dim};
    CHECK(rays.way(0.2f, 0.2f, dim) == INFINITY);
    CHECK(dim.through == 0.75f);
    dim.through = 1.0f;
    CHECK(rays.way(2.2f, 0.2f, dim) == 5.0f);  // What is opaque stops it.
    CHECK(dim.through == 1.0f);
    int stopped = 0;
    constexpr int kThrows = 4000;
    for (int i = 0; i < kThrows; ++i) {
        RayContext dice{.glass = GlassRule::Dice, .seed = static_cast<std::uint32_t>(i)};
        stopped += rays.way(0.2f, 0.2f, dice) == 5.0f;
    }
    // Four times the deviation of as many throws: 4 sqrt(0.25 * 0.75 / n).
    CHECK(std::abs(stopped / double(kThrows) - 0.25) < 0.0275);
}

TEST_CASE("a picture's alpha cuts holes at its place on the triangle") {
    auto picture = std::make_shared<Texture>();
    const auto asset = two_panes(Look{.texture = picture, .has_holes = true}, Look{});
    TextureStore store;
    // Clear on the left half, opaque on the right one.
    store.maps.emplace(picture.get(),
                       TextureMap(RgbaImage{2, 1, {255, 255, 255, 0, 255, 255, 255, 255}}));
    const DrawnAsset drawn(asset, store);
    CHECK(drawn.is_see_through);
    CHECK(drawn.texture(0) == &store.maps.at(picture.get()));
    CHECK(drawn.texture(1) == nullptr);
    CHECK(drawn.alpha(1, 0.3f, 0.3f) == 1.0f);
    CHECK((drawn.uv(1, 0.5f, 0.25f) - Vec2(0.25, 0.125)).norm() < 1e-7);
    const PaneRays rays(drawn, asset->surface.points);
    RayContext context;
    CHECK(rays.way(0.25f, 0.1f, context) == INFINITY);
    CHECK(rays.way(0.75f, 0.1f, context) == 5.0f);
}

TEST_CASE("what has no asset, or one that does not hold together, is not drawable") {
    RecordedBody body;
    body.name = "ghost";
    CHECK(check_drawable(body).error().where == "body ghost");
    const auto asset = two_panes(Look{}, Look{});
    body.asset = asset;
    CHECK(check_drawable(body).ok());
    asset->render.triangles[1][2] = 6;
    CHECK_FALSE(check_drawable(body).ok());
    asset->render.triangles[1][2] = 5;
    asset->render.points[3].x() = std::nan("");
    CHECK_FALSE(check_drawable(body).ok());
}
