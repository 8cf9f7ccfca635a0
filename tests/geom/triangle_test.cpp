// SPDX-License-Identifier: MIT
#include <ductile/geom/triangle.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

Corners random_corners(Rng& rng, double reach = 1.0) {
    return {random_vec(rng, reach), random_vec(rng, reach), random_vec(rng, reach)};
}

Corners placed(Corners t, const Transform& pose) {
    for (Vec3& p : t) p = pose.point(p);
    return t;
}

// A point q of a convex body is the nearest to p exactly if no corner lies further towards p.
double worst_excess(const Vec3& p, const Vec3& q, const Corners& t) {
    double worst = -1e300;
    for (const Vec3& corner : t) worst = std::max(worst, (p - q).dot(corner - q));
    return worst;
}

void check_closest(const Vec3& p, const Corners& t, double tolerance) {
    const TrianglePoint q = closest_on_triangle(p, t);
    CHECK(worst_excess(p, q.position, t) <= tolerance);
    CHECK(q.barycentric.minCoeff() >= 0.0);
    CHECK(std::abs(q.barycentric.sum() - 1.0) < 1e-15);
    CHECK(q.distance_sq == (p - q.position).squaredNorm());
}

// Whether the segment crosses the triangle's inside: signed volumes, no separating axis in sight.
bool segment_crosses(const Vec3& p, const Vec3& q, const Corners& t) {
    const auto side = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        return (b - a).cross(c - a).dot(d - a) > 0;
    };
    if (side(t[0], t[1], t[2], p) == side(t[0], t[1], t[2], q)) return false;
    const bool s = side(p, q, t[0], t[1]);
    return s == side(p, q, t[1], t[2]) && s == side(p, q, t[2], t[0]);
}

bool edges_cross(const Corners& s, const Corners& t) {
    for (int k = 0; k < 3; ++k) {
        if (segment_crosses(s[k], s[(k + 1) % 3], t)) return true;
        if (segment_crosses(t[k], t[(k + 1) % 3], s)) return true;
    }
    return false;
}

constexpr double kTouch = 1e-14;

}  // namespace

TEST_CASE("the closest point of a triangle obeys the condition of optimality") {
    Rng rng(1);
    for (int i = 0; i < 3000; ++i) {
        const Vec3 p = random_vec(rng, 2.0);
        check_closest(p, random_corners(rng), 1e-13);
    }
}

TEST_CASE("the closest point holds for needles, lines and points") {
    Rng rng(2);
    for (int i = 0; i < 500; ++i) {
        const Vec3 a = random_vec(rng), along = random_vec(rng), p = random_vec(rng, 2.0);
        const double width = std::pow(10.0, rng.uniform(-18, -2));
        const Vec3 third = a + rng.uniform(-1, 2) * along;
        check_closest(p, {a, a + along, third + random_vec(rng, width)}, 1e-7);
        check_closest(p, {a, a + along, a + 0.3 * along}, 1e-13);
        check_closest(p, {a, a, a + along}, 1e-13);
        check_closest(p, {a, a, a}, 1e-13);
    }
}

TEST_CASE("corners and points of the triangle are their own closest points") {
    Rng rng(3);
    for (int i = 0; i < 300; ++i) {
        const Corners t = random_corners(rng);
        for (int k = 0; k < 3; ++k) {
            const TrianglePoint q = closest_on_triangle(t[k], t);
            CHECK(q.distance_sq == 0.0);
            CHECK(q.barycentric[k] == 1.0);
        }
        Vec3 w{rng.uniform(), rng.uniform(), rng.uniform()};
        w /= w.sum();
        const Vec3 inside = w[0] * t[0] + w[1] * t[1] + w[2] * t[2];
        CHECK(std::sqrt(closest_on_triangle(inside, t).distance_sq) < 1e-14);
    }
}

TEST_CASE("a ray towards a point of a triangle hits it there, from both sides") {
    Rng rng(4);
    for (int i = 0; i < 1000; ++i) {
        const Corners t = random_corners(rng);
        Vec3 w{rng.uniform(0.01, 1), rng.uniform(0.01, 1), rng.uniform(0.01, 1)};
        w /= w.sum();
        const Vec3 target = w[0] * t[0] + w[1] * t[1] + w[2] * t[2];
        const Vec3 origin = random_vec(rng, 3.0);
        const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
        const Vec3 d = (target - origin).normalized();
        if (std::abs(n.dot(d)) < 1e-3) continue;  // Nearly edge-on: ill-conditioned by nature.
        for (const Corners& side : {t, Corners{t[0], t[2], t[1]}}) {
            const Ray::Hit hit = Ray(origin, d).meet(side);
            CHECK(test::near(hit.distance, (target - origin).norm(), 1e-10));
            CHECK((w[0] * t[0] + w[1] * t[1] + w[2] * t[2] - origin - hit.distance * d).norm() <
                  1e-10);
        }
        CHECK(Ray(origin, -d).meet(t).distance < 0);
    }
}

TEST_CASE("a ray misses what it passes by, what it sees edge-on and what has no area") {
    const Corners t{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const Vec3 z = Vec3::UnitZ();
    CHECK(test::near(Ray(Vec3(0.2, 0.2, -1), z).meet(t).distance, 1.0));
    CHECK(Ray(Vec3(0.0, 0.5, -1), z).meet(t).distance == 1.0);  // on an edge
    CHECK(Ray(Vec3(1.0, 0.0, -1), z).meet(t).distance == 1.0);  // on a corner
    CHECK(Ray(Vec3(0.6, 0.6, -1), z).meet(t).distance < 0);
    CHECK(Ray(Vec3(-1, 0.2, 0), Vec3::UnitX()).meet(t).distance < 0);
    CHECK(Ray(Vec3(0.5, 0, -1), z).meet({t[0], t[1], t[1]}).distance < 0);
}

TEST_CASE("solid angles are signed, and an octant of the sky is an eighth of it") {
    const Corners t{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    const double octant = 0.5 * std::numbers::pi;
    CHECK(test::near(solid_angle(Vec3::Zero(), t), octant, 1e-15));
    CHECK(test::near(solid_angle(Vec3::Zero(), {t[0], t[2], t[1]}), -octant, 1e-15));
    CHECK(solid_angle(t[1], t) == 0.0);
    const Vec3 n = Vec3::Ones().normalized(), middle = Vec3::Constant(1.0 / 3.0);
    CHECK(test::near(solid_angle(middle - 1e-9 * n, t), 2 * std::numbers::pi, 1e-7));
    CHECK(test::near(solid_angle(middle + 1e-9 * n, t), -2 * std::numbers::pi, 1e-7));
}

TEST_CASE("triangles meet exactly if an edge of one crosses the other") {
    Rng rng(5);
    int met = 0;
    for (int i = 0; i < 4000; ++i) {
        const Corners s = random_corners(rng), t = random_corners(rng);
        const bool expected = edges_cross(s, t);
        met += expected;
        CHECK(triangles_meet(s, t, kTouch) == expected);
        CHECK(triangles_meet(t, s, kTouch) == expected);
    }
    CHECK(met > 500);
    CHECK(met < 3500);
}

TEST_CASE("triangles in one plane meet if they overlap or touch, however they are turned") {
    const Corners t{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const Corners around{Vec3(-2, -2, 0), Vec3(4, -2, 0), Vec3(-2, 4, 0)};
    const Corners shifted{Vec3(0.3, 0.3, 0), Vec3(1.3, 0.3, 0), Vec3(0.3, 1.3, 0)};
    const Corners at_edge{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, -1, 0)};
    const Corners at_corner{Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(1.5, 0.5, 0)};
    const Corners beside{Vec3(0.6, 0.6, 0), Vec3(2, 0.6, 0), Vec3(0.6, 2, 0)};
    const Corners above{Vec3(0, 0, 1e-9), Vec3(1, 0, 1e-9), Vec3(0, 1, 1e-9)};
    Rng rng(6);
    for (int i = 0; i < 200; ++i) {
        const Transform pose{random_rotation(rng), random_vec(rng, 1.0)};
        const Corners a = placed(t, pose);
        for (const Corners& b : {t, around, shifted, at_edge, at_corner}) {
            CHECK(triangles_meet(a, placed(b, pose), kTouch));
            CHECK(triangles_meet(placed(b, pose), a, kTouch));
        }
        for (const Corners& b : {beside, above}) {
            CHECK_FALSE(triangles_meet(a, placed(b, pose), kTouch));
            CHECK_FALSE(triangles_meet(placed(b, pose), a, kTouch));
        }
    }
}

TEST_CASE("a triangle without area is a line to a sound one, and nothing to its like") {
    const Corners t{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const Corners pin{Vec3(0.2, 0.2, -1), Vec3(0.2, 0.2, 1), Vec3(0.2, 0.2, 0.4)};
    const Corners missing{Vec3(0.6, 0.6, -1), Vec3(0.6, 0.6, 1), Vec3(0.6, 0.6, 0.4)};
    const Corners lying{Vec3(-1, 0.5, 0), Vec3(2, 0.5, 0), Vec3(0, 0.5, 0)};
    const Corners dot{Vec3(0.2, 0.2, 0), Vec3(0.2, 0.2, 0), Vec3(0.2, 0.2, 0)};
    CHECK(triangles_meet(t, pin, kTouch));
    CHECK_FALSE(triangles_meet(t, missing, kTouch));
    CHECK(triangles_meet(lying, t, kTouch));
    CHECK(triangles_meet(t, dot, kTouch));
    CHECK_FALSE(triangles_meet(pin, pin, kTouch));
    CHECK_FALSE(triangles_meet(pin, dot, kTouch));
}
