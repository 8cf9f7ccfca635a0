// SPDX-License-Identifier: MIT
#include <ductile/asset/guess_units.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

PlacementReport place(const TriMesh& mesh, const PlacementHints& hints = {},
                      const AssetOptions& options = {}) {
    return place_model(mesh.points, mesh.triangles, hints, options).value();
}

// A cone of five sides that stands on 0 and points along an axis.
TriMesh cone(int up, double height) {
    TriMesh mesh = prism_mesh(0.3 * height, height, 5);
    for (Vec3& p : mesh.points) {
        p.y() += 0.5 * height;
        if (p.y() > 0.5 * height) p = Vec3(0.01 * p.x(), p.y(), 0.01 * p.z());
        if (up == 2) p = Vec3(p.x(), -p.z(), p.y());
    }
    return mesh;
}

}  // namespace

TEST_CASE("what is told goes before what is guessed, and the options before the file") {
    const TriMesh thing = cone(2, 100.0);
    const PlacementHints stated{.format = "DAE", .metres_per_unit = 0.01, .up_axis = 0};
    PlacementReport p = place(thing, stated);
    CHECK(p.up == UpAxis::X);
    CHECK(p.metres_per_unit == 0.01);
    CHECK(!p.is_up_guessed);
    CHECK(!p.is_scale_guessed);
    p = place(thing, stated, {.scale = 0.5, .up = UpAxis::Z});
    CHECK(p.up == UpAxis::Z);
    CHECK(test::near(p.size.y(), 50.0));
}

TEST_CASE("a thing that stands on an axis has that axis up") {
    for (const char* format : {"OBJ", "PLY", "STL"}) {
        for (const int up : {1, 2}) {
            const PlacementReport p = place(cone(up, 1.0), {.format = format});
            CHECK(p.up == static_cast<UpAxis>(up + 1));
            CHECK(p.is_up_guessed);
            CHECK(!p.up_reason.empty());
            CHECK(test::near(p.size.y(), 1.0));
        }
    }
    // Nothing speaks for one or the other: the format's habit.
    CHECK(place(sphere_mesh(1, 2), {.format = "OBJ"}).up == UpAxis::Y);
    CHECK(place(sphere_mesh(1, 2), {.format = "STL"}).up == UpAxis::Z);
}

TEST_CASE("units follow from the size") {
    CHECK(place(cone(1, 0.03)).metres_per_unit == 1.0);
    CHECK(place(cone(1, 45.0)).metres_per_unit == 1.0);
    CHECK(place(cone(1, 170.0)).metres_per_unit == 0.01);
    CHECK(place(cone(2, 157.0)).metres_per_unit == 0.0254);
    CHECK(place(cone(1, 4200.0)).metres_per_unit == 1e-3);
}

TEST_CASE("turning up to y is a rotation") {
    for (const UpAxis up : {UpAxis::X, UpAxis::Y, UpAxis::Z}) {
        Mat3 turn;
        for (int k = 0; k < 3; ++k) turn.col(k) = with_y_up(Vec3::Unit(k), up);
        CHECK(turn.determinant() == 1.0);
        CHECK(with_y_up(Vec3::Unit(static_cast<int>(up) - 1), up) == Vec3::UnitY());
    }
}

TEST_CASE("the guess does not depend on the unit, nor on points that no face uses") {
    TriMesh thing = cone(2, 1.0);
    const PlacementReport before = place(thing);
    thing.points.emplace_back(1e6, 0, 0);
    CHECK(place(thing).size == before.size);
    for (Vec3& p : thing.points) p *= 1024.0;
    CHECK(place(thing, {}, {.scale = 1.0 / 1024.0}).up == before.up);
}
