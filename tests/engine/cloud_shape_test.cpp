// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/cloud_shape.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace ductile;
using namespace ductile::test;

namespace {

std::vector<Vec3> random_cloud(Rng& rng, std::size_t count) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(random_vec(rng));
    return points;
}

double furthest(const std::vector<Vec3>& points, const Vec3& direction) {
    double most = -kInfinity;
    for (const Vec3& p : points) most = std::max(most, p.dot(direction));
    return most;
}

}  // namespace

TEST_CASE("the support of a cloud is its furthest point, whatever their number") {
    Rng rng(3);
    for (std::size_t count = 1; count < 23; ++count) {
        std::vector<Vec3> points = random_cloud(rng, count);
        CloudShape cloud(points, 0.01);
        for (int round = 0; round < 2; ++round) {
            REQUIRE(cloud.count() == count);
            for (int k = 0; k < 20; ++k) {
                const Vec3 way = random_vec(rng).normalized();
                const btVector3 at = cloud.localGetSupportingVertexWithoutMargin(to_bt(way));
                const double most = furthest(points, way);
                CHECK(test::within(from_bt(at).dot(way), most, 1e-6));
                CHECK(test::within(cloud.reach(2.0 * way), 2.0 * most, 1e-6));
                btVector3 batched;
                const btVector3 one = to_bt(way);
                cloud.batchedUnitVectorGetSupportingVertexWithoutMargin(&one, &batched, 1);
                CHECK(batched == at);
            }
            for (std::size_t i = 0; i < count; ++i) {
                CHECK((from_bt(cloud.point(i)) - points[i]).norm() < 1e-6);
            }
            points = random_cloud(rng, count);
            cloud.set_points(points);
        }
    }
}

TEST_CASE("the box of a cloud in the world holds all its points and the margin around them") {
    Rng rng(4);
    const std::vector<Vec3> points = random_cloud(rng, 9);
    const CloudShape cloud(points, 0.05);
    const btTransform pose(btQuaternion(btVector3(1, 2, 3).normalized(), btScalar(0.7)),
                           btVector3(5, -2, 1));
    btVector3 lower, upper;
    cloud.getAabb(pose, lower, upper);
    for (const Vec3& p : points) {
        const Vec3 at = from_bt(pose * to_bt(p));
        CHECK((at.array() - 0.05 + 1e-5 >= from_bt(lower).array()).all());
        CHECK((at.array() + 0.05 - 1e-5 <= from_bt(upper).array()).all());
    }
}

TEST_CASE("the sphere around a cloud is the one that Bullet makes of its box") {
    Rng rng(5);
    for (const std::size_t count : {4u, 7u, 22u}) {
        const CloudShape cloud(random_cloud(rng, count), 0.03);
        btVector3 centre, bullets_centre;
        btScalar radius = 0, bullets_radius = 0;
        cloud.getBoundingSphere(centre, radius);
        cloud.btCollisionShape::getBoundingSphere(bullets_centre, bullets_radius);
        CHECK(from_bt(centre - bullets_centre).norm() < 1e-6);
        CHECK(test::near(radius, bullets_radius, 1e-6));
    }
}

TEST_CASE("pieces are found by their ids through adding, moving and removing") {
    Rng rng(5);
    std::vector<ColliderPiece> pieces;
    for (const std::int32_t id : {7, 2, 40}) pieces.push_back({id, random_cloud(rng, 5)});
    PiecesShape shape(pieces, 0.0, Transform{});
    shape.add({11, random_cloud(rng, 6)});
    shape.remove(shape.find(2));
    shape.refit();
    CHECK(shape.size() == 3);
    CHECK(shape.find(2) == -1);
    for (const std::int32_t id : {7, 40, 11}) {
        REQUIRE(shape.find(id) >= 0);
        CHECK(shape.id(shape.find(id)) == id);
    }
    const std::vector<Vec3> moved = random_cloud(rng, 5);
    shape.move(shape.find(40), moved);
    CHECK((from_bt(shape.cloud(shape.find(40)).point(3)) - moved[3]).norm() < 1e-6);
}

TEST_CASE("points that are not finite, or span nothing, are no piece") {
    const std::vector<Vec3> flat = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)};
    CHECK_FALSE(check_cloud(flat));
    std::vector<Vec3> full = flat;
    full.emplace_back(0, 0, 1);
    CHECK(check_cloud(full));
    full[0].x() = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(check_cloud(full));
}
