// SPDX-License-Identifier: MIT
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
    const auto refuse = [&](const char* what) { return Error{what, "body " + body.name, ""}; };
    if (!body.asset) return refuse("has no asset to draw");
    const SurfaceAsset& asset = *body.asset;
    const RenderMesh& mesh = asset.render;
    const auto points = static_cast<std::int64_t>(mesh.points.size());
    if (mesh.normals.size() != mesh.points.size() ||
        asset.render_to_surface.size() != mesh.points.size()) {
        return refuse("needs one normal and one surface point per render vertex");
    }
    if (mesh.triangle_looks.size() != mesh.triangles.size())
        return refuse("needs a look per triangle");
    for (const Triangle& t : mesh.triangles) {
        for (std::int32_t v : t) {
            if (v < 0 || v >= points) return refuse("has a triangle with a bad index");
        }
    }
    for (std::int32_t look : mesh.triangle_looks) {
        if (look < 0 || look >= std::int64_t(mesh.looks.size()))
            return refuse("has a bad look index");
    }
    for (std::int32_t s : asset.render_to_surface) {
        if (s < 0 || s >= std::int64_t(asset.surface.points.size())) {
            return refuse("has a render vertex that follows no surface point");
        }
    }
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        if (!is_finite(mesh.points[i]) || !is_finite(mesh.normals[i])) {
            return refuse("has a render vertex that is not finite");
        }
    }
    return {};
}

}  // namespace ductile
