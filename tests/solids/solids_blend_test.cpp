// SPDX-License-Identifier: MIT
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <solids/solid_measures.h>
#include <support/near.h>
#include <support/sanitized.h>

#include <cmath>
#include <string>

using namespace ductile;
using test::euler_characteristic;
using test::signed_volume;

TEST_CASE("a blend of one ball is that ball, to what its edges cut off") {
    const SolidOptions ball{.kind = SolidKind::Blend,
                            .parts = {{.from = Vec3(3, 2, 1), .to = Vec3(3, 2, 1), .radius = 0.5}},
                            .resolution = 0.05};
    const SurfaceAsset asset = make_solid(ball).value();
    CHECK(is_closed(asset.surface.triangles));
    CHECK(euler_characteristic(asset.surface) == 2);
    for (const Vec3& p : asset.surface.points) CHECK(test::near(p.norm(), 0.5, 0.01));
    CHECK(test::near(signed_volume(asset.surface), kPi / 6, 0.01));
}

TEST_CASE("a blend's bar has a capsule's volume, and a taper that of its cone") {
    const double r1 = 0.2, r2 = 0.1, length = 1.0;
    SolidOptions bar{.kind = SolidKind::Blend,
                     .parts = {{.to = Vec3(0, length, 0), .radius = r1}},
                     .resolution = 0.025};
    CHECK(test::near(signed_volume(make_solid(bar).value().surface),
                     kPi * r1 * r1 * (length + 4.0 / 3.0 * r1), 0.01));
    bar.parts[0].end_radius = r2;
    // The hull of two balls: caps cut off where the cone touches, and the frustum between them.
    const double s = (r1 - r2) / length, c = std::sqrt(1 - s * s);
    const auto cap = [](double r, double h) { return kPi * h * h * (3 * r - h) / 3; };
    const double a = r1 * c, b = r2 * c, h = length - s * (r1 - r2);
    const double expected = 4.0 / 3.0 * kPi * r1 * r1 * r1 - cap(r1, r1 * (1 - s)) +
                            cap(r2, r2 * (1 - s)) + kPi * h / 3 * (a * a + a * b + b * b);
    CHECK(test::near(signed_volume(make_solid(bar).value().surface), expected, 0.01));
}

TEST_CASE("a blend is a closed manifold also where its parts come closer than a cell") {
    SolidOptions fork{.kind = SolidKind::Blend, .blend = 0.02, .resolution = 0.03};
    for (int i = 0; i < 4; ++i) {
        const double x = 0.09 * i;
        fork.parts.push_back({Vec3(0.13, 0, 0), Vec3(x, 0.3, 0), 0.04, 0.03});
    }
    const SurfaceAsset asset = make_solid(fork).value();
    CHECK(is_closed(asset.surface.triangles));
    fork.size = Vec3(1, 2, 0.3);
    const Box box = bounds(make_solid(fork).value().surface.points);
    CHECK((box.upper - box.lower - fork.size).norm() < 1e-12);
    CHECK(box.centre().norm() < 1e-12);
}

TEST_CASE("a blend has the colour of the part that is nearest, and one look per colour") {
    const Vec3 red(0.6, 0.05, 0.02), grey(0.3, 0.3, 0.3);
    const SolidOptions plain{
        .kind = SolidKind::Blend,
        .parts = {{.from = Vec3(-1, 0, 0), .to = Vec3(-1, 0, 0), .radius = 0.2},
                  {.from = Vec3(-1, 0, 0), .to = Vec3(1, 0, 0), .radius = 0.1},
                  {.from = Vec3(1, 0, 0), .to = Vec3(1, 0, 0), .radius = 0.2},
                  {.from = Vec3(0, 0.6, 0), .to = Vec3(0, 0, 0), .radius = 0.1}},
        .blend = 0.05,
        .resolution = 0.05};
    SolidOptions painted = plain;
    painted.parts[0].colour = painted.parts[2].colour = red;
    painted.parts[3].colour = grey;
    const SurfaceAsset asset = make_solid(painted).value(), bare = make_solid(plain).value();
    CHECK(asset.surface.points == bare.surface.points);
    CHECK(bare.render.looks.size() == 1);
    const RenderMesh& render = asset.render;
    REQUIRE(render.looks.size() == 3);
    CHECK(render.looks[1].base_colour == red);
    CHECK(render.looks[2].base_colour == grey);
    CHECK(render.looks[1].name != render.looks[2].name);
    // The solid is centred: its bar along x lies 0.25 m below the middle.
    for (std::size_t t = 0; t < render.triangles.size(); ++t) {
        Vec3 middle = Vec3(0, 0.25, 0);
        for (const std::int32_t v : render.triangles[t]) middle += render.points[v] / 3;
        const int look = std::abs(middle.x()) > 0.95 ? 1 : middle.y() > 0.2 ? 2 : 0;
        const bool is_near_a_seam = std::abs(std::abs(middle.x()) - 0.85) < 0.1 ||
                                    (std::abs(middle.x()) < 0.2 && middle.y() < 0.2);
        if (!is_near_a_seam) CHECK(render.triangle_looks[t] == look);
    }
}

TEST_CASE("a blend without parts, or with parts that cannot be, is refused with a message") {
    CHECK(make_solid({.kind = SolidKind::Blend}).error().where == "parts");
    CHECK(make_solid({.kind = SolidKind::Blend, .parts = {{.radius = -1.0}}}).error().where ==
          "parts/0");
    CHECK(!make_solid({.kind = SolidKind::Blend,
                       .parts = {{.to = Vec3(100, 100, 100), .radius = 0.01}},
                       .resolution = 0.01})
               .ok());
}

// The number before " m fits" in a hint.
static double fitting(const Error& error) {
    const std::size_t end = error.hint.find(" m fits");
    REQUIRE(end != std::string::npos);
    return std::stod(error.hint.substr(error.hint.rfind(' ', end - 1) + 1));
}

TEST_CASE("a blend that would take minutes is refused at once, with a resolution that fits") {
    SolidOptions pipe{.kind = SolidKind::Blend, .resolution = 0.007};
    pipe.parts = {{.to = Vec3(90, 0, 0), .radius = 0.25}};
    const Result<SurfaceAsset> refused = make_solid(pipe);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == "resolution");
    CHECK(refused.error().what.find("0.007 m would take too") == 0);
    CHECK(fitting(refused.error()) > 0.007);
    // A small one whose lattice is what costs, to see that the hint holds.
    SolidOptions diagonal{.kind = SolidKind::Blend, .resolution = 0.02};
    diagonal.parts = {{.to = Vec3(10, 10, 10), .radius = 0.04}};
    const Result<SurfaceAsset> fine = make_solid(diagonal);
    REQUIRE_FALSE(fine.ok());
    diagonal.resolution = fitting(fine.error());
    if (!test::kIsSanitized) CHECK(make_solid(diagonal).ok());  // half a minute there
}

TEST_CASE("a blend of so many or so thin parts that no resolution helps is told what would") {
    SolidOptions foam{.kind = SolidKind::Blend};
    for (int i = 0; i < 20000; ++i) {
        const Vec3 place(i % 27, i / 27 % 27, i / 729);
        foam.parts.push_back({.from = place, .to = place, .radius = 0.6});
    }
    const Result<SurfaceAsset> many = make_solid(foam);
    REQUIRE_FALSE(many.ok());
    CHECK(many.error().where == "parts");
    CHECK(many.error().what.find("20000 parts") == 0);
    SolidOptions wire{.kind = SolidKind::Blend};
    wire.parts = {{.to = Vec3(90, 90, 90), .radius = 1e-3}};
    const Result<SurfaceAsset> thin = make_solid(wire);
    REQUIRE_FALSE(thin.ok());
    CHECK(thin.error().where == "parts");
    CHECK(thin.error().hint.find("thicker") != std::string::npos);
}

TEST_CASE("a solid that is stopped while it is made ends with an error, not with half of it") {
    SolidOptions pipe{.kind = SolidKind::Blend, .resolution = 0.01};
    pipe.parts = {{.to = Vec3(3, 0, 0), .radius = 0.25}};
    StopFlag stop;
    stop.set();
    const Result<SurfaceAsset> made = make_solid(pipe, &stop);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().what.find("stopped") == 0);
}
