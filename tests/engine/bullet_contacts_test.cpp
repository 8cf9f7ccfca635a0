// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

double approach(const ContactBatch& batch, const Contact& c) {
    return (batch.bodies[c.a].velocity_at(c.point_a_w) - batch.bodies[c.b].velocity_at(c.point_b_w))
        .dot(c.normal_w);
}

/// Whether the last step's books close, against energies taken before and after it.
void check_books(const EnergyMarks& m, double before, double after) {
    const double scale = std::max({1.0, std::abs(before), std::abs(after)});
    const double limit = tolerance(1e-9, 1e-4) * scale;
    CHECK(std::abs(m.before - before) <= limit);
    CHECK(std::abs(m.after - after) <= limit);
    CHECK(std::abs(m.before + m.forces + m.contacts + m.integration - m.after) <= limit);
    CHECK(m.gained >= 0.0);
}

}  // namespace

TEST_CASE("the approach velocity of a falling ball is what free fall gives") {
    for (const int sub_steps : {1, 4}) {
        BulletOptions options;
        options.sub_steps = sub_steps;
        const auto engine = BulletEngine::make(options);
        REQUIRE(engine->add(floor_desc()).ok());
        const BodyId ball = engine->add(ball_desc(0.1, 1000, {0, 1.0, 0})).value();
        const double dt = 1.0 / 120, h = dt / sub_steps;
        int solved = 0, hits = 0;
        while (hits == 0 && solved < 1000) {
            engine->step(dt);
            REQUIRE(engine->batches().size() == static_cast<std::size_t>(sub_steps));
            for (const ContactBatch& batch : engine->batches()) {
                ++solved;
                CHECK(test::near(batch.time, solved * h, kBulletRounding));
                CHECK(test::near(batch.dt, h, kBulletRounding));
                if (batch.contacts.empty() || hits > 0) continue;
                ++hits;
                REQUIRE(batch.contacts.size() == 1);
                const Contact& c = batch.contacts[0];
                CHECK(test::near(approach(batch, c), 9.81 * solved * h, tolerance(1e-9, 1e-5)));
                CHECK(batch.bodies[c.a].id < batch.bodies[c.b].id);
                CHECK(batch.bodies[c.b].id == ball);
                CHECK((c.normal_w - Vec3::UnitY()).norm() < 1e-6);
                CHECK(std::abs(c.point_a_w.y()) < 1e-5);
                CHECK(test::within((c.point_b_w - c.point_a_w).dot(c.normal_w), c.gap,
                                   tolerance(1e-9, 1e-6)));
                CHECK(test::near(c.restitution, 0.2, kBulletRounding));  // both have that
            }
        }
        CHECK(hits == 1);
    }
}

TEST_CASE("spin counts in the approach at the contact") {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(options);
    REQUIRE(engine->add(floor_desc()).ok());
    BodyDesc d = piece_desc({1.0, 0.1, 0.1}, 1000, {0, 0.33, 0});
    d.pose_w.rotation = Quat(Eigen::AngleAxisd(0.6, Vec3::UnitZ()));
    d.spin_w = {0, 0, 0.5};
    const BodyId plank = engine->add(d).value();
    bool is_hit = false;
    for (int i = 0; i < 400 && !is_hit; ++i) {
        const BodyMotion before = engine->motion(plank);
        engine->step(1.0 / 240);
        for (const Contact& c : engine->batches()[0].contacts) {
            is_hit = true;
            // A plank about a principal axis: the spin stays what it was.
            const double expected =
                -before.spin_w.cross(c.point_b_w - before.centre_w).y() - before.velocity_w.y();
            CHECK(test::near(approach(engine->batches()[0], c), expected, tolerance(1e-9, 1e-4)));
            CHECK(expected > 0.05);
        }
    }
    CHECK(is_hit);
}

TEST_CASE("a body of pieces rests on its surface, not on a margin") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    const BodyId cloud = engine->add(piece_desc({0.5, 0.5, 0.5}, 500, {0, 0.26, 0})).value();
    BodyDesc d = piece_desc({0.5, 0.5, 0.5}, 500, {2, 0.26, 0});
    d.collider = BoxCollider{{0.5, 0.5, 0.5}};
    const BodyId box = engine->add(d).value();
    const BodyId on_top = engine->add(piece_desc({0.3, 0.3, 0.3}, 500, {2, 0.67, 0})).value();
    for (int i = 0; i < 360; ++i) engine->step(1.0 / 240);
    CHECK(std::abs(engine->motion(cloud).pose_w.translation.y() - 0.25) < 1e-3);
    CHECK(std::abs(engine->motion(box).pose_w.translation.y() - 0.25) < 1e-3);
    CHECK(std::abs(engine->motion(on_top).pose_w.translation.y() - 0.65) < 1.5e-3);
    for (const Contact& c : engine->batches()[0].contacts) {
        CHECK(std::abs(c.gap) < 1e-3);
        const double y = c.point_a_w.y();  // the floor, or the box's upper side
        CHECK(std::min(std::abs(y), std::abs(y - 0.5)) < 1.1e-3);
    }
}

TEST_CASE("contact impulses carry the weight and friction points against the slide") {
    const auto engine = BulletEngine::make();
    const BodyId floor = engine->add(floor_desc()).value();
    BodyDesc d = piece_desc({0.4, 0.2, 0.4}, 1000, {0, 0.1006, 0});
    d.velocity_w = {3, 0, 0};
    const BodyId box = engine->add(d).value();
    const double dt = 1.0 / 240;
    for (int i = 0; i < 30; ++i) engine->step(dt);
    const double mass = engine->mass(box).mass;
    double normal_sum = 0.0, friction_sum = 0.0;
    const int steps = 60;
    for (int i = 0; i < steps; ++i) {
        const Vec3 before = engine->motion(box).velocity_w;
        engine->step(dt);
        Vec3 impulse = Vec3::Zero();
        const ContactBatch& batch = engine->batches()[0];
        for (const Contact& c : batch.contacts) {
            CHECK(batch.bodies[c.a].id == floor);
            impulse += c.normal_impulse * c.normal_w + c.friction_impulse_w;
            normal_sum += c.normal_impulse;
            friction_sum += c.friction_impulse_w.x();
        }
        // What is reported is what the body felt.
        const Vec3 felt = mass * (engine->motion(box).velocity_w - before + Vec3(0, 9.81 * dt, 0));
        CHECK((impulse - felt).norm() < tolerance(1e-9, 1e-3));
    }
    CHECK(test::near(normal_sum, mass * 9.81 * dt * steps, 0.02));
    CHECK(test::near(friction_sum, -0.25 * normal_sum, 0.03));  // 0.5 times 0.5
}

TEST_CASE("only contacts of watched bodies are reported, and gaps that stay open are not") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    BodyDesc d = ball_desc(0.1, 1000, {0, 0.1, 0});
    d.watched = false;
    REQUIRE(engine->add(d).ok());
    BodyDesc hover = ball_desc(0.1, 1000, {1, 0.101, 0});
    hover.velocity_w = {0, 1, 0};
    REQUIRE(engine->add(hover).ok());
    engine->step(1.0 / 240);
    REQUIRE(engine->batches().size() == 1);
    CHECK(engine->batches()[0].contacts.empty());
    CHECK(engine->batches()[0].bodies.empty());
}

TEST_CASE("the energy books of a tumbling, colliding crowd close in every step") {
    BulletOptions options;
    options.sub_steps = 2;
    const auto engine = BulletEngine::make(options);
    REQUIRE(engine->add(floor_desc()).ok());
    std::vector<BodyId> ids;
    for (int i = 0; i < 8; ++i) {
        BodyDesc d = piece_desc({0.5, 0.2, 0.3}, 700, {0.1 * i, 0.4 + 0.45 * i, 0.05 * i});
        d.spin_w = {3.0 * i, 2.0, -5.0};
        d.velocity_w = {0, -1, 0.2};
        d.restitution = 0.6;
        ids.push_back(engine->add(d).value());
    }
    double worst_gain = 0.0, before = 0.0;
    for (const BodyId id : ids) before += kinetic(*engine, id);
    for (int i = 0; i < 240; ++i) {
        engine->step(1.0 / 120);
        double after = 0.0;
        for (const BodyId id : ids) {
            if (!engine->motion(id).is_asleep) after += kinetic(*engine, id);
        }
        check_books(engine->energy(), before, after);
        worst_gain = std::max(worst_gain, engine->energy().gained);
        before = after;
    }
    CHECK(worst_gain < 5.0);
}

TEST_CASE("gravity's work is booked as a force's") {
    const auto engine = BulletEngine::make();
    const BodyId ball = engine->add(ball_desc(0.1, 1000, {0, 5, 0})).value();
    const double mass = engine->mass(ball).mass, dt = 1.0 / 60, dv = 9.81 * dt;
    for (int i = 0; i < 10; ++i) {
        engine->step(dt);
        const double v = i * dv;
        CHECK(test::near(engine->energy().forces, 0.5 * mass * ((v + dv) * (v + dv) - v * v),
                         tolerance(1e-9, 1e-4)));
        CHECK(test::within(engine->energy().contacts, 0.0, 1e-12));
    }
}

TEST_CASE("a body at rest falls asleep, stays asleep, and its last energy is booked") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    const BodyId box = engine->add(piece_desc({0.5, 0.5, 0.5}, 500, {0, 0.2506, 0})).value();
    int steps = 0;
    double before = 0.0;
    while (!engine->motion(box).is_asleep && steps < 2000) {
        engine->step(1.0 / 240);
        ++steps;
        const bool is_asleep = engine->motion(box).is_asleep;
        check_books(engine->energy(), before, is_asleep ? 0.0 : kinetic(*engine, box));
        before = is_asleep ? 0.0 : kinetic(*engine, box);
    }
    REQUIRE(engine->motion(box).is_asleep);
    const Transform pose = engine->motion(box).pose_w;
    for (int i = 0; i < 100; ++i) {
        engine->step(1.0 / 240);
        CHECK(engine->batches()[0].contacts.empty());
        CHECK(engine->energy().before == 0.0);
        CHECK(engine->energy().forces == 0.0);
    }
    CHECK(engine->motion(box).is_asleep);
    CHECK(engine->motion(box).pose_w.translation == pose.translation);

    SUBCASE("and wakes when it is hit") {
        BodyDesc d = ball_desc(0.2, 5000, {0, 1.2, 0});
        REQUIRE(engine->add(d).ok());
        for (int i = 0; i < 240; ++i) engine->step(1.0 / 240);
        CHECK(!engine->motion(box).is_asleep);
    }
    SUBCASE("and wakes when what carries it goes") {
        engine->remove(BodyId{0});
        for (int i = 0; i < 10; ++i) engine->step(1.0 / 240);
        CHECK(engine->motion(box).velocity_w.y() < -0.3);
    }
}

TEST_CASE("a kinematic body moves as told and pushes what it meets") {
    BulletOptions options;
    options.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(options);
    BodyDesc d = piece_desc({0.2, 1, 1}, 1000, {-1, 0, 0});
    d.motion = Motion::Kinematic;
    d.velocity_w = {2, 0, 0};
    const BodyId wall = engine->add(d).value();
    const BodyId ball = engine->add(ball_desc(0.1, 1000, {0, 0, 0})).value();
    bool is_hit = false;
    for (int i = 0; i < 120; ++i) {
        engine->step(1.0 / 120);
        for (const Contact& c : engine->batches()[0].contacts) {
            if (is_hit) break;
            is_hit = true;
            CHECK(test::near(approach(engine->batches()[0], c), 2.0, tolerance(1e-9, 1e-4)));
        }
    }
    CHECK(is_hit);
    CHECK(test::near(engine->motion(wall).pose_w.translation.x(), 1.0, tolerance(1e-9, 1e-4)));
    CHECK(engine->motion(ball).velocity_w.x() > 1.99);
    CHECK(engine->mass(wall).mass == 0.0);
}

TEST_CASE("what flies or drifts never falls asleep, and what lies does, by its size") {
    SUBCASE("a slow ball without weight goes on for ever") {
        const auto engine = test::weightless();
        BodyDesc d = ball_desc(0.1, 1000, Vec3::Zero());
        d.velocity_w = {0.001, 0, 0};
        const BodyId slow = engine->add(d).value();
        d.pose_w.translation.y() = 1;
        d.velocity_w = {0.7, 0, 0};
        const BodyId fast = engine->add(d).value();
        for (int i = 0; i < 240 * 10; ++i) engine->step(1.0 / 240);
        CHECK(test::near(engine->motion(slow).pose_w.translation.x(), 0.01, tolerance(1e-9, 1e-4)));
        CHECK(test::near(engine->motion(fast).pose_w.translation.x(), 7.0, tolerance(1e-9, 1e-4)));
        CHECK(!engine->motion(slow).is_asleep);
    }
    SUBCASE("two that only touch each other do not sleep") {
        const auto engine = test::weightless();
        const BodyId a = engine->add(piece_desc({1, 1, 1}, 100, {0, 0, 0})).value();
        const BodyId b = engine->add(piece_desc({1, 1, 1}, 100, {0, 1.0005, 0})).value();
        for (int i = 0; i < 240 * 4; ++i) engine->step(1.0 / 240);
        CHECK(!engine->motion(a).is_asleep);
        CHECK(!engine->motion(b).is_asleep);
    }
    SUBCASE("boxes of every size sleep on the floor, and on each other") {
        for (const double size : {0.02, 0.2, 2.0}) {
            CAPTURE(size);
            const auto engine = BulletEngine::make();
            REQUIRE(engine->add(floor_desc()).ok());
            const Vec3 edges = Vec3::Constant(size);
            const BodyId a = engine->add(piece_desc(edges, 500, {0, 0.501 * size, 0})).value();
            const BodyId b = engine->add(piece_desc(edges, 500, {0, 1.503 * size, 0})).value();
            for (int i = 0; i < 240 * 5; ++i) engine->step(1.0 / 240);
            CHECK(engine->motion(a).is_asleep);
            CHECK(engine->motion(b).is_asleep);
        }
    }
    SUBCASE("what slides faster than its size allows goes on, whatever its size") {
        for (const double size : {0.02, 0.2, 2.0}) {
            CAPTURE(size);
            for (const double share : {0.5, 2.0}) {
                BulletOptions options;
                const auto engine = BulletEngine::make(options);
                BodyDesc d = floor_desc();
                d.friction = 0.0;
                REQUIRE(engine->add(d).ok());
                d = piece_desc(Vec3::Constant(size), 500, {0, 0.501 * size, 0});
                d.friction = 0.0;
                d.velocity_w.x() = share * options.sleep_speed * size * std::sqrt(3.0);
                const BodyId id = engine->add(d).value();
                for (int i = 0; i < 240 * 5; ++i) engine->step(1.0 / 240);
                CHECK(engine->motion(id).is_asleep == (share < 1.0));
            }
        }
    }
    SUBCASE("thresholds of zero keep everything awake") {
        BulletOptions options;
        options.sleep_speed = 0.0;
        const auto engine = BulletEngine::make(options);
        REQUIRE(engine->add(floor_desc()).ok());
        const BodyId id = engine->add(piece_desc({1, 1, 1}, 500, {0, 0.501, 0})).value();
        for (int i = 0; i < 240 * 4; ++i) engine->step(1.0 / 240);
        CHECK(!engine->motion(id).is_asleep);
    }
}

TEST_CASE("a ball of any size is stopped where it touches, however far it goes in a step") {
    for (const double radius : {0.005, 0.05, 0.5}) {
        for (const double radii_per_step : {1.6, 2.5, 20.0}) {
            CAPTURE(radius);
            CAPTURE(radii_per_step);
            const auto engine = test::weightless();
            BodyDesc block = piece_desc(radius * Vec3(4, 2, 4), 1000, Vec3::Zero());
            block.motion = Motion::Static;
            REQUIRE(engine->add(block).ok());
            BodyDesc ball = ball_desc(radius, 1000, {0, 2.3 * radius, 0});
            ball.velocity_w = {0, -240 * radii_per_step * radius, 0};
            const BodyId id = engine->add(ball).value();
            double lowest = kInfinity;
            for (int i = 0; i < 4; ++i) {
                engine->step(1.0 / 240);
                lowest = std::min(lowest, engine->motion(id).pose_w.translation.y());
            }
            CHECK(lowest > 1.9 * radius);
            CHECK(engine->motion(id).velocity_w.y() > 0);
        }
    }
}
