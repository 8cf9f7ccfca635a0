// SPDX-License-Identifier: MIT
// In somebody else's world.
#include <ductile/engine/bullet/bullet_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A game's own world: a plane, a crate, a callback of its own.
struct Game {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape plane{btVector3(0, 1, 0), 0};
    btBoxShape crate_shape{btVector3(0.25, 0.25, 0.25)};
    btRigidBody ground{0, nullptr, &plane};
    btRigidBody crate{10, nullptr, &crate_shape, btVector3(0.4, 0.4, 0.4)};
    int ticks = 0;

    Game() {
        world.setGravity(btVector3(0, btScalar(-9.81), 0));
        world.setInternalTickCallback(
            [](btDynamicsWorld* w, btScalar) {
                ++static_cast<Game*>(w->getWorldUserInfo())->ticks;
            },
            this);
        world.addRigidBody(&ground);
        btTransform at;
        at.setIdentity();
        at.setOrigin(btVector3(0, btScalar(0.25), 0));
        crate.setWorldTransform(at);
        world.addRigidBody(&crate);
    }
    ~Game() {
        world.removeRigidBody(&crate);
        world.removeRigidBody(&ground);
    }
};

}  // namespace

TEST_CASE("an attached world steps as its owner wants and every sub-step is reported") {
    Game game;
    BulletOptions options;
    options.fixed_dt = 1.0 / 240;
    const auto engine = BulletEngine::attach(game.world, options);
    const BodyId ball = engine->add(ball_desc(0.1, 1000, {0, 1.0, 0})).value();
    int solved = 0;
    SUBCASE("by step") {
        while (solved < 240) {
            engine->step(1.0 / 60);
            solved += static_cast<int>(engine->batches().size());
        }
    }
    SUBCASE("by the owner's own stepSimulation") {
        while (solved < 240) {
            engine->before_step(1.0 / 60);
            game.world.stepSimulation(btScalar(1.0 / 60), 10, btScalar(1.0 / 240));
            engine->after_step();
            solved += static_cast<int>(engine->batches().size());
        }
    }
    CHECK(game.ticks == solved);
    CHECK(engine->motion(ball).velocity_w.norm() < 1.0);
}

TEST_CASE("the game's own bodies are contact partners, and approaches are exact in sub-steps") {
    Game game;
    BulletOptions options;
    options.fixed_dt = 1.0 / 240;
    const auto engine = BulletEngine::attach(game.world, options);
    const BodyId ball = engine->add(ball_desc(0.1, 1000, {0, 1.0, 0})).value();
    int solved = 0;
    bool is_hit = false;
    for (int i = 0; i < 60 && !is_hit; ++i) {
        engine->step(1.0 / 60);
        for (const ContactBatch& batch : engine->batches()) {
            ++solved;
            if (batch.contacts.empty() || is_hit) continue;
            is_hit = true;
            const Contact& c = batch.contacts[0];
            const BodyId crate = engine->id_of(game.crate);
            REQUIRE(batch.bodies.size() == 2);
            CHECK(batch.bodies[c.a].id == ball);
            CHECK(batch.bodies[c.b].id == crate);
            CHECK(test::near(batch.bodies[c.b].inverse_mass, 0.1, kBulletRounding));
            CHECK(c.normal_w.y() < -0.99);
            const double approach = (batch.bodies[c.a].velocity_at(c.point_a_w) -
                                     batch.bodies[c.b].velocity_at(c.point_b_w))
                                        .dot(c.normal_w);
            // The crate rests: it was held while the ball fell, but for this sub-step's gravity.
            CHECK(test::near(approach, 9.81 * (solved - 1) / 240, 0.01));
            const EnergyMarks& m = engine->energy();
            CHECK(test::within(m.before + m.forces + m.contacts + m.integration, m.after,
                               1e-9 * (m.before + std::abs(m.forces) + std::abs(m.contacts))));
        }
    }
    CHECK(is_hit);
    CHECK(engine->has(engine->id_of(game.crate)));
    CHECK(test::near(engine->mass(engine->id_of(game.crate)).mass, 10, kBulletRounding));
    CHECK(engine->mass(engine->id_of(game.ground)).mass == 0.0);
}

TEST_CASE("a plain collision object and a moving one are partners too") {
    Game game;
    game.world.removeRigidBody(&game.ground);
    btCollisionObject plain;
    plain.setCollisionShape(&game.plane);
    game.world.addCollisionObject(&plain, btBroadphaseProxy::StaticFilter,
                                  btBroadphaseProxy::AllFilter);
    {
        const auto engine = BulletEngine::attach(game.world);
        BodyDesc d = ball_desc(0.1, 1000, {2, 0.2, 0});
        const BodyId ball = engine->add(d).value();
        bool is_hit = false;
        for (int i = 0; i < 60; ++i) {
            engine->step(1.0 / 60);
            for (const ContactBatch& batch : engine->batches()) {
                for (const BodyMoment& m : batch.bodies) {
                    is_hit |= m.id == engine->id_of(plain) && m.inverse_mass == 0.0;
                }
            }
        }
        CHECK(is_hit);
        CHECK(engine->motion(ball).pose_w.translation.y() > 0.09);
    }
    game.world.removeCollisionObject(&plain);
    game.world.addRigidBody(&game.ground);
}

TEST_CASE("a game's body that is gone loses its id; its successor gets a new one") {
    Game game;
    const auto engine = BulletEngine::attach(game.world);
    const BodyId first = engine->id_of(game.crate);
    game.world.removeRigidBody(&game.crate);
    engine->step(1.0 / 60);
    CHECK(!engine->has(first));
    game.world.addRigidBody(&game.crate);
    const BodyId second = engine->id_of(game.crate);
    CHECK(first < second);
    engine->forget(game.crate);
    CHECK(!engine->has(second));
}

TEST_CASE("a detached world is as it was") {
    Game game;
    const int objects = game.world.getNumCollisionObjects();
    std::vector<std::pair<char, BodyId>> seen;
    std::vector<BodyId> ids;
    {
        const auto engine = BulletEngine::attach(game.world);
        engine->on_body_added = [&](BodyId id, btRigidBody& body) {
            CHECK(body.getBroadphaseHandle() != nullptr);
            CHECK(body.getUserPointer() == nullptr);
            seen.emplace_back('+', id);
        };
        engine->on_body_removed = [&](BodyId id, btRigidBody& body) {
            CHECK(body.getBroadphaseHandle() != nullptr);
            seen.emplace_back('-', id);
        };
        ids.push_back(engine->add(ball_desc(0.1, 1000, {0, 1, 0})).value());
        ids.push_back(engine->add(piece_desc({0.2, 0.2, 0.2}, 500, {1, 1, 0})).value());
        REQUIRE(engine->add_joint({.a = ids[0], .b = ids[1], .frame_w = {}}).ok());
        for (int i = 0; i < 30; ++i) engine->step(1.0 / 60);
        engine->remove(ids[0]);
        CHECK(game.world.getNumCollisionObjects() == objects + 1);
    }
    const std::vector<std::pair<char, BodyId>> expected{
        {'+', ids[0]}, {'+', ids[1]}, {'-', ids[0]}, {'-', ids[1]}};
    CHECK(seen == expected);
    CHECK(game.world.getNumCollisionObjects() == objects);
    CHECK(game.world.getNumConstraints() == 0);
    const int ticks = game.ticks;
    game.world.stepSimulation(btScalar(1.0 / 60), 1, btScalar(1.0 / 60));  // no action is left
    CHECK(game.ticks == ticks + 1);
}

TEST_CASE("a body held by a game's own constraint keeps its frame and says so once") {
    Game game;
    const auto engine = BulletEngine::attach(game.world);
    const BodyId id = engine->add(piece_desc({0.4, 0.4, 0.4}, 500, {0, 2, 0})).value();
    btRigidBody& rigid = *engine->rigid_body(id);
    btPoint2PointConstraint hook(rigid, btVector3(0, btScalar(0.2), 0));
    game.world.addConstraint(&hook);
    const MassProperties mass = box_mass({0.4, 0.3, 0.4}, 500);
    MassProperties moved = mass;
    moved.centre_b = {0.05, 0, 0};
    Reshape change;
    change.mass = &moved;
    const btTransform before = rigid.getWorldTransform();
    for (int i = 0; i < 3; ++i) CHECK(engine->reshape(id, change).value() == 0.0);
    CHECK(rigid.getWorldTransform().getOrigin() == before.getOrigin());
    const std::vector<std::string> warnings = engine->take_warnings();
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("constraint") != std::string::npos);
    CHECK(engine->take_warnings().empty());
    game.world.removeConstraint(&hook);
    const Vec3 frame = engine->motion(id).pose_w.translation;
    CHECK(engine->reshape(id, change).ok());
    CHECK(engine->mass(id).centre_b == moved.centre_b);
    CHECK(engine->motion(id).pose_w.translation != frame);
}
