// SPDX-License-Identifier: MIT
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/exchange_energy.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <array>
#include <cmath>

using namespace ductile;

namespace {

BodyDesc weighed_body(double mass, const Vec3& inertia, const Vec3& place) {
    BodyDesc desc;
    desc.name = "part";
    desc.motion = Motion::Dynamic;
    desc.mass.mass = mass;
    desc.mass.inertia_b = inertia.asDiagonal();
    desc.pose_w.translation = place;
    return desc;
}

Vec3 momentum_of(const Engine& engine, std::span<const BodyId> bodies) {
    Vec3 sum = Vec3::Zero();
    for (const BodyId id : bodies) sum += engine.mass(id).mass * engine.motion(id).velocity_w;
    return sum;
}

}  // namespace

TEST_CASE("what an exchange of bodies added is taken back, momentum kept, under any drift") {
    for (const double drift : {0.0, 100.0}) {
        ScriptedEngine engine;
        BodyDesc a = weighed_body(2.0, {0.2, 0.25, 0.3}, Vec3::Zero());
        a.velocity_w = Vec3(drift, 1.0, 0.0);
        a.spin_w = Vec3(3, 4, 5);
        BodyDesc b = weighed_body(1.0, {0.15, 0.1, 0.1}, Vec3(1, 0, 0));
        b.velocity_w = Vec3(drift, -1.0, 2.0);
        const std::array<BodyId, 2> bodies = {engine.add(a).value(), engine.add(b).value()};
        const double after = kinetic_energy(engine, bodies);
        const Vec3 momentum = momentum_of(engine, bodies);
        const Vec3 apart =
            engine.motion(bodies[0]).velocity_w - engine.motion(bodies[1]).velocity_w;
        CHECK(take_back_gain(engine, bodies, after) == 0.0);
        CHECK(take_back_gain(engine, bodies, after + 1.0) == 0.0);
        CHECK(engine.motion(bodies[0]).spin_w == a.spin_w);
        const double allowed = after - 2.0;
        CHECK(test::near(take_back_gain(engine, bodies, allowed), 2.0));
        CHECK(test::near(kinetic_energy(engine, bodies), allowed));
        CHECK((momentum_of(engine, bodies) - momentum).norm() < 1e-12 * momentum.norm());
        // The same under a drift: how they move against each other.
        const Vec3 now = engine.motion(bodies[0]).velocity_w - engine.motion(bodies[1]).velocity_w;
        const double inner =
            0.5 * 2.0 / 3.0 * apart.squaredNorm() + 0.5 * a.spin_w.dot(a.mass.inertia_b * a.spin_w);
        CHECK(test::near(now.norm() / apart.norm(), std::sqrt(1.0 - 2.0 / inner), 1e-9));
        CHECK(test::near(engine.motion(bodies[0]).spin_w.norm() / a.spin_w.norm(),
                         now.norm() / apart.norm()));
    }
}
