// SPDX-License-Identifier: MIT
#include <ductile/render/brdf.h>
#include <ductile/render/noise.h>
#include <ductile/render/sampler.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <set>

using namespace ductile;

TEST_CASE("sixteen samples of a pixel fall into each of sixteen cells, however these are cut") {
    for (int pixel = 0; pixel < 40; ++pixel) {
        const PixelSampler sampler(pixel * 7 % 640, pixel * 13 % 360, 16);
        for (int across : {1, 2, 4, 8, 16}) {
            std::set<int> cells;
            for (std::uint32_t s = 0; s < 16; ++s) {
                const PixelSampler::Pair p = sampler.pair(s, SampleUse::Bounce);
                cells.insert(static_cast<int>(p.u * static_cast<float>(across)) * 100 +
                             static_cast<int>(p.v * static_cast<float>(16 / across)));
            }
            CHECK(cells.size() == 16);
        }
    }
}

TEST_CASE("uses, pixels and samples give different points in the unit square") {
    std::set<std::pair<float, float>> seen;
    for (int x = 0; x < 8; ++x) {
        for (std::uint32_t s = 0; s < 4; ++s) {
            for (SampleUse use : {SampleUse::Pixel, SampleUse::Sun, SampleUse::Gloss}) {
                const PixelSampler::Pair p = PixelSampler(x, 5, 4).pair(s, use);
                CHECK((p.u >= 0.0f && p.u < 1.0f && p.v >= 0.0f && p.v < 1.0f));
                seen.insert({p.u, p.v});
            }
        }
    }
    CHECK(seen.size() == 8 * 4 * 3);
}

TEST_CASE("sampled facets weigh the same as the formula for single directions") {
    // Both sides integrate the light that the layer reflects from a white sky.
    for (float roughness : {0.3f, 0.6f, 0.9f}) {
        for (float height : {0.3f, 0.7f, 1.0f}) {
            Paint paint;
            paint.mirror = Vec3f(0.9f, 0.5f, 0.04f);
            paint.roughness = roughness;
            const Vec3f view(std::sqrt(1.0f - height * height), 0.0f, height);
            Vec3f sampled = Vec3f::Zero(), summed = Vec3f::Zero();
            constexpr int kSide = 200;
            for (int i = 0; i < kSide; ++i) {
                for (int j = 0; j < kSide; ++j) {
                    const float u = (static_cast<float>(i) + 0.5f) / kSide;
                    const float v = (static_cast<float>(j) + 0.5f) / kSide;
                    const Vec3f facet = sample_facet(paint.alpha(), view, u, v);
                    const Vec3f light = 2.0f * view.dot(facet) * facet - view;
                    if (light.z() > 0.0f) {
                        sampled += fresnel(paint.mirror, view.dot(facet)) *
                                   masked_share(paint.alpha(), view, light);
                    }
                    const float r = std::sqrt(1.0f - u * u), angle = 2.0f * kPiF * v;
                    summed += layer_towards(paint, paint.alpha(), view,
                                            {r * std::cos(angle), r * std::sin(angle), u}) *
                              (2.0f * kPiF);
                }
            }
            for (int k = 0; k < 3; ++k) {
                CHECK(test::near(sampled[k], summed[k], 0.02));
                CHECK(sampled[k] / (kSide * kSide) <= 1.0f);
            }
        }
    }
}

TEST_CASE("noise is continuous, bounded, without bias, and leaves out what a pixel cannot show") {
    double sum = 0.0, sum_sq = 0.0;
    float largest = 0.0f, steepest = 0.0f;
    constexpr int kCount = 4000;
    for (int i = 0; i < kCount; ++i) {
        const Vec3 p(0.37 * i, 0.11 * i - 50.0, -0.23 * i);
        const float n = fractal_noise(p, 3, 0.0);
        sum += n;
        sum_sq += double(n) * n;
        largest = std::max(largest, std::abs(n));
        steepest = std::max(steepest, std::abs(fractal_noise(p + Vec3(1e-4, 0, 0), 3, 0.0) - n));
    }
    CHECK(std::abs(sum / kCount) < 0.03);
    CHECK(sum_sq / kCount > 0.01);
    CHECK(largest <= 1.5f);
    CHECK(steepest < 1e-3f);
    CHECK(fractal_noise(Vec3(3.3, 4.4, 5.5), 3, 1.0) == 0.0f);
    CHECK(gradient_noise(Vec3(1e300, 0, 0)) == 0.0f);
    CHECK(gradient_noise(Vec3(NAN, 0, 0)) == 0.0f);
}
