// SPDX-License-Identifier: MIT
#include <ductile/render/sky.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("a uniform sky sends the same from everywhere above, and its ambient is as bright") {
    RenderOptions options;
    options.sky = SkyKind::Uniform;
    options.sky_strength = 0.75;
    options.sun_strength = 0.0;
    const Sky sky(options);
    CHECK_FALSE(sky.has_sun());
    for (const Vec3f& up : {Vec3f(0, 1, 0), Vec3f(0.6f, 0.8f, 0), Vec3f(0, 0.6f, -0.8f)}) {
        CHECK((sky.radiance(up) - Vec3f::Constant(0.75f)).norm() < 1e-5f);
    }
    CHECK((sky.ambient(Vec3f(0, 1, 0)) - Vec3f::Constant(0.75f)).norm() < 0.02f);
}

TEST_CASE("the sun is sampled within its disc, and sets below the horizon") {
    RenderOptions options;
    const Sky sky(options);
    REQUIRE(sky.has_sun());
    CHECK(test::near(sky.sun_direction().norm(), 1.0f, 1e-6));
    for (int i = 0; i < 64; ++i) {
        const Vec3f d = sky.sample_sun(float(i % 8) / 8.0f, float(i / 8) / 8.0f);
        CHECK(test::near(d.norm(), 1.0f, 1e-6));
        CHECK(d.cross(sky.sun_direction()).norm() <= sky.sun_radius() * 1.001f);
    }
    options.sun_direction_w = Vec3(0.3, -0.5, 0);
    CHECK_FALSE(Sky(options).has_sun());
}
