// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/render/look_paint.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

Look metal() {
    Look look;
    look.base_colour = Vec3(0.6, 0.5, 0.4);
    look.metallic = 1.0;
    look.roughness = 0.3;
    return look;
}

}  // namespace

TEST_CASE("without variation a look is the same at every place") {
    Rng rng(2);
    for (Look look : {metal(), Look{}}) {
        const Paint first = paint_of(look, Vec3f::Ones(), Vec3::Zero(), 0.001, 0.0);
        CHECK(test::near(first.roughness, look.roughness, 1e-6));
        for (int k = 0; k < 20; ++k) {
            const Paint there = paint_of(look, Vec3f::Ones(), random_vec(rng, 5.0), 0.001, 0.0);
            CHECK(there.matte == first.matte);
            CHECK(there.mirror == first.mirror);
            CHECK(there.roughness == first.roughness);
        }
    }
}

TEST_CASE("bare metal has smudges, which a pixel as wide as the body does not see") {
    Rng rng(3);
    float near_least = 1, near_most = 0, far_least = 1, far_most = 0;
    for (int k = 0; k < 200; ++k) {
        const Vec3 place = random_vec(rng, 1.0);
        const float near = paint_of(metal(), Vec3f::Ones(), place, 1e-4, 1.0).roughness;
        const float far = paint_of(metal(), Vec3f::Ones(), place, 10.0, 1.0).roughness;
        near_least = std::min(near_least, near);
        near_most = std::max(near_most, near);
        far_least = std::min(far_least, far);
        far_most = std::max(far_most, far);
    }
    CHECK(near_most > near_least);
    CHECK(far_most - far_least < 0.1f * (near_most - near_least));
}

TEST_CASE("a tint multiplies the colour, metal's in its mirror and others' in their matte") {
    const Vec3f tint(0.5f, 1.0f, 0.0f);
    const Paint plain = paint_of(metal(), Vec3f::Ones(), Vec3::Zero(), 0.001, 0.0);
    const Paint tinted = paint_of(metal(), tint, Vec3::Zero(), 0.001, 0.0);
    CHECK(tinted.mirror.isApprox(plain.mirror.cwiseProduct(tint), 1e-5f));
    CHECK(plain.matte.isZero());
    Look paper;
    paper.metallic = 0.0;
    const Vec3f matte = paint_of(paper, Vec3f::Ones(), Vec3::Zero(), 0.001, 0.0).matte;
    CHECK(paint_of(paper, tint, Vec3::Zero(), 0.001, 0.0).matte.isApprox(matte.cwiseProduct(tint)));
}

TEST_CASE("the floor has joints four metres apart, that are darker than it is") {
    const Vec3 colour(0.5, 0.5, 0.5);
    // Over places across, since there are stains.
    const auto lightness = [&](double x) {
        double sum = 0.0;
        for (int k = 0; k < 40; ++k) {
            sum += paint_of_ground(colour, Vec3(x, 0, 0.37 * k), 0.001, 1.0).matte.sum();
        }
        return sum;
    };
    double darkest = kInfinity, at = 0.0;
    for (double x = 0.0; x < 4.0; x += 0.002) {
        if (lightness(x) < darkest) {
            darkest = lightness(x);
            at = x;
        }
    }
    CHECK(darkest < 0.9 * lightness(at + 2.0));
    CHECK(lightness(at + 4.0) < 0.9 * lightness(at + 2.0));
}
