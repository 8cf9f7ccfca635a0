// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/body_hold.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace ductile;

TEST_CASE("a body goes along with what holds on to it, by their masses, however light it is") {
    PushedBody body;
    for (const double mass : {1e3, 1.0, 1e-3, 1e-12}) {
        CAPTURE(mass);
        body.start.inverse_mass = 1.0 / mass;
        body.start.inverse_inertia_w = Mat3(Vec3(2, 3, 5).asDiagonal()) / mass;
        // As a spring between two masses would, in one implicit step.
        const double share = 0.9, particle = 0.2;
        BodyHold one;
        one.add({share * particle, 0.0}, twice(Vec3::Zero()), twice(Vec3(0, 0, 1)));
        const double moved = -share * particle / (mass + share * particle);
        CHECK((one.motion(body).move - Vec3(0, 0, moved)).norm() < 1e-12);
        CHECK(one.motion(body).turn.norm() == 0);
        // What the particles take is what the body loses.
        BodyHold many;
        const Vec3 levers[] = {Vec3(1, 0, 0), Vec3(0, 2, 1), Vec3(-1, 1, 3)};
        const Vec3 lacks[] = {Vec3(0.1, -0.2, 0), Vec3(0, 0.3, 0.1), Vec3(0.2, 0, -0.4)};
        many.add(share * particle, gather(levers, 0, 1), gather(lacks, 0, 1));
        many.add({share * particle, 0.0}, gather(levers, 2, 0), gather(lacks, 2, 0));
        many.add_turn({0.0, 0.01}, twice(Vec3(0.5, 0, 0.1)));
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
    held.add(1.0, twice(Vec3::Zero()), twice(Vec3(0, 0, 1)));
    CHECK(held.motion(body).move.norm() == 0);
}
