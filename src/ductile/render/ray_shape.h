// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/picture_options.h>
#include <ductile/record/recording.h>
#include <ductile/render/ray_device.h>
#include <ductile/render/shading_math.h>
#include <ductile/render/texture.h>
#include <ductile/skin/render_skin.h>

#include <embree3/rtcore.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// What all shapes of one asset share.
struct DrawnAsset {
    DrawnAsset(std::shared_ptr<const SurfaceAsset> asset, const TextureStore& store);

    RenderSkin skin;
    std::vector<const TextureMap*> textures;  ///< Per look; null where none can be drawn.
    bool is_see_through = false;              ///< In places: glass, or holes in a picture.

    const RenderMesh& mesh() const { return skin.asset().render; }
    const Look& look(std::uint32_t triangle) const;
    const TextureMap* texture(std::uint32_t triangle) const;
    /// At a place inside a triangle, as Embree names it. Requires: the mesh has uvs.
    Vec2 uv(std::uint32_t triangle, float u, float v) const;
    /// Of the picture there; 1 without one.
    float alpha(std::uint32_t triangle, float u, float v) const;
};

/// One shape that some body takes, with a tree over its triangles. Stays where it was built.
struct RayShape {
    const DrawnAsset* asset = nullptr;
    std::vector<Vec3f> points;  ///< One more than there are: Embree reads 16 bytes at a time.
    std::vector<Vec3f> normals;
    std::vector<Vec3f> measures;  ///< Of damage, per vertex; empty: none.
    ColourBy measured = ColourBy::None;
    RayTree tree;
    bool is_used = false;

    const RenderMesh& mesh() const { return asset->mesh(); }

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
    const DrawnAsset* const* assets = nullptr;  ///< By instance.
    GlassRule glass = GlassRule::Stop;
    std::uint32_t seed = 0;
    float through = 1.0f;  ///< Share of light that is left, with GlassRule::Dim.
};

/// Whether a body can be drawn: has an asset, sizes agree, indices exist, vertices are finite.
Status check_drawable(const RecordedBody& body);

}  // namespace ductile
