// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/pushed_body.h>

#include <doctest/doctest.h>

using namespace ductile;

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
