// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/picture_options.h>
#include <ductile/record/recording.h>
#include <ductile/render/shading_math.h>
#include <ductile/render/texture.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// A straight line of sight.
struct Ray {
    Vec3f origin;
    Vec3f direction;  ///< Unit.
};

/// Where a ray met a surface. All in world directions, positions relative to the scene's origin.
struct SurfaceHit {
    float distance = 0.0f;
    Vec3f position;
    Vec3f face_normal;     ///< Of the flat triangle; unit, towards where the ray came from.
    Vec3f normal;          ///< Smooth; unit, towards where the ray came from.
    Vec3f light_position;  ///< Where rays towards light start: lifted off coarse triangles.
    Vec3 rest_b;           ///< The same place in the body's rest shape [m].
    const Look* look = nullptr;
    Vec3f tint = Vec3f::Ones();           ///< Of the vertices' colours.
    float alpha = 1.0f;                   ///< Of the picture.
    const TextureMap* texture = nullptr;  ///< The look's picture, where it can be drawn.
    Vec2 uv = Vec2::Zero();               ///< Where on it.
    double uv_per_metre = 0.0;            ///< How far uv goes along the surface [1/m].
    bool is_measured = false;             ///< Whether the body's damage is shown.
    Vec3f measure = Vec3f::Zero();        ///< Of the damage there, as DamageScale takes it.
};

/// The bodies of a recording at one frame, ready for rays.
///
/// A shape is built once and then only moved: bodies that share an asset share its rest shape, and
/// a shape that the next frame does not use is forgotten. Needs about 150 bytes per triangle.
class RayScene {
public:
    /// Requires: `recording` outlives this. Error: a body without asset, a mesh with a bad index,
    /// sizes that do not agree, a rest position that is not finite (`where` names the body).
    /// Pictures are decoded here; one that cannot be is left out, and notes() says so.
    static Result<RayScene> make(const Recording& recording);

    RayScene(RayScene&&) noexcept;
    RayScene& operator=(RayScene&&) noexcept;
    ~RayScene();

    /// Places every present body as `frame` says, relative to `origin_w`, which becomes zero.
    /// With a `colour_by` the damage of bodies that take more than one shape is measured.
    /// Error: a frame of another recording, a shape that does not exist, a pose or a point that is
    /// not finite.
    Status place(const Frame& frame, const Vec3& origin_w, ColourBy colour_by = ColourBy::None);

    /// The nearest surface along a ray, further than 0. False if there is none.
    /// A picture's alpha cuts holes: opaque looks let a ray through where it is below one half,
    /// glass where it is next to nothing.
    /// Glass stops the ray always if `sees_glass`, otherwise as often as it is opaque: `seed`
    /// decides.
    bool trace(const Ray& ray, bool sees_glass, std::uint32_t seed, SurfaceHit& hit) const;

    /// The share of light that reaches the origin of a ray from its far end: 0 behind anything
    /// opaque, less with every pane of glass on the way.
    float light_through(const Ray& ray) const;

    /// What is drawn otherwise than its file says, in words.
    const std::vector<std::string>& notes() const;

    /// How many shapes were built since make(), for tests and reports.
    std::int64_t builds() const;

private:
    struct State;
    explicit RayScene(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ductile
