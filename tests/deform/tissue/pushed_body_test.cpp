// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/pushed_body.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a turn comes back as the angle that made it, the shorter way round") {
    Rng rng(5);
    for (int i = 0; i < 200; ++i) {
        const Vec3 axis =
            Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)).normalized();
        for (const double angle : {0.0, 1e-12, 1e-3, 1.0, 3.1}) {
            const Vec3 turned = angle_of(turn_by(angle * axis));
            CHECK((turned - angle * axis).norm() < 1e-13);
        }
        const Vec3 beyond = angle_of(turn_by(4.0 * axis));
        CHECK((beyond - (4.0 - 2.0 * kPi) * axis).norm() < 1e-12);
    }
}

TEST_CASE("a push moves the place it acts on as fast as the body's response says") {
    PushedBody body;
    body.start.inverse_mass = 0.5;
    body.start.inverse_inertia_w = Vec3(2, 3, 4).asDiagonal();
    CHECK(body.is_movable());
    const Vec3 lever(0.1, -0.2, 0.3), n = Vec3(1, 2, -1).normalized();
    body.push(0.7 * n, lever);
    const Vec3 gained = body.velocity_gain() + body.spin_gain().cross(lever);
    CHECK(std::abs(gained.dot(n) - 0.7 * body.response(lever, n)) < 1e-15);
    CHECK_FALSE(PushedBody{}.is_movable());
}
