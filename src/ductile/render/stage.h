// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/brdf.h>
#include <ductile/render/colour_scale.h>
#include <ductile/render/ray_scene.h>
#include <ductile/render/render_options.h>
#include <ductile/render/sampler.h>
#include <ductile/render/sky.h>

namespace ductile {

/// What one camera ray brings back, split so that light can be smoothed apart from colour:
/// radiance = plain + sky_light + sun_light + gloss_light.
struct Seen {
    Vec3f plain = Vec3f::Zero();        ///< Free of noise: the sky itself, haze, glass.
    Vec3f sky_light = Vec3f::Zero();    ///< Matte reflection of sky and surroundings.
    Vec3f sun_light = Vec3f::Zero();    ///< Matte reflection of the sun.
    Vec3f gloss_light = Vec3f::Zero();  ///< Mirror-like reflection of everything.
    Vec3f matte_tint = Vec3f::Zero();   ///< The colour that sky_light and sun_light are tinted by.
    Vec3f gloss_tint = Vec3f::Zero();   ///< The colour that gloss_light is tinted by.
    Vec3f position = Vec3f::Zero();     ///< Of the surface seen; relative to the scene's origin.
    Vec3f normal = Vec3f::Zero();
    bool has_surface = false;
};

/// Everything that light meets: bodies, floor, sky and sun. Paths have one bounce; what lies
/// behind it is taken from the sky's average.
class Stage {
public:
    /// Requires: all outlive this; a haze distance above 0; `scene` was placed around `origin_w`,
    /// and measured what `damage` shows, which is null where bodies show their looks.
    Stage(const RayScene& scene, const Sky& sky, const RenderOptions& options, const Vec3& origin_w,
          const DamageScale* damage = nullptr);

    /// Follows one camera ray. `pixel_angle` is how wide a pixel looks [rad].
    Seen look(const Ray& ray, float pixel_angle, const PixelSampler& sampler,
              std::uint32_t sample) const;

private:
    struct Meeting {
        SurfaceHit surface;
        Paint paint;
        bool is_ground = false;
    };
    struct Dice {
        const PixelSampler& sampler;
        std::uint32_t sample;
        std::uint32_t seed;
    };

    /// How far the floor has faded into the horizon. Squared: the stage itself stays clear.
    float haze(float distance) const;
    bool meet(const Ray& ray, float blur, bool sees_glass, std::uint32_t seed,
              Meeting& meeting) const;
    bool meet_ground(const Ray& ray, float nearer_than, float blur, Meeting& meeting) const;
    Paint paint_of_body(const Ray& ray, float blur, const SurfaceHit& hit) const;
    Vec3f incoming(const Ray& ray, SampleUse sun_use, const Dice& dice) const;
    Vec3f bounced(const Meeting& meeting, const Ray& ray, SampleUse use, const Dice& dice) const;
    float sunlit(const Meeting& meeting, const Vec3f& towards) const;
    void shade(const Meeting& meeting, const Ray& ray, const Vec3f& through, const Dice& dice,
               Seen& seen) const;
    Vec3f reflection(const Meeting& meeting, const TangentFrame& frame, const Vec3f& view,
                     const Dice& dice) const;
    Vec3f glass(const Meeting& meeting, const Ray& ray, const Dice& dice, Vec3f& through) const;

    const RayScene& scene_;
    const Sky& sky_;
    const RenderOptions& options_;
    const DamageScale* damage_;
    Vec3 origin_w_;
    float ground_y_;
};

}  // namespace ductile
