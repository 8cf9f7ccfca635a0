// SPDX-License-Identifier: MIT
#include <ductile/geom/check_asset.h>
#include <ductile/render/ray_shape.h>
#include <ductile/render/sampler.h>

#include <algorithm>

namespace ductile {
namespace {

// Only attached to shapes with glass: others never pay for it.
void pass_through_glass(const RTCFilterFunctionNArguments* arguments) {
    auto* context = reinterpret_cast<RayContext*>(arguments->context);
    if (context->glass == GlassRule::Stop) return;
    const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);  // N is 1: single rays only
    const RenderMesh& mesh = *context->meshes[hit->instID[0]];
    const double opacity = mesh.looks[mesh.triangle_looks[hit->primID]].opacity;
    if (opacity >= 1.0) return;
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

DrawnAsset::DrawnAsset(std::shared_ptr<const SurfaceAsset> asset) : skin(std::move(asset)) {
    for (const Look& look : skin.asset().render.looks) has_glass |= look.opacity < 1.0;
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
    if (drawn.has_glass) {
        rtcSetGeometryIntersectFilterFunction(geometry.get(), pass_through_glass);
        rtcSetGeometryOccludedFilterFunction(geometry.get(), pass_through_glass);
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
