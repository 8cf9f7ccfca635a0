// SPDX-License-Identifier: MIT
#include <ductile/sim/collider_surface.h>
#include <ductile/sim/object_id.h>
#include <ductile/sim/object_parts.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;

TEST_CASE("only ids from zero on name an object") {
    CHECK_FALSE(ObjectId{}.is_valid());
    CHECK(ObjectId{0}.is_valid());
    CHECK(ObjectId{1} < ObjectId{2});
}

TEST_CASE("parts are counted from zero, each with a point of its own") {
    CHECK(part_count(std::vector<std::int32_t>{0, 1, 1, 2}) == 3);
    CHECK(part_count(std::vector<std::int32_t>{0, 2}) == 0);
    CHECK(part_count(std::vector<std::int32_t>{0, -1}) == 0);
    CHECK(part_count({}) == 0);
}

TEST_CASE("a ball cut in halves gives two masses alike, mirrored, that sum up to its own") {
    const TriMesh ball = test::sphere_mesh(1.0, 3);
    std::vector<std::int32_t> part;
    const Vec3 across = Vec3(1.0, 0.31, 0.17).normalized();  // no point lies on the cut
    for (const Vec3& p : ball.points) part.push_back(p.dot(across) > 0 ? 1 : 0);
    const Result<std::vector<MassProperties>> halves =
        part_masses(ball.triangles, ball.points, part, 6.0);
    REQUIRE(halves.ok());
    REQUIRE(halves.value().size() == 2);
    CHECK(test::near(halves.value()[0].mass + halves.value()[1].mass, 6.0));
    CHECK(test::near(halves.value()[0].mass, 3.0));
    // The centre of a half shell lies half a radius off.
    CHECK(test::near(halves.value()[1].centre_b.dot(across), 0.5, 0.1));
    const std::vector<std::int32_t> none(ball.points.size(), 0);
    CHECK(part_masses(ball.triangles, ball.points, none, 6.0).value().size() == 1);
}

TEST_CASE("plain colliders have a surface to press with, pieces have none") {
    const auto ball = collider_surface(SphereCollider{0.5});
    REQUIRE(ball);
    for (const Vec3& p : ball->points()) CHECK(test::near(p.norm(), 0.5, 0.05));
    const auto capsule = collider_surface(CapsuleCollider{0.5, 1.0});
    REQUIRE(capsule);
    for (const Vec3& p : capsule->points()) {
        const Vec3 on_axis(0.0, std::clamp(p.y(), -0.5, 0.5), 0.0);
        CHECK(test::near((p - on_axis).norm(), 0.5, 0.05));
    }
    CHECK(collider_surface(BoxCollider{}) != nullptr);
    CHECK(collider_surface(PieceCollider{}) == nullptr);
}
