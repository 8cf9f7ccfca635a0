// SPDX-License-Identifier: MIT
#include <ductile/core/math.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ductile;

namespace {

Vec3 random_vector(Rng& rng) {
    return {rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5)};
}

Transform random_transform(Rng& rng) {
    Quat q;
    for (int i = 0; i < 4; ++i) q.coeffs()[i] = rng.uniform(-1, 1);
    return {q.normalized(), random_vector(rng)};
}

}  // namespace

TEST_CASE("a transform turns first and moves then") {
    const Transform t{Quat(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitZ())), Vec3(10, 0, 0)};
    CHECK((t.point(Vec3(1, 0, 0)) - Vec3(10, 1, 0)).norm() < 1e-15);
    CHECK((t.direction(Vec3(1, 0, 0)) - Vec3(0, 1, 0)).norm() < 1e-15);
    CHECK(Transform().point(Vec3(1, 2, 3)) == Vec3(1, 2, 3));
}

TEST_CASE("the turn between two directions takes one to the other, the short way") {
    Rng rng(3);
    for (int round = 0; round < 200; ++round) {
        const Vec3 from = random_vector(rng).normalized();
        // Anywhere, nearly the same, nearly opposite, opposite.
        const double off = std::pow(10.0, -rng.uniform(0, 12));
        const Vec3 aside = off * random_vector(rng);
        for (const Vec3& to : {random_vector(rng).normalized(), (from + aside).normalized(),
                               (aside - from).normalized(), Vec3(-from), from}) {
            const Quat turn = turn_between(from, to);
            CAPTURE(off);
            CHECK(std::abs(turn.norm() - 1.0) < 1e-14);
            CHECK((turn * from - to).norm() < 1e-7);
            if (from.dot(to) > -0.99) {
                CHECK((turn * from - to).norm() < 1e-14);
                const double angle = 2.0 * std::atan2(turn.vec().norm(), turn.w());
                CHECK(std::abs(angle - std::acos(std::clamp(from.dot(to), -1.0, 1.0))) < 1e-7);
            }
        }
    }
}

TEST_CASE("transforms compose and invert like the functions they are") {
    Rng rng(1);
    for (int round = 0; round < 200; ++round) {
        const Transform a = random_transform(rng), b = random_transform(rng);
        const Vec3 p = random_vector(rng);
        CHECK(((a * b).point(p) - a.point(b.point(p))).norm() < 1e-13);
        CHECK(((a * b).direction(p) - a.direction(b.direction(p))).norm() < 1e-13);
        CHECK((a.inverse().point(a.point(p)) - p).norm() < 1e-13);
        CHECK((a.inverse_point(p) - a.inverse().point(p)).norm() < 1e-13);
        CHECK((a.inverse_direction(a.direction(p)) - p).norm() < 1e-13);
        CHECK((a.point(p) - a.point(Vec3::Zero()) - a.direction(p)).norm() < 1e-13);
    }
}

TEST_CASE("is_finite sees every number of a transform") {
    const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity()};
    for (const double x : bad) {
        for (int i = 0; i < 3; ++i) {
            Transform t;
            t.translation[i] = x;
            CHECK_FALSE(is_finite(t));
            CHECK_FALSE(is_finite(t.translation));
        }
        for (int i = 0; i < 4; ++i) {
            Transform t;
            t.rotation.coeffs()[i] = x;
            CHECK_FALSE(is_finite(t));
        }
    }
    CHECK(is_finite(Transform()));
}

TEST_CASE("any_perpendicular is a unit vector at a right angle for every direction") {
    Rng rng(2);
    std::vector<Vec3> directions = {Vec3::UnitX(),
                                    Vec3::UnitY(),
                                    Vec3::UnitZ(),
                                    -Vec3::UnitX(),
                                    -Vec3::UnitY(),
                                    -Vec3::UnitZ(),
                                    Vec3(1e-9, 0, -1).normalized(),
                                    Vec3(0, -1e-200, -1)};
    for (int i = 0; i < 500; ++i) directions.push_back(random_vector(rng).normalized());
    for (const Vec3& n : directions) {
        const Vec3 p = any_perpendicular(n);
        CHECK(std::abs(p.dot(n)) < 1e-15);
        CHECK(test::near(p.norm(), 1.0, 1e-14));
    }
}

TEST_CASE("a box grows to hold what is added and measures its distance to points") {
    Box box;
    CHECK(box.is_empty());
    CHECK(box.diagonal() == 0.0);
    CHECK_FALSE(box.overlaps(box));
    box.add(Vec3(1, 2, 3));
    CHECK_FALSE(box.is_empty());
    CHECK(box.diagonal() == 0.0);
    box.add(Vec3(-1, 4, 0));
    CHECK(box.lower == Vec3(-1, 2, 0));
    CHECK(box.upper == Vec3(1, 4, 3));
    CHECK(box.centre() == Vec3(0, 3, 1.5));
    CHECK(box.distance_sq(Vec3(0, 3, 1)) == 0.0);
    CHECK(box.distance_sq(Vec3(4, 3, 7)) == 25.0);
    CHECK(box.distance_sq(Vec3(-2, 1, -1)) == 3.0);

    Box other = box;
    other.add(Box());
    CHECK(other.lower == box.lower);
    CHECK(other.upper == box.upper);
    Box touching;
    touching.add(Vec3(1, 4, 3));
    touching.add(Vec3(9, 9, 9));
    CHECK(box.overlaps(touching));
    Box apart;
    apart.add(Vec3(1.001, 4, 3));
    CHECK_FALSE(box.overlaps(apart));
    CHECK_FALSE(box.overlaps(Box()));
}
