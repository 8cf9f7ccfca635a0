// SPDX-License-Identifier: MIT
#include <ductile/engine/scripted_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

struct Pair {
    ScriptedEngine engine;
    BodyId ball, box;

    Pair() {
        BodyDesc d = ball_desc(0.1, 1000, {-1, 0, 0});
        d.watched = false;
        d.velocity_w = {1, 0, 0};
        ball = engine.add(d).value();
        BodyDesc b = piece_desc({0.4, 0.4, 0.4}, 500, {0, 0, 0});
        b.velocity_w = {0, 0.2, 0};
        box = engine.add(b).value();
    }
};

}  // namespace

TEST_CASE("scripted bodies fly straight and spin evenly") {
    ScriptedEngine engine;
    BodyDesc d = piece_desc({0.4, 0.4, 0.4}, 500, {0, 1, 0});
    d.velocity_w = {1, 2, 3};
    d.spin_w = {0, 0, 2};
    const BodyId id = engine.add(d).value();
    for (int i = 0; i < 100; ++i) engine.step(0.01);
    CHECK((engine.motion(id).pose_w.translation - Vec3(1, 3, 3)).norm() < 1e-12);
    const Vec3 x = engine.motion(id).pose_w.direction(Vec3::UnitX());
    CHECK((x - Vec3(std::cos(2), std::sin(2), 0)).norm() < 1e-12);
}

TEST_CASE("a meeting happens in its step, with its approach, and conserves momentum") {
    Pair p;
    const Vec3 normal = Vec3(1, 0.3, 0).normalized();
    p.engine.script({.time = 0.03,
                     .a = p.box,
                     .b = p.ball,
                     .point_w = {-0.2, 0.05, 0.1},
                     .normal_w = -normal,
                     .velocity_w = {-4, 1, 0},
                     .restitution = 0.5});
    const std::vector ids{p.ball, p.box};
    for (int i = 1; i <= 6; ++i) {
        CHECK(p.engine.predicted_approaches(0.01, 1.0, ids).size() == (i == 3 ? 1u : 0u));
        const Momentum before = momentum(p.engine, ids);
        p.engine.step(0.01);
        REQUIRE(p.engine.batches().size() == 1);
        const ContactBatch& batch = p.engine.batches()[0];
        const EnergyMarks& m = p.engine.energy();
        CHECK(test::within(m.before + m.forces + m.contacts + m.integration, m.after,
                           1e-12 * (m.before + std::abs(m.forces) + std::abs(m.contacts))));
        REQUIRE(batch.contacts.size() == (i == 3 ? 1 : 0));
        if (i != 3) {
            CHECK((momentum(p.engine, ids).linear - before.linear).norm() < 1e-12);
            continue;
        }
        const Contact& c = batch.contacts[0];
        CHECK(batch.bodies[c.a].id == p.ball);
        CHECK(batch.bodies[c.b].id == p.box);
        CHECK((c.normal_w - normal).norm() < 1e-12);
        const Vec3 approach =
            batch.bodies[c.a].velocity_at(c.point_a_w) - batch.bodies[c.b].velocity_at(c.point_b_w);
        CHECK((approach - Vec3(4, -1, 0)).norm() < 1e-12);
        CHECK(m.contacts < 0.0);
        CHECK(m.gained == 0.0);
        // Leaves at half the speed along the normal.
        const Vec3 after =
            p.engine.velocity_at(p.ball, c.point_a_w) - p.engine.velocity_at(p.box, c.point_b_w);
        CHECK(test::near(after.dot(normal), -0.5 * approach.dot(normal), 0.05));
    }
}

TEST_CASE("an elastic meeting loses no energy, a plastic one the most") {
    double lost[3] = {};
    const double restitution[3] = {1.0, 0.5, 0.0};
    for (int k = 0; k < 3; ++k) {
        Pair p;
        p.engine.script({.time = 0.01,
                         .a = p.ball,
                         .b = p.box,
                         .point_w = {-0.2, 0, 0},
                         .normal_w = {1, 0, 0},
                         .velocity_w = {3, 0, 0},
                         .restitution = restitution[k]});
        p.engine.step(0.01);
        lost[k] = -p.engine.energy().contacts;
    }
    CHECK(std::abs(lost[0]) < 1e-12);
    CHECK(test::near(lost[1], 0.75 * lost[2]));
    CHECK(lost[2] > 0.0);
}

TEST_CASE("several meetings in one step keep their bodies apart") {
    ScriptedEngine engine;
    std::vector<BodyId> ids;
    for (int i = 0; i < 6; ++i)
        ids.push_back(engine.add(ball_desc(0.1, 1000, {1.0 * i, 0, 0})).value());
    for (const int i : {4, 0, 2, 3}) {
        engine.script({.time = 0.0,
                       .a = ids[i],
                       .b = ids[i + 1],
                       .point_w = {i + 0.5, 0, 0},
                       .normal_w = {1, 0, 0},
                       .velocity_w = {1.0 + i, 0, 0}});
    }
    engine.step(0.01);
    const ContactBatch& batch = engine.batches()[0];
    REQUIRE(batch.contacts.size() == 4);
    CHECK(batch.bodies.size() == 6);
    for (std::size_t i = 1; i < batch.bodies.size(); ++i) {
        CHECK(batch.bodies[i - 1].id < batch.bodies[i].id);
    }
    for (const Contact& c : batch.contacts) {
        CHECK(batch.bodies[c.b].id.value == batch.bodies[c.a].id.value + 1);
        CHECK(test::near(c.point_a_w.x(), batch.bodies[c.a].id.value + 0.5));
    }
}

TEST_CASE("a scripted reshape keeps momentum and remembers the pieces") {
    ScriptedEngine engine;
    BodyDesc d = piece_desc({0.4, 0.4, 0.4}, 500, {0, 1, 0});
    d.mass = odd_mass();
    d.velocity_w = {1, 2, 3};
    d.spin_w = {1, -1, 2};
    const BodyId id = engine.add(d).value();
    const Momentum before = momentum(engine, std::vector{id});
    MassProperties mass = odd_mass();
    mass.centre_b += Vec3(0.02, 0.01, -0.03);
    mass.inertia_b *= 0.9;
    const std::vector<ColliderPiece> added{{3, box_points({1, 1, 1})}};
    const std::vector<std::int32_t> removed{0};
    Reshape change;
    change.added = added;
    change.removed = removed;
    change.mass = &mass;
    const double energy = kinetic(engine, id);
    const Vec3 centre = engine.motion(id).centre_w;
    const Result<double> work = engine.reshape(id, change);
    REQUIRE(work.ok());
    CHECK(test::near(work.value(), kinetic(engine, id) - energy));
    const Momentum after = momentum(engine, std::vector{id});
    CHECK((after.linear - before.linear).norm() < 1e-12 * before.scale);
    CHECK((after.angular - before.angular).norm() < 1e-12 * before.scale);
    REQUIRE(engine.pieces(id).size() == 1);
    CHECK(engine.pieces(id)[0].id == 3);
    CHECK(!engine.reshape(id, change).ok());  // piece 0 is gone
    // Its centre of mass stayed where it was, so that its frame went down by 1 cm.
    CHECK((engine.motion(id).centre_w - centre).norm() < 1e-14);
    CHECK(test::near(engine.closest_point(id, {0, 3, 0}).distance, 1.51));
}

TEST_CASE("a meeting with somebody who is gone is left out") {
    Pair p;
    p.engine.script({.time = 0.0,
                     .a = p.ball,
                     .b = p.box,
                     .point_w = {},
                     .normal_w = {1, 0, 0},
                     .velocity_w = {1, 0, 0}});
    p.engine.remove(p.ball);
    p.engine.step(0.01);
    CHECK(p.engine.batches()[0].contacts.empty());
}
