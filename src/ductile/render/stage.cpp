// SPDX-License-Identifier: MIT
#include <ductile/render/look_paint.h>
#include <ductile/render/stage.h>

#include <limits>

namespace ductile {
namespace {

constexpr int kMostPanes = 8;          // glass surfaces that one line of sight passes
constexpr float kBounceBlur = 0.25f;   // footprint per distance of a bounced ray: no fine detail
constexpr float kBrightest = 10.0f;    // a single path never brings more: no fireflies
constexpr double kShareOfPixel = 0.5;  // that one of several rays sees of a picture on a surface
constexpr float kNearness = 0.4f;      // below this distance surfaces darken each other [m]
// From this roughness on a dielectric's gloss is so wide that the matte bounce stands in for it.
constexpr float kWideGloss = 0.65f;
constexpr float kHeadOnMetal = 0.2f;  // dielectrics reflect less than this head-on

float nearness_lift(const SurfaceHit& hit) {
    // Rounding of a hit grows with the coordinates and with the way of the ray.
    return 2e-5f * (hit.position.cwiseAbs().maxCoeff() + hit.distance) + 1e-6f;
}

Ray leaving(const SurfaceHit& hit, const Vec3f& direction) {
    return {hit.light_position + nearness_lift(hit) * hit.face_normal, direction};
}

/// A mirror direction may point under a coarse triangle; bends it back along the surface.
Vec3f above(const Vec3f& direction, const Vec3f& face_normal) {
    const float under = direction.dot(face_normal);
    if (under > 0.01f) return direction;
    return (direction + (0.01f - under) * face_normal).normalized();
}

Vec3f limited(const Vec3f& light) {
    const float l = luminance(light);
    return l > kBrightest ? Vec3f(light * (kBrightest / l)) : light;
}

Vec3f cosine_direction(const TangentFrame& frame, const PixelSampler::Pair& p) {
    const float radius = std::sqrt(p.u);
    const float angle = 2.0f * kPiF * p.v;
    return frame.to_world({radius * std::cos(angle), radius * std::sin(angle),
                           std::sqrt(std::max(0.0f, 1.0f - p.u))});
}

bool has_wide_gloss(const Paint& paint) {
    return paint.roughness >= kWideGloss && paint.mirror.maxCoeff() < kHeadOnMetal;
}

}  // namespace

Stage::Stage(const RayScene& scene, const Sky& sky, const RenderOptions& options,
             const Vec3& origin_w, const DamageScale* damage)
    : scene_(scene),
      sky_(sky),
      options_(options),
      damage_(damage),
      origin_w_(origin_w),
      ground_y_(static_cast<float>(options.ground_height - origin_w.y())) {}

float Stage::haze(float distance) const {
    const float far = distance / static_cast<float>(options_.haze_distance);
    return 1.0f - std::exp(-far * far);
}

bool Stage::meet_ground(const Ray& ray, float nearer_than, float blur, Meeting& meeting) const {
    if (!options_.has_ground || ray.direction.y() >= 0.0f || ray.origin.y() <= ground_y_)
        return false;
    const float distance = (ground_y_ - ray.origin.y()) / ray.direction.y();
    if (!(distance < nearer_than)) return false;
    SurfaceHit& hit = meeting.surface;
    hit.distance = distance;
    hit.position = ray.origin + distance * ray.direction;
    hit.position.y() = ground_y_;
    hit.light_position = hit.position;
    hit.face_normal = hit.normal = Vec3f::UnitY();
    hit.look = nullptr;
    const double footprint = distance * blur / std::max(0.05f, -ray.direction.y());
    meeting.paint = paint_of_ground(options_.ground_colour, hit.position.cast<double>() + origin_w_,
                                    footprint, options_.variation);
    meeting.is_ground = true;
    return true;
}

Paint Stage::paint_of_body(const Ray& ray, float blur, const SurfaceHit& hit) const {
    if (damage_) {
        const Vec3f* measure = hit.is_measured ? &hit.measure : nullptr;
        return paint_of_damage(*hit.look, hit.alpha, measure, *damage_);
    }
    const double across = hit.distance * blur;
    const double facing = std::max(0.1f, -hit.face_normal.dot(ray.direction));
    if (!hit.texture) {
        return paint_of(*hit.look, hit.tint, hit.rest_b, across / facing, options_.variation);
    }
    // Seen at a slant a pixel covers a long patch: neither as sharp as it is narrow nor as blurred
    // as it is long.
    const double patch = kShareOfPixel * across / std::sqrt(facing);
    const Vec3f picture = hit.texture->colour(hit.uv, patch * hit.uv_per_metre);
    Paint paint = paint_of(*hit.look, hit.tint.cwiseProduct(picture), hit.rest_b, 0.0, 0.0);
    if (paint.opacity < 1.0f) paint.opacity *= hit.alpha;
    return paint;
}

bool Stage::meet(const Ray& ray, float blur, bool sees_glass, std::uint32_t seed,
                 Meeting& meeting) const {
    const bool has_body = scene_.trace(ray, sees_glass, seed, meeting.surface);
    const float nearer_than =
        has_body ? meeting.surface.distance : std::numeric_limits<float>::infinity();
    if (meet_ground(ray, nearer_than, blur, meeting)) return true;
    if (!has_body) return false;
    SurfaceHit& hit = meeting.surface;
    // At a silhouette the smooth normal may look away from the viewer: bend it to be seen edge-on.
    const float facing = -hit.normal.dot(ray.direction);
    if (facing < 0.02f) hit.normal = (hit.normal - (0.02f - facing) * ray.direction).normalized();
    meeting.paint = paint_of_body(ray, blur, hit);
    meeting.is_ground = false;
    return true;
}

float Stage::sunlit(const Meeting& meeting, const Vec3f& towards) const {
    const float cosine = meeting.surface.normal.dot(towards);
    if (cosine <= 0.0f) return 0.0f;
    return cosine * scene_.light_through(leaving(meeting.surface, towards));
}

Vec3f Stage::bounced(const Meeting& meeting, const Ray& ray, SampleUse use,
                     const Dice& dice) const {
    const SurfaceHit& hit = meeting.surface;
    const Paint& paint = meeting.paint;
    const float facing = std::max(0.02f, -hit.normal.dot(ray.direction));
    const Vec3f layer = layer_reflectance(paint, facing);
    const Vec3f matte = paint.matte.cwiseProduct(Vec3f::Ones() - layer);
    // A surface met close by is half hidden from the sky by the very surface that asks.
    const float open = meeting.is_ground && hit.distance > kNearness
                           ? 1.0f
                           : 0.45f + 0.55f * hit.distance / (hit.distance + kNearness);
    const Vec3f ambient = sky_.ambient(hit.normal);
    const Vec3f mirrored = ray.direction + 2.0f * facing * hit.normal;
    const Vec3f around = mix(sky_.radiance(mirrored), ambient, paint.roughness);
    Vec3f out = paint.glow + (matte.cwiseProduct(ambient) + layer.cwiseProduct(around)) * open;
    if (sky_.has_sun()) {
        const PixelSampler::Pair p = dice.sampler.pair(dice.sample, use);
        const Vec3f towards = sky_.sample_sun(p.u, p.v);
        const float lit = sunlit(meeting, towards);
        if (lit > 0.0f)
            out += (matte + layer * paint.roughness).cwiseProduct(sky_.sun_irradiance()) *
                   (lit / kPiF);
    }
    return out;
}

Vec3f Stage::incoming(const Ray& ray, SampleUse sun_use, const Dice& dice) const {
    Meeting meeting;
    if (!meet(ray, kBounceBlur, false, dice.seed, meeting)) return sky_.radiance(ray.direction);
    const Vec3f light = bounced(meeting, ray, sun_use, dice);
    if (!meeting.is_ground) return light;
    return mix(light, sky_.horizon(ray.direction), haze(meeting.surface.distance));
}

Vec3f Stage::reflection(const Meeting& meeting, const TangentFrame& frame, const Vec3f& view,
                        const Dice& dice) const {
    const float alpha = meeting.paint.alpha();
    const PixelSampler::Pair p = dice.sampler.pair(dice.sample, SampleUse::Gloss);
    const Vec3f facet = sample_facet(alpha, view, p.u, p.v);
    const Vec3f light = 2.0f * view.dot(facet) * facet - view;
    if (light.z() <= 0.0f) return Vec3f::Zero();
    const Vec3f weight =
        fresnel(meeting.paint.mirror, view.dot(facet)) * masked_share(alpha, view, light);
    const Vec3f towards = above(frame.to_world(light), meeting.surface.face_normal);
    return weight.cwiseProduct(
        limited(incoming(leaving(meeting.surface, towards), SampleUse::GlossSun, dice)));
}

void Stage::shade(const Meeting& meeting, const Ray& ray, const Vec3f& through, const Dice& dice,
                  Seen& seen) const {
    const SurfaceHit& hit = meeting.surface;
    const Paint& paint = meeting.paint;
    const TangentFrame frame(hit.normal);
    const Vec3f view = frame.to_local(-ray.direction);
    const Vec3f layer = layer_reflectance(paint, view.z());
    const bool is_wide = has_wide_gloss(paint);
    Vec3f matte = paint.matte.cwiseProduct(Vec3f::Ones() - layer);
    if (is_wide) matte += layer;
    matte = matte.cwiseProduct(through);
    seen.plain += paint.glow.cwiseProduct(through);
    seen.matte_tint = matte;
    if (matte.maxCoeff() > 1e-3f) {
        const Vec3f towards =
            above(cosine_direction(frame, dice.sampler.pair(dice.sample, SampleUse::Bounce)),
                  hit.face_normal);
        seen.sky_light = matte.cwiseProduct(
            limited(incoming(leaving(hit, towards), SampleUse::BounceSun, dice)));
    }
    if (sky_.has_sun()) {
        const PixelSampler::Pair p = dice.sampler.pair(dice.sample, SampleUse::Sun);
        const Vec3f towards = sky_.sample_sun(p.u, p.v);
        const float lit = sunlit(meeting, towards);
        if (lit > 0.0f) {
            seen.sun_light = matte.cwiseProduct(sky_.sun_irradiance()) * (lit / kPiF);
            // The sun's width blunts its highlight as roughness would.
            const float alpha = std::min(1.0f, paint.alpha() + 0.5f * sky_.sun_radius());
            const Vec3f spot =
                layer_towards(paint, alpha, view, frame.to_local(sky_.sun_direction()));
            if (!is_wide) {
                seen.gloss_light =
                    through.cwiseProduct(limited(spot.cwiseProduct(sky_.sun_irradiance())));
            }
        }
    }
    if (is_wide) return;
    seen.gloss_tint = layer.cwiseProduct(through);
    seen.gloss_light += through.cwiseProduct(reflection(meeting, frame, view, dice));
}

Vec3f Stage::glass(const Meeting& meeting, const Ray& ray, const Dice& dice, Vec3f& through) const {
    Seen own;
    shade(meeting, ray, through, dice, own);
    const float opacity = meeting.paint.opacity;
    const float facing = std::max(0.02f, -meeting.surface.normal.dot(ray.direction));
    const Vec3f kept =
        (Vec3f::Ones() - layer_reflectance(meeting.paint, facing)) * (1.0f - opacity);
    through = through.cwiseProduct(kept);
    return (own.plain + own.sky_light + own.sun_light) * opacity + own.gloss_light;
}

Seen Stage::look(const Ray& ray, float pixel_angle, const PixelSampler& sampler,
                 std::uint32_t sample) const {
    Seen seen;
    Vec3f through = Vec3f::Ones();
    Ray sight = ray;
    for (int pane = 0;; ++pane) {
        const std::uint32_t noise =
            static_cast<std::uint32_t>(sampler.pair(sample, SampleUse::Pixel).u * 0x1.0p24f);
        const Dice dice{sampler, sample,
                        PixelSampler::hash(noise + static_cast<std::uint32_t>(pane))};
        Meeting meeting;
        if (!meet(sight, pixel_angle, pane < kMostPanes, dice.seed, meeting)) {
            seen.plain += through.cwiseProduct(sky_.radiance(sight.direction));
            return seen;
        }
        const SurfaceHit& hit = meeting.surface;
        if (meeting.paint.opacity < 1.0f && pane < kMostPanes) {
            seen.plain += glass(meeting, sight, dice, through);
            sight.origin = hit.position - nearness_lift(hit) * hit.face_normal;
            continue;
        }
        if (meeting.is_ground) {
            const float faded = haze(hit.distance);
            seen.plain += faded * through.cwiseProduct(sky_.horizon(sight.direction));
            through *= 1.0f - faded;
        }
        shade(meeting, sight, through, dice, seen);
        seen.position = hit.position;
        seen.normal = hit.normal;
        seen.has_surface = true;
        return seen;
    }
}

}  // namespace ductile
