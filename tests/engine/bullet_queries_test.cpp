// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <doctest/doctest.h>
#include <engine/game_world.h>
#include <engine/make_bodies.h>
#include <engine/triangle_shapes.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A particle of somebody's own, outside the engine.
struct Particle {
    double mass = 0.5;
    Vec3 position, velocity;
};

}  // namespace

TEST_CASE("a particle and a rigid body push each other with equal and opposite impulses") {
    const auto engine = test::weightless();
    BodyDesc d = piece_desc({0.6, 0.4, 0.5}, 200, Vec3::Zero());
    d.pose_w = odd_pose();
    d.spin_w = {1, 2, -1};
    const BodyId id = engine->add(d).value();
    Rng rng(5);
    std::vector<Particle> cloud;
    const Vec3 centre = engine->motion(id).centre_w;
    for (int i = 0; i < 60; ++i) {
        const Vec3 out = Vec3{rng.uniform() - 0.5, rng.uniform() - 0.5, rng.uniform() - 0.5};
        cloud.push_back({0.5, centre + 0.8 * out.normalized(), -2.0 * out.normalized()});
    }
    const auto total = [&] {
        Momentum sum = momentum(*engine, std::vector{id});
        for (const Particle& p : cloud) {
            sum.linear += p.mass * p.velocity;
            sum.angular += p.position.cross(p.mass * p.velocity);
            sum.scale += p.mass * p.velocity.norm() * (1.0 + p.position.norm());
        }
        return sum;
    };
    const double dt = 1.0 / 240;
    int pushes = 0;
    double worst = 0.0;
    for (int step = 0; step < 120; ++step) {
        for (Particle& p : cloud) p.position += dt * p.velocity;
        const Momentum before = total();
        for (Particle& p : cloud) {
            const RigidQueries::Nearest near = engine->closest_point(id, p.position);
            const double closing =
                (p.velocity - engine->velocity_at(id, near.point_w)).dot(near.normal_w);
            if (near.distance > 0 || closing >= 0) continue;
            ++pushes;
            const Vec3 impulse = -1.5 * p.mass * closing * near.normal_w;
            p.velocity += impulse / p.mass;
            engine->apply_impulse(id, -impulse, p.position);
        }
        const Momentum after = total();
        worst = std::max({worst, (after.linear - before.linear).norm() / before.scale,
                          (after.angular - before.angular).norm() / before.scale});
        engine->step(dt);
    }
    CHECK(pushes > 0);
    CHECK(worst <= tolerance(1e-12, 1e-6));
}

TEST_CASE("immovable bodies take an impulse without a change") {
    const auto engine = test::weightless();
    const BodyId floor = engine->add(floor_desc()).value();
    engine->apply_impulse(floor, {10, 10, 10}, {1, 1, 1});
    CHECK(engine->motion(floor).velocity_w.norm() == 0.0);
}

TEST_CASE("the closest point of a box of pieces is that of the box, inside and outside") {
    const auto engine = test::weightless();
    BodyDesc d = piece_desc({0.6, 0.4, 0.5}, 200, Vec3::Zero());
    d.pose_w = odd_pose();
    const BodyId cloud = engine->add(d).value();
    d.collider = BoxCollider{{0.6, 0.4, 0.5}};
    const BodyId box = engine->add(d).value();
    Rng rng(1);
    for (int i = 0; i < 400; ++i) {
        const Vec3 p = d.pose_w.translation +
                       Vec3{rng.uniform() - 0.5, rng.uniform() - 0.5, rng.uniform() - 0.5};
        const auto a = engine->closest_point(cloud, p);
        const auto b = engine->closest_point(box, p);
        CHECK(test::within(a.distance, b.distance, 0.6 * tolerance(1e-6, 1e-3)));
        CHECK(std::abs((p - a.point_w).dot(a.normal_w) - a.distance) < tolerance(1e-6, 1e-3));
        if (a.distance > 1e-3) {
            CHECK((a.point_w - b.point_w).norm() < tolerance(1e-6, 1e-3));
        }
    }
}

TEST_CASE("the closest point of several pieces is on the nearest of them") {
    const auto engine = test::weightless();
    BodyDesc d = piece_desc({1, 1, 1}, 200, Vec3::Zero());
    d.collider = PieceCollider{
        {{4, box_points({0.2, 0.2, 0.2}, {-1, 0, 0})}, {9, box_points({0.2, 0.2, 0.2}, {1, 0, 0})}},
        0.001};
    const BodyId id = engine->add(d).value();
    CHECK(test::near(engine->closest_point(id, {0.5, 0, 0}).distance, 0.4, 1e-6));
    CHECK(test::near(engine->closest_point(id, {0.5, 0, 0}).normal_w.x(), -1, kBulletRounding));
    CHECK(test::near(engine->closest_point(id, {-0.2, 0, 0}).point_w.x(), -0.9, kBulletRounding));
    CHECK(test::near(engine->closest_point(id, {1.08, 0, 0}).distance, -0.02, kBulletRounding));
}

TEST_CASE("the ground is near what comes down to it, and not near what is above") {
    const auto engine = test::weightless();
    BodyDesc ground = test::floor_desc();
    ground.pose_w.translation = Vec3(0, -1, 0);
    const BodyId id = engine->add(ground).value();
    std::vector<NearBody> near;
    engine->bodies_near({Vec3(-1, -0.9, -1), Vec3(1, 5, 1)}, near);
    CHECK(near.empty());
    engine->bodies_near({Vec3(-1, -1.1, -1), Vec3(1, 5, 1)}, near);
    REQUIRE(near.size() == 1);
    CHECK(near[0].id == id);
    CHECK(near[0].box.upper.y() == -1.0);
    engine->bodies_near({Vec3(-1, -50, -1), Vec3(1, -40, 1)}, near);
    CHECK(near.size() == 1);
}

TEST_CASE("spheres and half spaces answer in closed form") {
    const auto engine = test::weightless();
    const BodyId ball = engine->add(ball_desc(0.5, 100, {1, 2, 3})).value();
    BodyDesc d = floor_desc();
    d.pose_w.rotation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));  // up is -x
    const BodyId wall = engine->add(d).value();
    const auto on_ball = engine->closest_point(ball, {1, 4, 3});
    CHECK(test::near(on_ball.distance, 1.5, kBulletRounding));
    CHECK((on_ball.point_w - Vec3(1, 2.5, 3)).norm() < 1e-6);
    const auto at_centre = engine->closest_point(ball, {1, 2, 3});
    CHECK(test::near(at_centre.distance, -0.5, kBulletRounding));
    CHECK(test::near(at_centre.normal_w.norm(), 1, kBulletRounding));
    const auto on_wall = engine->closest_point(wall, {-2, 5, 1});
    CHECK(test::near(on_wall.distance, 2, kBulletRounding));
    CHECK((on_wall.normal_w + Vec3::UnitX()).norm() < 1e-6);
}

TEST_CASE("an approach is predicted before the step that brings the hit, and not earlier") {
    const auto engine = BulletEngine::make();
    const BodyId floor = engine->add(floor_desc()).value();
    BodyDesc d = piece_desc({0.4, 0.4, 0.4}, 500, {0, 1.0, 0});
    d.velocity_w = {0, -5, 0};
    const BodyId box = engine->add(d).value();
    const double dt = 1.0 / 60;
    const std::vector of{box};
    bool is_announced = false, is_hit = false;
    for (int i = 0; i < 30 && !is_hit; ++i) {
        const std::vector<Approach> coming = engine->predicted_approaches(dt, 1.0, of);
        const double bottom = engine->motion(box).pose_w.translation.y() - 0.2;
        const double speed = -engine->motion(box).velocity_w.y() + 9.81 * dt;
        const bool is_due = bottom - 0.0005 < 1.2 * speed * dt;  // both give back a fifth
        CHECK(coming.empty() == !is_due);
        if (!coming.empty()) {
            is_announced = true;
            CHECK(coming[0].a == floor);
            CHECK(coming[0].b == box);
            CHECK(test::near(coming[0].speed, speed, 1e-4));
            CHECK(test::near(coming[0].gap, bottom, 1e-3));
            CHECK((coming[0].normal_w - Vec3::UnitY()).norm() < 1e-6);
            CHECK(engine->predicted_approaches(dt, speed + 0.1, of).empty());
        }
        engine->step(dt);
        is_hit = !engine->batches()[0].contacts.empty();
        if (is_hit) CHECK(is_announced);
    }
    CHECK(is_hit);
}

TEST_CASE("hardly a hit comes unannounced, whatever the phase of its steps") {
    const double dt = 1.0 / 240, wanted = 2.0;
    int hits = 0, missed = 0;
    for (int phase = 0; phase < 120; ++phase) {
        BulletOptions options;
        options.gravity = Vec3::Zero();
        const auto engine = BulletEngine::make(options);
        const BodyId plank = engine->add(piece_desc({1.0, 0.05, 0.1}, 800, Vec3::Zero())).value();
        BodyDesc ball = ball_desc(0.06, 7800, {0.2, 0.12 + 0.021 * phase / 120, 0.01});
        ball.velocity_w = {0.3, -5, 0.1};
        ball.restitution = phase % 2 == 0 ? 0.2 : 0.9;
        REQUIRE(engine->add(ball).ok());
        bool is_announced = false;
        for (int i = 0; i < 12; ++i) {
            is_announced = is_announced ||
                           !engine->predicted_approaches(dt, wanted, std::vector{plank}).empty();
            engine->step(dt);
            const auto& contacts = engine->batches()[0].contacts;
            const bool is_hit = std::any_of(contacts.begin(), contacts.end(),
                                            [](const Contact& c) { return c.normal_impulse > 0; });
            if (!is_hit) continue;
            ++hits;
            missed += is_announced ? 0 : 1;
            break;
        }
    }
    CHECK(hits == 120);
    CHECK(missed <= 1);
}

TEST_CASE("approaches of bodies that nobody asked for are not told") {
    const auto engine = test::weightless();
    BodyDesc d = piece_desc({0.2, 0.2, 0.2}, 500, {0, 0, 0});
    const BodyId still = engine->add(d).value();
    d.pose_w.translation = {0, 0.25, 0};
    d.velocity_w = {0, -5, 0};
    REQUIRE(engine->add(d).ok());
    const BodyId far = engine->add(piece_desc({0.2, 0.2, 0.2}, 500, {9, 0, 0})).value();
    CHECK(engine->predicted_approaches(1.0 / 60, 1.0, std::vector{still}).size() == 1);
    CHECK(engine->predicted_approaches(1.0 / 60, 1.0, std::vector{far}).empty());
    CHECK(engine->predicted_approaches(1.0 / 60, 1.0, {}).empty());
}

TEST_CASE("a plane that is tilted is met when a level one is") {
    const auto announced_at = [](const Quat& turn) {
        const auto engine = test::weightless();
        BodyDesc floor = floor_desc();
        floor.pose_w.rotation = turn;
        REQUIRE(engine->add(floor).ok());
        BodyDesc d = piece_desc({0.4, 0.3, 0.5}, 500, turn * Vec3(0, 1.0, 0));
        d.pose_w.rotation = turn;
        d.velocity_w = turn * Vec3(2, -5, 0);
        const std::vector of{engine->add(d).value()};
        for (int i = 0; i < 60; ++i) {
            if (!engine->predicted_approaches(1.0 / 120, 1.0, of).empty()) return i;
            engine->step(1.0 / 120);
        }
        return -1;
    };
    const int level = announced_at(Quat::Identity());
    CHECK(level > 0);
    CHECK(announced_at(Quat(Eigen::AngleAxisd(0.7, Vec3(1, 0.2, -0.5).normalized()))) == level);
}

TEST_CASE("only what is near a plane makes a pair with it, wherever the plane goes") {
    for (const double angle : {0.0, 0.7}) {
        const Quat turn(Eigen::AngleAxisd(angle, Vec3(1, 0.2, -0.5).normalized()));
        const auto engine = test::weightless();
        BodyDesc d = floor_desc();
        d.pose_w.rotation = turn;
        const BodyId floor = engine->add(d).value();
        d = piece_desc({0.4, 0.3, 0.5}, 500, turn * Vec3(0, 3.0, 0));
        d.pose_w.rotation = turn;
        const BodyId box = engine->add(d).value();
        const auto pair_count = [&] {
            engine->step(1.0 / 120);
            return engine->world()
                .getBroadphase()
                ->getOverlappingPairCache()
                ->getNumOverlappingPairs();
        };
        CHECK(pair_count() == 0);
        engine->set_motion(box, {turn, turn * Vec3(0, 0.16, 0)}, Vec3::Zero(), Vec3::Zero());
        CHECK(pair_count() == 1);
        engine->set_motion(floor, {turn, turn * Vec3(0, -3, 0)}, Vec3::Zero(), Vec3::Zero());
        CHECK(pair_count() == 0);
    }
}

TEST_CASE("asking for approaches changes nothing") {
    const auto run = [](bool is_asking) {
        const auto engine = BulletEngine::make();
        REQUIRE(engine->add(floor_desc()).ok());
        std::vector<BodyId> ids;
        for (int i = 0; i < 5; ++i) {
            ids.push_back(
                engine->add(piece_desc({0.3, 0.2, 0.3}, 500, {0.05 * i, 0.5 + 0.4 * i, 0}))
                    .value());
        }
        for (int i = 0; i < 120; ++i) {
            if (is_asking) (void)engine->predicted_approaches(1.0 / 120, 0.0, ids);
            engine->step(1.0 / 120);
        }
        Hasher hash;
        for (const BodyId id : ids) hash_motion(*engine, id, hash);
        return hash.value();
    };
    CHECK(run(true) == run(false));
}

TEST_CASE("a lower restitution set before the hit lowers the rebound") {
    const auto rebound = [](double restitution) {
        const auto engine = BulletEngine::make();
        BodyDesc floor = floor_desc();
        floor.restitution = 1.0;
        REQUIRE(engine->add(floor).ok());
        BodyDesc d = ball_desc(0.1, 1000, {0, 0.5, 0});
        d.restitution = 0.9;
        const BodyId ball = engine->add(d).value();
        double best = 0.0;
        for (int i = 0; i < 200; ++i) {
            if (!engine->predicted_approaches(1.0 / 240, 0.5, std::vector{ball}).empty()) {
                engine->set_restitution(ball, restitution);
            }
            engine->step(1.0 / 240);
            best = std::max(best, engine->motion(ball).velocity_w.y());
        }
        return best;
    };
    CHECK(rebound(0.9) > 1.5);
    CHECK(rebound(0.01) < 0.6);
}

TEST_CASE("a gap is the distance outside, and the way out along the given direction inside") {
    const auto engine = test::weightless();
    const Vec3 size(0.6, 0.4, 0.5);
    BodyDesc pieces = piece_desc(size, 200, Vec3::Zero());
    pieces.pose_w = odd_pose();
    const BodyId id = engine->add(pieces).value();
    Rng rng(6);
    int inside = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 p{rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4)};
        const Vec3 p_w = pieces.pose_w.point(p);
        const Vec3 out_w = pieces.pose_w.direction(Vec3::UnitX());
        const Vec3 beyond = (p.cwiseAbs() - 0.5 * size).cwiseMax(0.0);
        const double gap = engine->gap(id, p_w, out_w);
        inside += beyond.isZero();
        const double expected = beyond.isZero() ? -(0.5 * size.x() - p.x()) : beyond.norm();
        CHECK(test::within(gap, expected, size.x() * tolerance(1e-9, 1e-6)));
        if (!beyond.isZero()) CHECK(engine->gap(id, p_w, out_w, 0.9 * gap) == kInfinity);
    }
    CHECK(inside > 50);
}

TEST_CASE("a body asked in its own frame answers as it does in the world's") {
    const auto engine = test::weightless();
    BodyDesc d = piece_desc({0.6, 0.4, 0.5}, 200, Vec3::Zero());
    d.pose_w = odd_pose();
    const BodyId id = engine->add(d).value();
    const Transform pose = engine->motion(id).pose_w;
    const double close = tolerance(1e-9, 1e-3);
    Rng rng(7);
    for (int i = 0; i < 50; ++i) {
        const Vec3 p(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        const auto world = engine->closest_point(id, pose.point(p), 0.5);
        for (const auto& own : {engine->closest_point_b(id, p, 0.5),
                                engine->RigidQueries::closest_point_b(id, p, 0.5)}) {
            REQUIRE((own.distance < kInfinity) == (world.distance < kInfinity));
            if (!(own.distance < kInfinity)) continue;
            CHECK(test::near(own.distance, world.distance, close));
            CHECK((pose.point(own.point_b) - world.point_w).norm() < close);
            CHECK((pose.direction(own.normal_b) - world.normal_w).norm() < close);
        }
    }
}

TEST_CASE("a capsule's closest point is that of a ball drawn along its axis") {
    const CapsuleCollider capsule{0.2, 0.7};
    BodyDesc d = ball_desc(0.3, 500, Vec3::Zero());
    d.collider = capsule;
    d.pose_w = odd_pose();
    const auto engine = test::weightless();
    const BodyId id = engine->add(d).value();
    Rng rng(3);
    for (int i = 0; i < 200; ++i) {
        const Vec3 p(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        double least = kInfinity;
        for (int k = 0; k <= 1000; ++k) {
            const Vec3 on_axis(0.0, capsule.length * (0.001 * k - 0.5), 0.0);
            least = std::min(least, (p - on_axis).norm());
        }
        const auto near = engine->closest_point_b(id, p);
        CHECK(test::within(near.distance, least - capsule.radius, 1e-5 * capsule.radius));
        CHECK((near.point_b + near.distance * near.normal_b - p).norm() < 1e-12);
        CHECK(test::near(near.normal_b.norm(), 1.0, kBulletRounding));
    }
    CHECK(test::near(engine->closest_point_b(id, Vec3(0, 0.1, 0)).distance, -0.2, kBulletRounding));
    CHECK(engine->closest_point_b(id, Vec3(0, 2, 0), 0.5).distance == kInfinity);
}

TEST_CASE("a capsule rests on its side and on nothing less") {
    const auto engine = BulletEngine::make(BulletOptions{});
    REQUIRE(engine->add(floor_desc()).ok());
    BodyDesc d = ball_desc(0.3, 500, {0, 0.25, 0});
    d.collider = CapsuleCollider{0.1, 0.4};
    d.mass.inertia_b.diagonal() = Vec3(0.4, 0.2, 0.4);
    d.pose_w.rotation = Quat(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitZ()));
    const BodyId id = engine->add(d).value();
    for (int i = 0; i < 480; ++i) engine->step(1.0 / 240);
    const BodyMotion m = engine->motion(id);
    CHECK(test::near(m.pose_w.translation.y(), 0.1, 0.02));
    CHECK(std::abs(m.pose_w.direction(Vec3::UnitY()).y()) < 0.02);
    CHECK(m.velocity_w.norm() < 0.01);

    d.collider = CapsuleCollider{0.0, 0.4};
    CHECK_FALSE(engine->add(d).ok());
    d.collider = CapsuleCollider{0.1, -0.4};
    CHECK_FALSE(engine->add(d).ok());
}

TEST_CASE("what a game put into its world is near what comes near it, touched or not") {
    TriangleShape level(floor_triangles(8.0, 16));
    btRigidBody ground(0, nullptr, &level.shape);
    btBoxShape box(btVector3(0.25, 0.25, 0.25));
    btRigidBody crate(10, nullptr, &box, btVector3(0.4, 0.4, 0.4));
    crate.setWorldTransform(to_bt(Transform{Quat::Identity(), Vec3(1, 0.25, 0)}));
    btCollisionObject post;
    post.setCollisionShape(&box);
    post.setWorldTransform(to_bt(Transform{Quat::Identity(), Vec3(-1, 0.25, 0)}));
    // What nothing collides with.
    btGhostObject region;
    region.setCollisionShape(&box);
    btRigidBody trigger(0, nullptr, &box), picture(0, nullptr, &box);
    trigger.setCollisionFlags(btCollisionObject::CF_NO_CONTACT_RESPONSE);
    GameWorld game;
    game.world.addRigidBody(&ground);
    game.world.addRigidBody(&crate);
    game.world.addCollisionObject(&post);
    game.world.addCollisionObject(&region);
    game.world.addRigidBody(&trigger);
    game.world.addRigidBody(&picture, 0, 0);

    const auto engine = BulletEngine::attach(game.world);
    const BodyId ours = engine->add(ball_desc(0.1, 1000, {0, 0.5, 0})).value();
    std::vector<NearBody> near;
    engine->bodies_near({Vec3(-9, -9, -9), Vec3(9, 9, 9)}, near);
    REQUIRE(near.size() == 4);
    for (std::size_t i = 1; i < near.size(); ++i) CHECK(near[i - 1].id < near[i].id);
    CHECK(near[0].id == ours);
    CHECK(near[1].id == engine->id_of(ground));
    CHECK(near[2].id == engine->id_of(crate));
    CHECK(near[3].id == engine->id_of(post));
    CHECK(engine->moment(near[1].id).inverse_mass == 0.0);
    CHECK(test::near(engine->moment(near[2].id).inverse_mass, 0.1, kBulletRounding));
    CHECK(engine->moment(near[3].id).inverse_mass == 0.0);
    CHECK(test::near(engine->closest_point(near[2].id, {1, 1, 0}).distance, 0.5, kBulletRounding));
    CHECK(test::near(engine->closest_point(near[1].id, {0.3, 1, 0}).distance, 1, kBulletRounding));
    engine->bodies_near({Vec3(0.9, 0.1, -0.1), Vec3(1.1, 0.2, 0.1)}, near);
    REQUIRE(near.size() == 1);
    CHECK(near[0].id == engine->id_of(crate));
    // Asked again, the same ids; what its owner changes counts.
    const BodyId known = near[0].id;
    crate.setMassProps(0, btVector3(0, 0, 0));
    engine->bodies_near({Vec3(0.9, 0.1, -0.1), Vec3(1.1, 0.2, 0.1)}, near);
    REQUIRE(near.size() == 1);
    CHECK(near[0].id == known);
    CHECK(engine->moment(known).inverse_mass == 0.0);
    CHECK(engine->mass(known).mass == 0.0);
}

TEST_CASE("a game's body that was deleted between two steps is not near anything") {
    btBoxShape box(btVector3(0.25, 0.25, 0.25));
    std::vector<std::unique_ptr<btRigidBody>> crates;
    GameWorld game;
    for (int i = 0; i < 8; ++i) {
        crates.push_back(
            std::make_unique<btRigidBody>(10, nullptr, &box, btVector3(0.4, 0.4, 0.4)));
        crates.back()->setWorldTransform(
            to_bt(Transform{Quat::Identity(), Vec3(0, 0.25 + 0.6 * i, 0)}));
        game.world.addRigidBody(crates.back().get());
    }
    const auto engine = BulletEngine::attach(game.world);
    const Box all{Vec3(-9, -9, -9), Vec3(9, 9, 9)};
    std::vector<NearBody> near;
    engine->bodies_near(all, near);
    REQUIRE(near.size() == 8);
    std::vector<BodyId> left;
    for (std::size_t i = 0; i < 8; ++i) {
        if (i % 3 == 0) {
            game.world.removeRigidBody(crates[i].get());
            crates[i].reset();
        } else {
            left.push_back(near[i].id);
        }
    }
    engine->bodies_near(all, near);
    REQUIRE(near.size() == left.size());
    for (std::size_t i = 0; i < left.size(); ++i) CHECK(near[i].id == left[i]);
    engine->step(1.0 / 60);
    engine->bodies_near(all, near);
    CHECK(near.size() == left.size());
}

TEST_CASE("a game's level plane is near what comes down to it, and not near what is above") {
    btStaticPlaneShape plane(btVector3(0, 1, 0), btScalar(0.5));
    btRigidBody ground(0, nullptr, &plane);
    ground.setWorldTransform(to_bt(Transform{Quat::Identity(), Vec3(3, -1.5, 0)}));
    GameWorld game;
    game.world.addRigidBody(&ground);
    const auto engine = BulletEngine::attach(game.world);
    std::vector<NearBody> near;
    engine->bodies_near({Vec3(-1, -0.9, -1), Vec3(1, 5, 1)}, near);
    CHECK(near.empty());
    engine->bodies_near({Vec3(-1, -1.1, -1), Vec3(1, 5, 1)}, near);
    CHECK(near.size() == 1);
}

TEST_CASE("a step that has to be exact is so in a world with a clock of its own, too") {
    GameWorld game;
    game.world.setGravity(btVector3(0, -10, 0));
    BulletOptions options;
    options.fixed_dt = 1.0 / 60;
    const auto engine = BulletEngine::attach(game.world, options);
    BodyDesc d = ball_desc(0.1, 1000, {0, 5, 0});
    const BodyId ball = engine->add(d).value();
    double time = 0.0;
    for (const double dt : {1.0 / 960, 1.0 / 144, 1.0 / 960, 1.0 / 60, 1.0 / 25}) {
        engine->step_exactly(dt);
        time += dt;
        CHECK(test::near(engine->motion(ball).velocity_w.y(), -10 * time, tolerance(1e-12, 1e-5)));
        for (const ContactBatch& batch : engine->batches()) CHECK(batch.dt < 1.0001 / 60);
    }
    CHECK(engine->batches().size() == 3);
}
