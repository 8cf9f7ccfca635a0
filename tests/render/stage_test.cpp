// SPDX-License-Identifier: MIT
#include <ductile/render/stage.h>

#include <doctest/doctest.h>
#include <render/test_shapes.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

/// A ball of one look about the origin, under a white sky; floor and sun as asked for.
struct LitBall {
    LitBall(const Look& look, const RenderOptions& options_) : options(options_), sky(options) {
        test::add_body(recording, test::sphere(1.0, 32, look), Vec3::Zero());
        Result<RayScene> made = RayScene::make(recording);
        REQUIRE(made.ok());
        scene.emplace(std::move(made).value());
        REQUIRE(scene->place(recording.frames[0], Vec3::Zero()).ok());
        stage.emplace(*scene, sky, options, Vec3::Zero());
    }
    /// The mean of many samples of one pixel.
    Seen look(const Ray& ray) const {
        constexpr int count = 256;
        const PixelSampler sampler(3, 5, count);
        Seen sum;
        for (std::uint32_t s = 0; s < count; ++s) {
            const Seen seen = stage->look(ray, 1e-3f, sampler, s);
            sum.plain += seen.plain / count;
            sum.sky_light += seen.sky_light / count;
            sum.sun_light += seen.sun_light / count;
            sum.gloss_light += seen.gloss_light / count;
            sum.position = seen.position;
            sum.normal = seen.normal;
            sum.has_surface = seen.has_surface;
        }
        return sum;
    }

    RenderOptions options;
    Sky sky;
    Recording recording;
    std::optional<RayScene> scene;
    std::optional<Stage> stage;
};

RenderOptions white_sky() {
    RenderOptions o;
    o.sky = SkyKind::Uniform;
    o.sun_strength = 0.0;
    o.has_ground = false;
    o.variation = 0.0;
    o.haze_distance = 10.0;
    return o;
}

Vec3f radiance(const Seen& seen) {
    return seen.plain + seen.sky_light + seen.sun_light + seen.gloss_light;
}

const Look kMatteWhite{.name = "white", .base_colour = Vec3::Ones(), .roughness = 1.0};
const Ray kHeadOn{Vec3f(0, 0, 5), Vec3f(0, 0, -1)};

}  // namespace

TEST_CASE("a ray brings the sky itself where nothing is, and where it met a surface says so") {
    const LitBall ball(kMatteWhite, white_sky());
    const Seen past = ball.look({Vec3f(3, 0, 5), Vec3f(0, 0, -1)});
    CHECK_FALSE(past.has_surface);
    CHECK((past.plain - Vec3f::Ones()).norm() < 1e-5f);
    CHECK(radiance(past) == past.plain);
    const Seen met = ball.look(kHeadOn);
    CHECK(met.has_surface);
    CHECK((met.position - Vec3f(0, 0, 1)).norm() < 0.01f);
    CHECK(met.normal.z() > 0.99f);
    // White under a white sky: the light is the sky's, and none of it is the sun's.
    CHECK((radiance(met) - Vec3f::Ones()).norm() < 0.01f);
    CHECK(met.sun_light.norm() == 0.0f);
}

TEST_CASE("the sun lights what faces it by the cosine, and nothing that something hides") {
    RenderOptions options = white_sky();
    options.sky_strength = 0.0;
    options.sun_strength = 1.0;
    options.sun_size_deg = 0.0;
    options.sun_direction_w = Vec3(0, std::sin(1.0), std::cos(1.0));
    options.has_ground = true;
    options.ground_height = -1.0;
    const LitBall ball(kMatteWhite, options);
    // Lambert: albedo / pi times irradiance times cosine; the mirror-like layer takes a little.
    const float lambert = ball.sky.sun_irradiance().y() * std::cos(1.0f) / kPiF;
    const float found = ball.look(kHeadOn).sun_light.y();
    CHECK(found <= lambert * 1.01f);
    CHECK(found >= lambert * 0.9f);
    // Straight down on the floor, in the ball's shadow and out of it.
    const auto floor_at = [&](float z) {
        return ball.look({Vec3f(0, -0.5f, z), Vec3f(0, -1, 0)}).sun_light.y();
    };
    const float shadow_z = -1.0f / std::tan(1.0f);  // Where the line through the centre lands.
    CHECK(floor_at(shadow_z - 0.9f) == 0.0f);
    CHECK(floor_at(-8.0f) > 0.0f);
}

TEST_CASE("glass lets through what it does not keep, and the floor fades into the haze") {
    for (const double opacity : {0.0, 0.5}) {
        Look pane = kMatteWhite;
        pane.opacity = opacity;
        const Seen through = LitBall(pane, white_sky()).look(kHeadOn);
        CHECK_FALSE(through.has_surface);
        CHECK((radiance(through) - Vec3f::Ones()).cwiseAbs().maxCoeff() < 0.05f);
    }

    RenderOptions options = white_sky();
    options.has_ground = true;
    options.ground_height = -2.0;
    options.ground_colour = Vec3::Zero();
    const LitBall hazy(kMatteWhite, options);
    const auto share_of_horizon = [&](float distance) {
        const Vec3f down = Vec3f(1, -1, 0).normalized();
        const Ray ray{Vec3f(3, -2, 3) - distance * down, down};
        return hazy.look(ray).plain.y() / hazy.sky.horizon(down).y();
    };
    // 1 - exp(-(d / haze distance)^2).
    for (const float distance : {1.0f, 5.0f, 10.0f, 40.0f}) {
        const float faded = 1.0f - std::exp(-distance * distance / 100.0f);
        CHECK(test::near(share_of_horizon(distance), faded, 1e-4));
    }
}
