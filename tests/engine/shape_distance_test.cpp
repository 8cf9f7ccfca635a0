// SPDX-License-Identifier: MIT
// Clouds of triangles and the like, as a game's level is made of.
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/shape_distance.h>
#include <ductile/geom/triangle.h>

#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <engine/triangle_shapes.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

Vec3 random_point(Rng& rng, double half) {
    return {rng.uniform(-half, half), rng.uniform(-half, half), rng.uniform(-half, half)};
}

std::vector<Corners> random_triangles(Rng& rng, int count) {
    std::vector<Corners> out;
    for (int i = 0; i < count; ++i) {
        const Vec3 at = random_point(rng, 1.0);
        const Corners wanted{at, at + random_point(rng, 0.3), at + random_point(rng, 0.3)};
        // As Bullet keeps them.
        out.push_back(
            {from_bt(to_bt(wanted[0])), from_bt(to_bt(wanted[1])), from_bt(to_bt(wanted[2]))});
    }
    return out;
}

double least_distance(const std::vector<Corners>& triangles, const Vec3& p) {
    double least = kInfinity;
    for (const Corners& t : triangles) {
        least = std::min(least, std::sqrt(closest_on_triangle(p, t).distance_sq));
    }
    return least;
}

/// Checks answers against the nearest of all triangles, at many places and reaches.
void check_triangles(const btCollisionShape& shape, const std::vector<Corners>& triangles,
                     double margin) {
    Rng rng(11);
    const double close = tolerance(1e-12, 1e-5);
    int answers = 0, silences = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 p = random_point(rng, i % 4 == 0 ? 5.0 : 1.2);
        const double reach = i % 3 == 0 ? kInfinity : rng.uniform(0.0, 0.5);
        const double expected = least_distance(triangles, p) - margin;
        const RigidQueries::Nearest near = nearest_on_shape(shape, p, reach);
        if (std::abs(expected - reach) < close) continue;
        REQUIRE((near.distance < kInfinity) == (expected < reach));
        (near.distance < kInfinity ? answers : silences) += 1;
        if (!(near.distance < kInfinity)) continue;
        CHECK(std::abs(near.distance - expected) < close);
        CHECK(test::near(near.normal_w.norm(), 1.0, kBulletRounding));
        CHECK((near.point_w + near.distance * near.normal_w - p).norm() < close);
    }
    CHECK(answers > 100);
    CHECK(silences > 100);
}

}  // namespace

TEST_CASE("the closest point of a triangle mesh is that of its nearest triangle, within reach") {
    Rng rng(3);
    const std::vector<Corners> triangles = random_triangles(rng, 300);
    TriangleShape mesh(triangles);
    check_triangles(mesh.shape, triangles, mesh.shape.getMargin());
    mesh.shape.setMargin(btScalar(0.03));
    check_triangles(mesh.shape, triangles, mesh.shape.getMargin());
}

TEST_CASE("scaled meshes, and meshes among the children of a compound, answer as others do") {
    Rng rng(4);
    const std::vector<Corners> triangles = random_triangles(rng, 200);
    TriangleShape mesh(triangles);
    mesh.shape.setMargin(0);
    const Vec3 scale(0.7, 1.2, 0.5);
    btScaledBvhTriangleMeshShape scaled(&mesh.shape, to_bt(scale));
    std::vector<Corners> moved = triangles;
    for (Corners& t : moved) {
        for (Vec3& p : t) p = p.cwiseProduct(scale);
    }
    check_triangles(scaled, moved, scaled.getMargin());

    btCompoundShape compound;
    const Transform pose{Quat(Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized())),
                         Vec3(0.1, -0.2, 0.05)};
    compound.addChildShape(to_bt(pose), &mesh.shape);
    compound.addChildShape(btTransform::getIdentity(), &scaled);
    for (const Corners& t : triangles) {
        moved.push_back({pose.point(t[0]), pose.point(t[1]), pose.point(t[2])});
    }
    check_triangles(compound, moved, 0.0);
}

TEST_CASE("outside, a box of triangles answers as a box") {
    const Vec3 size(0.6, 0.4, 0.5);
    TriangleShape mesh(box_triangles(size, 4));
    mesh.shape.setMargin(0);
    const auto engine = weightless();
    BodyDesc d = piece_desc(size, 200, Vec3::Zero());
    d.collider = BoxCollider{size};
    const BodyId box = engine->add(d).value();
    Rng rng(5);
    int outside = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 p = random_point(rng, 0.6);
        const auto a = nearest_on_shape(mesh.shape, p, kInfinity);
        const auto b = engine->closest_point(box, p);
        if (b.distance < 1e-3) continue;
        ++outside;
        CHECK(std::abs(a.distance - b.distance) < tolerance(1e-12, 1e-6));
        CHECK((a.point_w - b.point_w).norm() < tolerance(1e-9, 1e-5));
        CHECK((a.normal_w - b.normal_w).norm() < tolerance(1e-9, 1e-3));
    }
    CHECK(outside > 200);
}

TEST_CASE("where a field of heights is flat it answers as a plane from above, and from below") {
    HeightField field(33, 0.25, [](double x, double) { return x < 0 ? 0.0 : 0.3 * x; });
    btStaticPlaneShape plane(btVector3(0, 1, 0), field.level(0.0));
    Rng rng(6);
    for (int i = 0; i < 300; ++i) {
        Vec3 p = random_point(rng, 1.0);
        p.x() -= 1.6;  // the slope is further away
        const auto a = nearest_on_shape(field.shape, p, 0.5);
        const auto b = nearest_on_shape(plane, p, kInfinity);
        const bool is_near = std::abs(b.distance) < 0.5;
        REQUIRE((a.distance < kInfinity) == is_near);
        if (!is_near) continue;
        CHECK(test::near(a.distance, std::abs(b.distance), 1e-6));
        CHECK((a.point_w - b.point_w).norm() < 1e-6);
        CHECK((a.normal_w - (b.distance < 0 ? -1.0 : 1.0) * b.normal_w).norm() < 1e-3);
    }
}

TEST_CASE("a place on a triangle is told its plane's normal, and a margin counts from it") {
    TriangleShape mesh({{Vec3(0, 0, 0), Vec3(0, 0, 4), Vec3(4, 0, 0)}});
    mesh.shape.setMargin(btScalar(0.125));
    const auto on = nearest_on_shape(mesh.shape, Vec3(1, 0, 1), 0.5);
    CHECK(test::near(std::abs(on.normal_w.y()), 1.0, kBulletRounding));
    CHECK(on.distance == -0.125);
    const auto below = nearest_on_shape(mesh.shape, Vec3(1, -0.5, 1), 0.5);
    CHECK(test::near(below.distance, 0.375, kBulletRounding));
    CHECK((below.point_w - Vec3(1, -0.125, 1)).norm() < 1e-12);
    CHECK(nearest_on_shape(mesh.shape, Vec3(1, -0.5, 1), 0.37).distance == kInfinity);
}

TEST_CASE("what has no triangles to show is not near") {
    btEmptyShape nothing;
    CHECK(nearest_on_shape(nothing, Vec3(1, 2, 3), kInfinity).distance == kInfinity);
    CHECK(nowhere().distance == kInfinity);
}

TEST_CASE("a mesh of a million triangles is asked in the time that what is near takes") {
    // 4 cm wide triangles; within 1 cm of a place there are a few.
    HeightField field(709, 0.04, [](double x, double z) { return 0.1 * std::sin(x + z); });
    struct Counter final : btTriangleCallback {
        int count = 0;
        void processTriangle(btVector3*, int, int) override { ++count; }
    };
    struct Counting final : btConcaveShape {
        const btHeightfieldTerrainShape& inner;
        mutable int shown = 0, asked = 0;
        explicit Counting(const btHeightfieldTerrainShape& s) : inner(s) {
            m_shapeType = CUSTOM_CONCAVE_SHAPE_TYPE;
        }
        void processAllTriangles(btTriangleCallback* callback, const btVector3& lower,
                                 const btVector3& upper) const override {
            Counter counter;
            inner.processAllTriangles(&counter, lower, upper);
            shown += counter.count;
            ++asked;
            inner.processAllTriangles(callback, lower, upper);
        }
        void getAabb(const btTransform& t, btVector3& lower, btVector3& upper) const override {
            inner.getAabb(t, lower, upper);
        }
        void setLocalScaling(const btVector3&) override {}
        const btVector3& getLocalScaling() const override { return inner.getLocalScaling(); }
        void calculateLocalInertia(btScalar, btVector3&) const override {}
        const char* getName() const override { return "counting"; }
    } counting(field.shape);
    const double y = field.level(0.1 * std::sin(2.0));
    CHECK(nearest_on_shape(counting, Vec3(1, y, 1), 0.01).distance < 0.01);
    CHECK(counting.asked == 1);
    CHECK(counting.shown < 100);
    // Who takes any distance does not have the whole of it shown either.
    counting.shown = 0;
    CHECK(nearest_on_shape(counting, Vec3(1, y + 0.3, 1), kInfinity).distance < 0.31);
    CHECK(counting.shown < 20000);
}

TEST_CASE("several threads may ask one mesh") {
    Rng rng(8);
    const std::vector<Corners> triangles = random_triangles(rng, 200);
    TriangleShape mesh(triangles);
    std::vector<Vec3> places(2000);
    for (Vec3& p : places) p = random_point(rng, 1.2);
    std::vector<double> at_once(places.size()), alone(places.size());
    const auto ask = [&](std::size_t i) {
        return nearest_on_shape(mesh.shape, places[i], kInfinity).distance;
    };
    parallel_for(places.size(), 16, [&](std::size_t i) { at_once[i] = ask(i); });
    for (std::size_t i = 0; i < places.size(); ++i) alone[i] = ask(i);
    CHECK(at_once == alone);
}
