// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/render/camera.h>
#include <ductile/render/render_options.h>
#include <ductile/render/shading_math.h>

#include <doctest/doctest.h>
#include <support/field_laws.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("camera and render options keep the law of field lists") {
    test::check_field_list<Camera>();
    test::check_field_list<RenderOptions>();
}

TEST_CASE("a tangent frame is right-handed, of unit vectors, and undoes itself") {
    Rng rng(2);
    for (int i = 0; i < 1000; ++i) {
        Vec3f n{float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1))};
        if (i < 2) n = Vec3f(0, 0, i == 0 ? 1 : -1);
        n.normalize();
        const TangentFrame frame(n);
        CHECK((frame.tangent.cross(frame.bitangent) - n).norm() < 1e-5f);
        CHECK(std::abs(frame.tangent.norm() - 1.0f) < 1e-5f);
        const Vec3f v{1, -2, 3};
        CHECK((frame.to_local(frame.to_world(v)) - v).norm() < 1e-5f);
    }
}

TEST_CASE("a smooth step rises from 0 to 1, is symmetric, and flat outside") {
    CHECK(smooth_step(1, 3, 0) == 0.0f);
    CHECK(smooth_step(1, 3, 4) == 1.0f);
    CHECK(smooth_step(1, 3, 2) == 0.5f);
    float last = 0.0f;
    for (int i = 0; i <= 64; ++i) {
        const float s = float(i) / 64.0f, up = smooth_step(0, 1, s);
        CHECK(up >= last);
        CHECK(test::near(up + smooth_step(0, 1, 1.0f - s), 1.0f, 1e-6));
        last = up;
    }
}

TEST_CASE("white has luminance one, and mixing ends where it should") {
    CHECK(test::near(luminance(Vec3f::Ones()), 1.0f, 1e-6));
    CHECK(mix(2.0f, 4.0f, 0.0f) == 2.0f);
    CHECK(mix(Vec3f(0, 0, 0), Vec3f(2, 4, 8), 0.5f) == Vec3f(1, 2, 4));
}
