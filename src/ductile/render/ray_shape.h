// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/render/ray_device.h>
#include <ductile/render/shading_math.h>
#include <ductile/skin/render_skin.h>

#include <embree3/rtcore.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// What all shapes of one asset share.
struct DrawnAsset {
    explicit DrawnAsset(std::shared_ptr<const SurfaceAsset> asset);

    RenderSkin skin;
    bool has_glass = false;
};

/// One shape that some body takes, with a tree over its triangles. Stays where it was built.
struct RayShape {
    const DrawnAsset* asset = nullptr;
    std::vector<Vec3f> points;  ///< One more than there are: Embree reads 16 bytes at a time.
    std::vector<Vec3f> normals;
    RayTree tree;
    bool is_used = false;

    const RenderMesh& mesh() const { return asset->skin.asset().render; }

    /// Fills everything. Requires: finite points, as many as the asset's surface has.
    void build(RTCDevice device, const DrawnAsset& drawn, std::span<const Vec3> surface);
};

/// How a ray takes glass.
enum class GlassRule {
    Stop,  ///< As any surface.
    Dice,  ///< Stops as often as the glass is opaque; `seed` decides.
    Dim,   ///< Passes and loses the opaque share of its light; what is opaque stops it.
};

/// What goes along with a ray. Requires: `rtc` initialised, given to Embree by its address.
struct RayContext {
    RTCIntersectContext rtc;                    // first: Embree hands its address back
    const RenderMesh* const* meshes = nullptr;  ///< By instance.
    GlassRule glass = GlassRule::Stop;
    std::uint32_t seed = 0;
    float through = 1.0f;  ///< Share of light that is left, with GlassRule::Dim.
};

/// Whether a body can be drawn: has an asset, sizes agree, indices exist, vertices are finite.
Status check_drawable(const RecordedBody& body);

}  // namespace ductile
