// SPDX-License-Identifier: MIT
#include <ductile/geom/repair/check_asset.h>
#include <ductile/render/ray_shape.h>
#include <ductile/render/sampler.h>

#include <algorithm>

namespace ductile {
namespace {

constexpr float kHole = 0.5f;       // glTF's default: less alpha than this is cut away
constexpr float kClearest = 0.01f;  // of glass: what has less alpha, or opacity, is not even glossy

// Only attached to shapes that one sees through in places: others never pay for it.
void pass_through(const RTCFilterFunctionNArguments* arguments) {
    auto* context = reinterpret_cast<RayContext*>(arguments->context);
    const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);  // N is 1: single rays only
    const DrawnAsset& asset = *context->assets[hit->instID[0]];
    const Look& look = asset.look(hit->primID);
    const bool is_glass = look.opacity < 1.0;
    const float alpha = asset.alpha(hit->primID, hit->u, hit->v);
    const bool is_nothing = look.opacity < static_cast<double>(kClearest);
    if (is_nothing || alpha < (is_glass ? kClearest : kHole)) {
        arguments->valid[0] = 0;
        return;
    }
    if (!is_glass || context->glass == GlassRule::Stop) return;
    const double opacity = look.opacity * static_cast<double>(alpha);
    if (context->glass == GlassRule::Dim) {
        context->through *= static_cast<float>(1.0 - opacity);
        arguments->valid[0] = 0;
        return;
    }
    const std::uint32_t dice =
        PixelSampler::hash(context->seed ^ PixelSampler::hash(hit->primID * 64 + hit->instID[0]));
    if (dice * 0x1.0p-32 >= opacity) arguments->valid[0] = 0;
}

}  // namespace

DrawnAsset::DrawnAsset(std::shared_ptr<const SurfaceAsset> asset, const TextureStore& store)
    : skin(std::move(asset)) {
    for (const Look& look : mesh().looks) {
        const TextureMap* map = mesh().uvs.empty() ? nullptr : store.find(look.texture.get());
        textures.push_back(map);
        is_see_through |= look.opacity < 1.0 || (map && look.has_holes && !map->is_opaque());
    }
}

const Look& DrawnAsset::look(std::uint32_t triangle) const {
    return mesh().looks[mesh().triangle_looks[triangle]];
}

const TextureMap* DrawnAsset::texture(std::uint32_t triangle) const {
    return textures[mesh().triangle_looks[triangle]];
}

Vec2 DrawnAsset::uv(std::uint32_t triangle, float u, float v) const {
    const Triangle& t = mesh().triangles[triangle];
    const double second = u, third = v;
    return (1.0 - second - third) * mesh().uvs[t[0]] + second * mesh().uvs[t[1]] +
           third * mesh().uvs[t[2]];
}

float DrawnAsset::alpha(std::uint32_t triangle, float u, float v) const {
    const TextureMap* map = look(triangle).has_holes ? texture(triangle) : nullptr;
    return map && !map->is_opaque() ? map->alpha(uv(triangle, u, v)) : 1.0f;
}

void RayShape::build(RTCDevice device, const DrawnAsset& drawn, std::span<const Vec3> surface) {
    asset = &drawn;
    std::vector<Vec3> posed, turned;
    drawn.skin.pose(surface, posed, turned);
    points.reserve(posed.size() + 1);
    normals.reserve(turned.size());
    for (const Vec3& p : posed) points.push_back(p.cast<float>());
    for (const Vec3& n : turned) normals.push_back(n.cast<float>());
    points.push_back(Vec3f::Zero());

    const RayGeometry geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE));
    rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               points.data(), 0, sizeof(Vec3f), points.size() - 1);
    const std::vector<Triangle>& triangles = mesh().triangles;
    auto* indices = static_cast<Triangle*>(
        rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                sizeof(Triangle), triangles.size()));
    std::copy(triangles.begin(), triangles.end(), indices);
    if (drawn.is_see_through) {
        rtcSetGeometryIntersectFilterFunction(geometry.get(), pass_through);
        rtcSetGeometryOccludedFilterFunction(geometry.get(), pass_through);
    }
    rtcCommitGeometry(geometry.get());
    tree.reset(rtcNewScene(device));
    rtcSetSceneFlags(tree.get(), RTC_SCENE_FLAG_ROBUST);
    rtcAttachGeometry(tree.get(), geometry.get());
    build_tree(tree.get());
}

Status check_drawable(const RecordedBody& body) {
    const std::string where = "body " + body.name;
    if (!body.asset) return Error{"has no asset to draw", where, ""};
    if (const Status fine = check_asset(*body.asset); !fine) {
        return Error{fine.error().what, where, ""};
    }
    return {};
}

}  // namespace ductile
