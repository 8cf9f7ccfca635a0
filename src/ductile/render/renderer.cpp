// SPDX-License-Identifier: MIT
#include <ductile/core/field_ranges.h>
#include <ductile/core/parallel.h>
#include <ductile/record/example_colours.h>
#include <ductile/render/damage_measure.h>
#include <ductile/render/denoise.h>
#include <ductile/render/legend.h>
#include <ductile/render/ray_scene.h>
#include <ductile/render/renderer.h>
#include <ductile/render/sampler.h>
#include <ductile/render/sky.h>
#include <ductile/render/stage.h>
#include <ductile/render/tone_map.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ductile {
namespace {

constexpr std::int32_t kTile = 16;      // pixels a side: rays of one task stay near each other
constexpr float kFilterRadius = 0.8f;   // of the tent that a pixel's rays are spread over
constexpr float kLeastTint = 1e-3f;     // colours are divided out down to here
constexpr double kLeastRange = 1e-4;    // of a scale of damage, where there is next to none
constexpr double kHazeDistance = 55.0;  // at which 63 % of the floor has faded [m], at least
constexpr double kHazeViews = 6.0;      // the same, in distances to what the camera looks at
constexpr double kRaisedShare = 0.1;    // of the range: less than that needs no scale of its own

/// Camera rays, in the frame of a scene around the camera's target.
class Lens {
public:
    Lens(const Camera& camera, const RenderOptions& o) {
        const Vec3 forward = (camera.target_w - camera.eye_w).normalized();
        // Looking straight up or down, north (-z) is up in the picture.
        const Vec3 up_hint = std::abs(forward.y()) < 0.9999 ? Vec3(0, 1, 0) : Vec3(0, 0, -1);
        const Vec3 right = forward.cross(up_hint).normalized();
        const Vec3 up = right.cross(forward);
        const double half = std::tan(camera.field_of_view_deg * std::numbers::pi / 360.0);
        pixel_ = static_cast<float>(2.0 * half / o.height);
        eye_ = (camera.eye_w - camera.target_w).cast<float>();
        forward_ = forward.cast<float>();
        right_ = (right * pixel_).cast<float>();
        down_ = (-up * pixel_).cast<float>();
        middle_x_ = 0.5f * static_cast<float>(o.width);
        middle_y_ = 0.5f * static_cast<float>(o.height);
    }
    Ray ray(float x, float y) const {
        return {eye_, (forward_ + (x - middle_x_) * right_ + (y - middle_y_) * down_).normalized()};
    }
    const Vec3f& eye() const { return eye_; }
    float pixel_angle() const { return pixel_; }

private:
    Vec3f eye_, forward_, right_, down_;
    float pixel_, middle_x_, middle_y_;
};

float tent(float u) {
    return kFilterRadius *
           (u < 0.5f ? std::sqrt(2.0f * u) - 1.0f : 1.0f - std::sqrt(2.0f - 2.0f * u));
}

/// One kind of light of one pixel, summed over its samples.
struct LightSum {
    Vec3f light = Vec3f::Zero();
    float bright = 0.0f, bright_sq = 0.0f;

    void add(const Vec3f& sample, const Vec3f& tint) {
        light += sample;
        const float l = luminance(sample.cwiseQuotient(tint.cwiseMax(kLeastTint)));
        bright += l;
        bright_sq += l * l;
    }
    void store(const Vec3f& tint_sum, float count, std::size_t at, LightLayer& layer) const {
        const float mean = bright / count;
        layer.pixels[at] = {light.cwiseQuotient(tint_sum.cwiseMax(kLeastTint * count)),
                            std::max(0.0f, bright_sq / count - mean * mean) / count};
    }
};

/// The picture while it is made: kinds of light apart from the colours that tint them.
struct Sheet {
    explicit Sheet(std::size_t pixels)
        : plain(pixels), matte_tint(pixels), gloss_tint(pixels), surface(pixels) {
        for (LightLayer& layer : layers) layer.pixels.resize(pixels);
        sun().passes = 3;  // shadows stay crisp
        sun().contrast = 5.0f;
        gloss().passes = 4;
        gloss().contrast = 5.0f;
        gloss().normal_power = 128.0f;
    }
    LightLayer& sky() { return layers[0]; }
    LightLayer& sun() { return layers[1]; }
    LightLayer& gloss() { return layers[2]; }

    std::vector<Vec3f> plain, matte_tint, gloss_tint;
    std::vector<PixelSurface> surface;
    std::array<LightLayer, 3> layers;
};

void trace_pixel(const Stage& stage, const Lens& lens, const RenderOptions& o, std::int32_t x,
                 std::int32_t y, Sheet& sheet) {
    const PixelSampler sampler(x, y, o.samples);
    Vec3f plain = Vec3f::Zero(), matte = Vec3f::Zero(), gloss = Vec3f::Zero();
    LightSum sky, sun, shine;
    PixelSurface surface;
    int met = 0;
    for (std::int32_t s = 0; s < o.samples; ++s) {
        const auto sample = static_cast<std::uint32_t>(s);
        const PixelSampler::Pair jitter = sampler.pair(sample, SampleUse::Pixel);
        const Ray ray = lens.ray(static_cast<float>(x) + 0.5f + tent(jitter.u),
                                 static_cast<float>(y) + 0.5f + tent(jitter.v));
        const Seen seen = stage.look(ray, lens.pixel_angle(), sampler, sample);
        plain += seen.plain;
        if (!seen.has_surface) continue;
        matte += seen.matte_tint;
        gloss += seen.gloss_tint;
        sky.add(seen.sky_light, seen.matte_tint);
        sun.add(seen.sun_light, seen.matte_tint);
        shine.add(seen.gloss_light, seen.gloss_tint);
        surface.position += seen.position;
        surface.normal += seen.normal;
        ++met;
    }
    const std::size_t at = std::size_t(y) * o.width + x;
    const float count = static_cast<float>(o.samples);
    sheet.plain[at] = plain / count;
    sheet.matte_tint[at] = matte / count;
    sheet.gloss_tint[at] = gloss / count;
    if (met > 0) {
        const float surfaces = static_cast<float>(met);
        sky.store(matte, surfaces, at, sheet.sky());
        sun.store(matte, surfaces, at, sheet.sun());
        shine.store(gloss, surfaces, at, sheet.gloss());
        surface.position /= surfaces;
        surface.normal /= surfaces;
        surface.reach = (surface.position - lens.eye()).norm() * lens.pixel_angle();
    }
    sheet.surface[at] = surface;
}

void trace_picture(const Stage& stage, const Lens& lens, const RenderOptions& o, Sheet& sheet) {
    const std::int32_t across = (o.width + kTile - 1) / kTile;
    const std::int32_t down = (o.height + kTile - 1) / kTile;
    parallel_for(std::size_t(across) * down, 1, [&](std::size_t tile) {
        const std::int32_t x0 = static_cast<std::int32_t>(tile % across) * kTile;
        const std::int32_t y0 = static_cast<std::int32_t>(tile / across) * kTile;
        for (std::int32_t y = y0; y < std::min(o.height, y0 + kTile); ++y) {
            if (is_stopped(o.stop)) return;
            for (std::int32_t x = x0; x < std::min(o.width, x0 + kTile); ++x) {
                trace_pixel(stage, lens, o, x, y, sheet);
            }
        }
    });
}

Radiance compose(const RenderOptions& o, Sheet& sheet) {
    Radiance out{o.width, o.height, std::vector<float>(3 * sheet.plain.size())};
    for (std::size_t i = 0; i < sheet.plain.size(); ++i) {
        const Vec3f matte = sheet.sky().pixels[i].light + sheet.sun().pixels[i].light;
        const Vec3f c = sheet.plain[i] + sheet.matte_tint[i].cwiseProduct(matte) +
                        sheet.gloss_tint[i].cwiseProduct(sheet.gloss().pixels[i].light);
        for (int k = 0; k < 3; ++k) out.rgb[3 * i + k] = c[k];
    }
    return out;
}

// Far things are seen from afar: what the camera looks at is never lost in the haze.
double haze_distance(const Camera& camera, const RenderOptions& options) {
    if (options.haze_distance > 0.0) return options.haze_distance;
    return std::max(kHazeDistance, kHazeViews * (camera.target_w - camera.eye_w).norm());
}

}  // namespace

Status check(const Camera& camera) {
    if (Status fine = check_ranges(camera); !fine) return fine;
    if (!((camera.eye_w - camera.target_w).norm() > 1e-9)) {
        return Error{"eye and target are the same place", "camera", "move one of them"};
    }
    return {};
}

Status check(const RenderOptions& options) {
    if (Status fine = check_ranges(options); !fine) return fine;
    if (!(options.sun_direction_w.norm() > 1e-9)) {
        return Error{"sun_direction has no length", "sun_direction",
                     "to switch the sun off, set sun_strength to 0"};
    }
    return {};
}

struct Renderer::State {
    const Recording* recording = nullptr;
    RayScene scene;
    std::map<ColourBy, DamageExtent> extents = {};  // of the recording, once somebody asked

    std::optional<DamageScale> damage_scale(const RenderOptions& options) {
        if (options.colour_by == ColourBy::None) return std::nullopt;
        auto known = extents.find(options.colour_by);
        if (known == extents.end()) {
            const DamageExtent extent = damage_extent(*recording, options.colour_by);
            known = extents.emplace(options.colour_by, extent).first;
        }
        const DamageExtent& extent = known->second;
        DamageScale scale{options.colour_by, options.colour_range, false};
        if (options.colour_by == ColourBy::Example) scale.poses = example_names(*recording);
        const double most = std::max(extent.most, -extent.least);
        if (!(scale.range > 0.0)) scale.range = round_up(std::max(most, kLeastRange));
        scale.has_raised = -extent.least > kRaisedShare * scale.range;
        return scale;
    }
};

Renderer::Renderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

const std::vector<std::string>& Renderer::notes() const { return state_->scene.notes(); }
std::int64_t Renderer::builds() const { return state_->scene.builds(); }

Result<Renderer> Renderer::make(const Recording& recording) {
    Result<RayScene> scene = RayScene::make(recording);
    if (!scene) return scene.error();
    return Renderer(std::make_unique<State>(State{&recording, std::move(scene).value()}));
}

Result<Radiance> Renderer::trace(const Frame& frame, const Camera& camera,
                                 const RenderOptions& options) {
    if (Status fine = check(camera); !fine) return fine.error();
    if (Status fine = check(options); !fine) return fine.error();
    if (Status placed = state_->scene.place(frame, camera.target_w, options.colour_by); !placed) {
        return placed.error();
    }
    const std::optional<DamageScale> damage = state_->damage_scale(options);
    const Sky sky(options);
    RenderOptions seen = options;
    seen.haze_distance = haze_distance(camera, options);
    const Stage stage(state_->scene, sky, seen, camera.target_w, damage ? &*damage : nullptr);
    const Lens lens(camera, options);
    Sheet sheet(std::size_t(options.width) * options.height);
    trace_picture(stage, lens, options, sheet);
    if (is_stopped(options.stop)) return stopped_error();
    if (options.is_denoised) denoise(options.width, options.height, sheet.surface, sheet.layers);
    return compose(options, sheet);
}

Result<Image> Renderer::draw(const Frame& frame, const Camera& camera,
                             const RenderOptions& options) {
    Result<Radiance> light = trace(frame, camera, options);
    if (!light) return light.error();
    const std::optional<DamageScale> damage = state_->damage_scale(options);
    Image image =
        develop(light.value(), options.exposure, damage ? ToneCurve::Plain : ToneCurve::Film);
    if (damage) draw_legend(*damage, options.legend, image);
    return image;
}

}  // namespace ductile
