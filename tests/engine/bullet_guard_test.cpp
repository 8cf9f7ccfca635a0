// SPDX-License-Identifier: MIT
// Hostile data, runaways, and the same bits in every run.
#include <ductile/engine/bullet/bullet_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <cmath>
#include <memory>

using namespace ductile;
using namespace ductile::test;

namespace {

void check_refused(const BodyDesc& desc, const char* word) {
    const auto engine = BulletEngine::make();
    const Result<BodyId> id = engine->add(desc);
    REQUIRE(!id.ok());
    INFO(id.error().text());
    CHECK(id.error().what.find(word) != std::string::npos);
    CHECK(id.error().where == desc.name);
    CHECK(engine->world().getNumCollisionObjects() == 0);
}

/// Falls into a heap: boxes of two pieces and balls, told a new shape now and then.
std::uint64_t run_heap(int steps) {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    std::vector<BodyId> ids;
    for (int i = 0; i < 16; ++i) {
        const Vec3 at(0.1 * (i % 3), 0.4 + 0.25 * i, 0.07 * (i % 5));
        BodyDesc d = i % 4 == 3 ? ball_desc(0.15, 800, at) : piece_desc({0.4, 0.2, 0.3}, 700, at);
        if (i % 4 != 3) {
            d.collider = PieceCollider{{{0, box_points({0.2, 0.2, 0.3}, {-0.1, 0, 0})},
                                        {1, box_points({0.2, 0.2, 0.3}, {0.1, 0, 0})}},
                                       0.0005};
        }
        d.spin_w = {0.3 * i, 1.0, 0};
        ids.push_back(engine->add(d).value());
    }
    Hasher hash;
    for (int step = 0; step < steps; ++step) {
        engine->step(1.0 / 120);
        for (const ContactBatch& batch : engine->batches()) {
            for (const Contact& c : batch.contacts) {
                hash.add(static_cast<std::uint64_t>(c.a));
                hash.add(c.point_a_w);
                hash.add(c.normal_impulse);
            }
        }
        if (step == 100) engine->remove(ids[5]);
        if (step % 7 != 0) continue;
        const Vec3 size(0.2, 0.2 - 1e-5 * step, 0.3);
        const ColliderPiece piece{1, box_points(size, {0.1, 0, 0})};
        Reshape change;
        change.moved = std::span(&piece, 1);
        REQUIRE(engine->reshape(ids[8], change).ok());
    }
    for (const BodyId id : ids) {
        if (engine->has(id)) hash_motion(*engine, id, hash);
    }
    return hash.value();
}

}  // namespace

TEST_CASE("hostile descriptions are refused with a message") {
    const BodyDesc good = piece_desc({1, 1, 1}, 100, {0, 1, 0});
    BodyDesc d = good;
    d.pose_w.translation.x() = NAN;
    check_refused(d, "finite");
    d = good;
    d.velocity_w.y() = INFINITY;
    check_refused(d, "finite");
    d = good;
    d.pose_w.rotation.coeffs() *= 2;
    check_refused(d, "unit");
    d = good;
    d.mass.mass = 0;
    check_refused(d, "mass");
    d = good;
    d.mass.inertia_b(1, 1) = 1e9;
    check_refused(d, "inertia");
    d = good;
    d.friction = -1;
    check_refused(d, "friction");
    d = good;
    d.restitution = 1.5;
    check_refused(d, "restitution");
    d = good;
    d.collider = SphereCollider{-1};
    check_refused(d, "radius");
    d.collider = BoxCollider{{1, 0, 1}};
    check_refused(d, "size");
    d.collider = HalfSpaceCollider{};
    check_refused(d, "half space");
    d.collider = PieceCollider{};
    check_refused(d, "no piece");
    d.collider = PieceCollider{{{0, {}}}, 0.001};
    check_refused(d, "no points");
    d.collider = PieceCollider{{{0, box_points({1, 0, 1})}}, 0.001};
    check_refused(d, "flat");
    d.collider = PieceCollider{{{0, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}}}, 0.001};
    check_refused(d, "flat");
    d.collider = PieceCollider{{{0, std::vector<Vec3>(9, Vec3(1, 1, 1))}}, 0.001};
    check_refused(d, "flat");
    d.collider = PieceCollider{{{0, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}, 0.001};
    check_refused(d, "four");
    d.collider = PieceCollider{{{2, box_points({1, 1, 1})}, {2, box_points({1, 1, 1})}}, 0.001};
    check_refused(d, "one id");
    d.collider = PieceCollider{{{0, box_points({1, NAN, 1})}}, 0.001};
    check_refused(d, "finite");
}

TEST_CASE("a free body gains no energy by its spin, however far it turns in a step") {
    const double dt = 1.0 / 240;
    for (const double turn : {0.1, 0.4, 0.7, 1.0, 2.0, 5.0, 20.0}) {
        const auto engine = weightless();
        BodyDesc d = piece_desc({0.4, 0.05, 0.2}, 700, Vec3::Zero());
        d.spin_w = (turn / dt) * Vec3(1, 0.3, -0.4).normalized();
        const BodyId id = engine->add(d).value();
        const auto energy = [&] {
            const Mat3 turned = engine->motion(id).pose_w.rotation.toRotationMatrix();
            const Vec3 spin = turned.transpose() * engine->motion(id).spin_w;
            return 0.5 * spin.dot(d.mass.inertia_b * spin);
        };
        const double start = energy();
        CAPTURE(turn);
        for (int i = 0; i < 200; ++i) {
            engine->step(dt);
            REQUIRE(energy() < 1.001 * start);
        }
        CHECK(energy() > 0.5 * start);
    }
}

TEST_CASE("a body whose motion is broken from outside is put back and reported") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    const BodyId hurt = engine->add(piece_desc({0.4, 0.4, 0.4}, 500, {0, 0.2, 0})).value();
    const BodyId near = engine->add(piece_desc({0.4, 0.4, 0.4}, 500, {0, 0.6005, 0})).value();
    for (int i = 0; i < 60; ++i) engine->step(1.0 / 240);
    const Vec3 at = engine->motion(hurt).pose_w.translation;
    const std::string word = "piece";
    SUBCASE("not a number") { engine->rigid_body(hurt)->setLinearVelocity(btVector3(NAN, 0, 0)); }
    SUBCASE("a spin without end") {
        engine->rigid_body(hurt)->setAngularVelocity(btVector3(0, 1e9f, 0));
    }
    SUBCASE("nowhere") {
        btTransform t = engine->rigid_body(hurt)->getWorldTransform();
        t.getOrigin().setY(NAN);
        engine->rigid_body(hurt)->setWorldTransform(t);
    }
    SUBCASE("too fast") { engine->apply_impulse(hurt, {1e15, 0, 0}, at); }
    engine->step(1.0 / 240);
    const std::vector<std::string> warnings = engine->take_warnings();
    REQUIRE(!warnings.empty());
    CHECK(warnings[0].find(word) == 0);
    for (int i = 0; i < 60; ++i) engine->step(1.0 / 240);
    CHECK(engine->take_warnings().empty());
    CHECK((engine->motion(hurt).pose_w.translation - at).norm() < 0.02);
    CHECK(engine->motion(near).pose_w.translation.allFinite());
    CHECK(engine->motion(near).velocity_w.norm() < 1.0);
    CHECK(std::isfinite(engine->energy().after));
}

TEST_CASE("a body stopped on the run leaves the books closed") {
    BulletOptions options;
    options.gravity = {0, -5e4, 0};
    options.runaway_speed = 1000;
    const auto engine = BulletEngine::make(options);
    const BodyId id = engine->add(ball_desc(0.1, 1000, {0, 0, 0})).value();
    int stops = 0;
    for (int i = 0; i < 10; ++i) {
        engine->step(1.0 / 100);
        const EnergyMarks& m = engine->energy();
        CHECK(test::within(m.before + m.forces + m.contacts + m.integration, m.after,
                           1e-9 * (m.before + std::abs(m.forces) + std::abs(m.contacts))));
        stops += static_cast<int>(engine->take_warnings().size());
        CHECK(engine->motion(id).velocity_w.norm() <= 1000);
    }
    CHECK(stops >= 3);
}

TEST_CASE("two identical worlds give the same bits, whatever else was allocated") {
    const std::uint64_t first = run_heap(300);
    std::vector<std::unique_ptr<char[]>> clutter;
    Rng rng(9);
    for (int i = 0; i < 3000; ++i) {
        clutter.push_back(std::make_unique<char[]>(16 + rng.next() % 4000));
        if (i % 3 == 0) clutter[rng.next() % clutter.size()].reset();
    }
    CHECK(run_heap(300) == first);
    CHECK(run_heap(60) != first);
}

TEST_CASE("a pose reads back as it was set") {
    const auto engine = BulletEngine::make();
    BodyDesc d = piece_desc({0.4, 0.5, 0.6}, 500, Vec3::Zero());
    d.mass = odd_mass();
    d.pose_w = odd_pose();
    const BodyId id = engine->add(d).value();
    CHECK(engine->motion(id).pose_w.translation == d.pose_w.translation);
    CHECK(engine->motion(id).pose_w.rotation.coeffs() == d.pose_w.rotation.coeffs());
    const Vec3 centre = d.pose_w.point(d.mass.centre_b);
    CHECK((engine->motion(id).centre_w - centre).norm() < tolerance(1e-14, 1e-6));
}
