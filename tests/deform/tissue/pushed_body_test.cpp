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

TEST_CASE("a body goes along with what holds on to it, by their masses, however light it is") {
    PushedBody body;
    for (const double mass : {1e3, 1.0, 1e-3, 1e-12}) {
        CAPTURE(mass);
        body.start.inverse_mass = 1.0 / mass;
        body.start.inverse_inertia_w = Mat3(Vec3(2, 3, 5).asDiagonal()) / mass;
        // As a spring between two masses would, in one implicit step.
        const double share = 0.9, particle = 0.2;
        BodyHold one;
        one.add(share * particle, Vec3::Zero(), Vec3(0, 0, 1));
        const double moved = -share * particle / (mass + share * particle);
        CHECK((one.motion(body).move - Vec3(0, 0, moved)).norm() < 1e-12);
        CHECK(one.motion(body).turn.norm() == 0);
        // What the particles take is what the body loses.
        BodyHold many;
        const Vec3 levers[] = {Vec3(1, 0, 0), Vec3(0, 2, 1), Vec3(-1, 1, 3)};
        const Vec3 lacks[] = {Vec3(0.1, -0.2, 0), Vec3(0, 0.3, 0.1), Vec3(0.2, 0, -0.4)};
        for (int i = 0; i < 3; ++i) many.add(share * particle, levers[i], lacks[i]);
        many.add_turn(0.01, Vec3(0.5, 0, 0.1));
        const BodyHold::Motion gain = many.motion(body);
        body.impulse.setZero();
        body.angular_impulse.setZero();
        for (int i = 0; i < 3; ++i) {
            body.push(-share * particle * (lacks[i] + gain.at(levers[i])), levers[i]);
        }
        body.angular_impulse -= 0.01 * (Vec3(0.5, 0, 0.1) + gain.turn);
        CHECK((body.velocity_gain() - gain.move).norm() <
              1e-9 * (1 + gain.move.norm()) * (1 + 1e-6 / mass));
        CHECK((body.spin_gain() - gain.turn).norm() <
              1e-9 * (1 + gain.turn.norm()) * (1 + 1e-6 / mass));
    }
    body.start.inverse_mass = 0.0;
    BodyHold held;
    held.add(1.0, Vec3::Zero(), Vec3(0, 0, 1));
    CHECK(held.motion(body).move.norm() == 0);
}
