// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/impact/contact.h>
#include <ductile/impact/impact.h>
#include <ductile/impact/rigid_queries.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <array>
#include <cmath>

using namespace ductile;

namespace {

Vec3 random_vector(Rng& rng) {
    return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
}

Transform random_pose(Rng& rng) {
    const Vec3 axis = random_vector(rng).normalized();
    const double angle = rng.uniform(-3, 3);
    return {Quat(Eigen::AngleAxisd(angle, axis)), random_vector(rng)};
}

// A half space below y = 0 that does not move.
struct Floor : RigidQueries {
    Nearest closest_point(BodyId, const Vec3& p, double) const override {
        return {Vec3(p.x(), 0, p.z()), Vec3::UnitY(), p.y()};
    }
    Vec3 velocity_at(BodyId, const Vec3&) const override { return Vec3::Zero(); }
    void apply_impulse(BodyId, const Vec3&, const Vec3&) override {}
};

}  // namespace

TEST_CASE("only ids from zero on name a body") {
    CHECK_FALSE(BodyId{}.is_valid());
    CHECK(BodyId{0}.is_valid());
    CHECK(BodyId{1} < BodyId{2});
}

TEST_CASE("a body's response is the speed that a unit impulse really gives") {
    Rng rng(3);
    for (int i = 0; i < 100; ++i) {
        BodyMoment body;
        body.centre_w = random_vector(rng);
        body.velocity_w = random_vector(rng);
        body.spin_w = random_vector(rng);
        body.inverse_mass = rng.uniform(0.1, 2.0);
        const Vec3 column = random_vector(rng);
        body.inverse_inertia_w = Mat3::Identity() + column * column.transpose();
        const Vec3 point = random_vector(rng), n = random_vector(rng).normalized();
        BodyMoment pushed = body;
        pushed.velocity_w += body.inverse_mass * n;
        pushed.spin_w += body.inverse_inertia_w * (point - body.centre_w).cross(n);
        const double gain = (pushed.velocity_at(point) - body.velocity_at(point)).dot(n);
        CHECK(test::near(gain, body.response(point, n), 1e-12));
    }
    BodyMoment wall;
    CHECK(wall.response(Vec3(1, 2, 3), Vec3::UnitX()) == 0.0);
}

TEST_CASE("both sides of an impact see the same impact, each in its own frame") {
    Rng rng(5);
    Impact impact;
    impact.episode = 7;
    impact.damage_impulse = 3.0;
    impact.velocity_w = random_vector(rng);
    for (int s = 0; s < 2; ++s) {
        impact.sides[s].id = BodyId{s};
        impact.sides[s].pose_w = random_pose(rng);
        impact.sides[s].point_b = random_vector(rng);
        impact.sides[s].size = 1.0 + s;
        impact.sides[s].normal_b = random_vector(rng).normalized();
        impact.sides[s].starts_b = {random_vector(rng), random_vector(rng)};
    }
    impact.time = 0.5;
    impact.approach_speed = 1.5;
    impact.effective_mass = 2.5;
    impact.restitution = 0.25;
    impact.previous_damage_impulse = 1.25;
    impact.friction_w = random_vector(rng);
    const BodyImpact first = seen_from(impact, 0), second = seen_from(impact, 1);
    CHECK(first.body == second.other);
    CHECK(second.body == first.other);
    CHECK(first.other_size == 2.0);
    CHECK(first.damage_impulse == second.damage_impulse);
    for (const int s : {0, 1}) {
        const BodyImpact seen = seen_from(impact, s);
        CHECK(seen.point_b == impact.sides[s].point_b);
        CHECK(seen.normal_b == impact.sides[s].normal_b);
        CHECK(seen.starts_b == impact.sides[s].starts_b);
        CHECK(seen.other_starts == impact.sides[1 - s].starts_b);
        CHECK(std::array{seen.time, seen.approach_speed, seen.effective_mass, seen.restitution,
                         seen.damage_impulse, seen.previous_damage_impulse} ==
              std::array{0.5, 1.5, 2.5, 0.25, 3.0, 1.25});
        CHECK(seen.episode == 7);
    }
    // What comes at the one is what leaves the other.
    const Vec3 to_first = impact.sides[0].pose_w.direction(first.velocity_b);
    const Vec3 to_second = impact.sides[1].pose_w.direction(second.velocity_b);
    CHECK((to_first + impact.velocity_w).norm() < 1e-14);
    CHECK((to_second - impact.velocity_w).norm() < 1e-14);
    // Friction is told as it acts on the second body; the first has the opposite.
    const Vec3 on_first = impact.sides[0].pose_w.direction(first.friction_b);
    const Vec3 on_second = impact.sides[1].pose_w.direction(second.friction_b);
    CHECK((on_first + impact.friction_w).norm() < 1e-14);
    CHECK((on_second - impact.friction_w).norm() < 1e-14);
    // A place of the other body goes to the same place of the world either way.
    const Vec3 p = random_vector(rng);
    const Vec3 there = impact.sides[0].pose_w.point(first.other_to_body.point(p));
    CHECK((there - impact.sides[1].pose_w.point(p)).norm() < 1e-13);
}

TEST_CASE("whoever answers closest points answers gaps") {
    const Floor floor;
    CHECK(floor.gap(BodyId{0}, Vec3(3, 0.25, 1), Vec3::UnitY()) == 0.25);
    CHECK(floor.gap(BodyId{0}, Vec3(3, -0.25, 1), Vec3::UnitX()) == -0.25);
}
