// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/render_options.h>
#include <ductile/render/shading_math.h>

#include <array>

namespace ductile {

/// The light that comes from far away: a sky, a sun, and below the horizon what an endless floor
/// would send back.
class Sky {
public:
    /// Requires: options that check(RenderOptions) accepts.
    explicit Sky(const RenderOptions& options);

    /// Radiance from a direction (unit), the sun's own disc left out: it is a light of its own.
    Vec3f radiance(const Vec3f& direction) const;

    /// Radiance from all directions around a normal (unit), weighted by the cosine, turned about
    /// the vertical: what a matte white surface without neighbours would show.
    Vec3f ambient(const Vec3f& normal) const;

    /// What the eye sees last along a level line of sight; far ground fades into it.
    Vec3f horizon(const Vec3f& direction) const;

    bool has_sun() const { return sun_irradiance_.maxCoeff() > 0.0f; }
    const Vec3f& sun_direction() const { return sun_direction_; }    ///< Unit, towards the sun.
    const Vec3f& sun_irradiance() const { return sun_irradiance_; }  ///< On a surface facing it.
    float sun_radius() const { return sun_radius_; }  ///< Tangent of the angle middle to rim.

    /// A direction towards some point of the sun, for u, v in [0, 1).
    Vec3f sample_sun(float u, float v) const;

private:
    static constexpr int kAmbientSteps = 33;

    Vec3f upper(const Vec3f& direction) const;
    Vec3f gather(float normal_y) const;

    SkyKind kind_;
    float strength_;
    Vec3f sun_direction_;
    Vec3f sun_irradiance_;
    float sun_radius_;
    TangentFrame sun_frame_;
    Vec3f floor_ = Vec3f::Zero();                 ///< Radiance from straight below.
    std::array<Vec3f, kAmbientSteps> ambient_{};  ///< By the height of the normal, -1 to 1.
};

}  // namespace ductile
