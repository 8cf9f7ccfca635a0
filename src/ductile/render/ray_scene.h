// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/render/shading_math.h>

#include <cstdint>
#include <memory>

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
};

/// The bodies of a recording at one frame, ready for rays.
///
/// A shape is built once and then only moved: bodies that share an asset share its rest shape, and
/// a shape that the next frame does not use is forgotten. Needs about 150 bytes per triangle.
class RayScene {
public:
    /// Requires: `recording` outlives this. Error: a body without asset, a mesh with a bad index,
    /// sizes that do not agree, a rest position that is not finite (`where` names the body).
    static Result<RayScene> make(const Recording& recording);

    RayScene(RayScene&&) noexcept;
    RayScene& operator=(RayScene&&) noexcept;
    ~RayScene();

    /// Places every present body as `frame` says, relative to `origin_w`, which becomes zero.
    /// Error: a frame of another recording, a shape that does not exist, a pose or a point that is
    /// not finite.
    Status place(const Frame& frame, const Vec3& origin_w);

    /// The nearest surface along a ray, further than 0. False if there is none.
    /// Glass stops the ray always if `sees_glass`, otherwise as often as it is opaque: `seed`
    /// decides.
    bool trace(const Ray& ray, bool sees_glass, std::uint32_t seed, SurfaceHit& hit) const;

    /// The share of light that reaches the origin of a ray from its far end: 0 behind anything
    /// opaque, less with every pane of glass on the way.
    float light_through(const Ray& ray) const;

    /// How many shapes were built since make(), for tests and reports.
    std::int64_t builds() const;

private:
    struct State;
    explicit RayScene(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ductile
