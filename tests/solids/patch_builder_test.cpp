// SPDX-License-Identifier: MIT
#include <ductile/solids/car_shape.h>
#include <ductile/solids/patch_builder.h>
#include <ductile/solids/solid_parts.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("faces that name the same points share them, and a crease splits drawn vertices") {
    PatchBuilder builder;
    const std::int32_t look = builder.add_look({});
    // A roof: two squares that meet at a right angle.
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 1), Vec3(0, 0, 1), Vec3(0, 1, 0),
                          Vec3(0, 1, 1)}) {
        builder.add_point(p);
    }
    builder.add_quad({.point = 0}, {.point = 3}, {.point = 2}, {.point = 1}, look, false);
    builder.add_quad({.point = 0}, {.point = 4}, {.point = 5}, {.point = 3}, look, false);
    const SurfaceAsset asset = builder.finish();
    CHECK(asset.surface.points.size() == 6);
    CHECK(asset.surface.triangles.size() == 4);
    CHECK(asset.render.points.size() == 8);  // the two points of the ridge twice
    for (const Vec3& n : asset.render.normals) CHECK(test::near(n.norm(), 1.0));
    CHECK(builder.points().empty());
}

TEST_CASE("the unit circle is symmetric to the bit in all octants") {
    for (const std::int32_t n : {4, 8, 12, 24, 100}) {
        for (std::int32_t i = 0; i < n; ++i) {
            const Vec2 p = unit_circle(i, n), mirrored = unit_circle((n - i) % n, n);
            CHECK(test::near(p.norm(), 1.0, 1e-15));
            CHECK(p.x() == mirrored.x());
            CHECK(p.y() == -mirrored.y());
            const Vec2 quarter = unit_circle((i + n / 4) % n, n);
            CHECK(quarter == Vec2(-p.y(), p.x()));
        }
    }
}

TEST_CASE("lengths fall into parts near the edge that is asked for, and grids stay symmetric") {
    CHECK(even_parts(0.1, 1.0) == 1);
    for (const double length : {1.0, 2.5, 7.7, 30.0}) {
        const std::int32_t parts = even_parts(length, 0.4);
        CHECK(parts % 2 == 0);
        CHECK(length / parts < 0.8);
        CHECK(dome_segments(length, 0.4) % 12 == 0);
        const std::int32_t ring = ring_segments(length, 0.4);
        CHECK((ring % 8 == 0 || ring % 12 == 0));
        CHECK(cap_rings(ring) > 0);
        CHECK(ring % cap_rings(ring) == 0);
    }
}

TEST_CASE("a rounded box lies a rounding away from its core") {
    const RoundedBox box{.flat = Vec3(1, 2, 3), .rounding = 0.5};
    for (const Vec3& p : {Vec3(1.5, 0, 0), Vec3(1.5, 2.5, 3.5), Vec3(-1.5, 2.2, 0)}) {
        CHECK(test::near((box.position(p) - box.core(p)).norm(), 0.5));
    }
}

TEST_CASE("the car's skin is the same on both sides, and its wheels stand in their arches") {
    for (const Vec3& p : {Vec3(0.5, 0.1, 0.3), Vec3(0.2, 0.3, -0.6)}) {
        const Vec3 on = p.cwiseProduct(kCarLattice);
        const Vec3 right = car_body(on), left = car_body(Vec3(-on.x(), on.y(), on.z()));
        CHECK(test::near(left.x(), -right.x()));
        CHECK(test::near(left.y(), right.y()));
    }
    CHECK(car_looks().size() == kCarRim + 1);
    for (const CarFeature& feature : car_features()) CHECK(feature.look <= kCarRim);
    for (const double z : kWheelPlaces) {
        CHECK(car_arches(Vec3(kWheelTrack, kWheelRadius, z)) < 0.0);
        CHECK(car_arches(Vec3(-kWheelTrack, kWheelRadius, z)) < 0.0);
    }
    CHECK(car_arches(Vec3(0, 1.2, 0)) > 0.0);
    PatchBuilder builder;
    for (const Look& look : car_looks()) builder.add_look(look);
    add_car_parts(builder, 0.08);
    const SurfaceAsset parts = builder.finish();
    CHECK(is_closed(parts.surface.triangles));
}
