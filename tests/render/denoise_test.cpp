// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/render/denoise.h>

#include <doctest/doctest.h>

using namespace ductile;

namespace {

constexpr std::int32_t kSide = 48;
constexpr float kNoise = 0.2f;

struct Spread {
    float mean, rms;
};

/// A wall that fills the picture, with noisy light on it: `left` and `right` of its middle.
struct Wall {
    std::vector<PixelSurface> surface;
    std::vector<LightLayer> layers{1};

    Wall(float left, float right) {
        Rng rng(3);
        for (std::int32_t i = 0; i < kSide * kSide; ++i) {
            PixelSurface s;
            s.position = Vec3f(static_cast<float>(i % kSide), static_cast<float>(i / kSide), 0);
            s.normal = Vec3f(0, 0, 1);
            s.reach = 1.0f;
            surface.push_back(s);
            const float noise = kNoise * static_cast<float>(rng.uniform(-1.0, 1.0));
            const float light = (i % kSide < kSide / 2 ? left : right) + noise;
            layers[0].pixels.push_back({Vec3f::Constant(light), kNoise * kNoise / 3.0f});
        }
    }
    void smooth() { denoise(kSide, kSide, surface, layers); }
    /// Mean and root mean square of the distance from `expected` in some columns.
    Spread error(std::int32_t begin, std::int32_t end, float expected) const {
        float sum = 0.0f, squares = 0.0f;
        for (std::int32_t y = 0; y < kSide; ++y) {
            for (std::int32_t x = begin; x < end; ++x) {
                const float e = layers[0].pixels[y * kSide + x].light.x() - expected;
                sum += e;
                squares += e * e;
            }
        }
        const float count = static_cast<float>(kSide * (end - begin));
        return {sum / count, std::sqrt(squares / count)};
    }
};

}  // namespace

TEST_CASE("smoothing takes noise away and keeps the mean") {
    Wall wall(1.0f, 1.0f);
    const Spread before = wall.error(0, kSide, 1.0f);
    wall.smooth();
    const Spread after = wall.error(0, kSide, 1.0f);
    CHECK(after.rms < 0.25f * before.rms);
    CHECK(std::abs(after.mean - before.mean) < 0.01f);
}

TEST_CASE("an edge of light much larger than the noise stays where it is") {
    Wall wall(1.0f, 4.0f);
    wall.smooth();
    CHECK(wall.error(kSide / 2 - 1, kSide / 2, 1.0f).rms < kNoise);
    CHECK(wall.error(kSide / 2, kSide / 2 + 1, 4.0f).rms < kNoise);
}

TEST_CASE(
    "light does not leak over a crease or a step of the surface, and pixels without one stay") {
    // Light differs by less than the noise, so that only the surface can keep it apart.
    for (bool is_crease : {true, false}) {
        Wall wall(1.0f, 1.15f);
        for (std::int32_t i = 0; i < kSide * kSide; ++i) {
            if (i % kSide < kSide / 2) continue;
            if (is_crease)
                wall.surface[i].normal = Vec3f(1, 0, 0);
            else
                wall.surface[i].position.z() = 200.0f;
        }
        wall.surface[5].normal = Vec3f::Zero();
        const float alone = wall.layers[0].pixels[5].light.x();
        wall.smooth();
        CHECK(wall.error(kSide / 2 - 1, kSide / 2, 1.0f).mean < 0.03f);
        CHECK(wall.error(kSide / 2, kSide / 2 + 1, 1.15f).mean > -0.03f);
        CHECK(wall.layers[0].pixels[5].light.x() == alone);
    }
}
