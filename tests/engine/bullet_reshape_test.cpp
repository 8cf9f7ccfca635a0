// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

const double kMomentum = tolerance(1e-12, 1e-6);

BodyDesc odd_desc() {
    BodyDesc d = piece_desc({0.8, 0.6, 0.7}, 1000, Vec3::Zero());
    d.mass = odd_mass();
    d.pose_w = odd_pose();
    d.velocity_w = {3, -1, 2};
    d.spin_w = {1, 4, -2};
    return d;
}

MassProperties shaken(const MassProperties& mass, Rng& rng, double by) {
    MassProperties out = mass;
    for (int i = 0; i < 3; ++i) {
        out.centre_b[i] += by * (rng.uniform() - 0.5) * 0.1;
        for (int j = 0; j <= i; ++j) {
            const double change = by * (rng.uniform() - 0.5) * 0.1;
            out.inertia_b(i, j) += change;
            if (i != j) out.inertia_b(j, i) += change;
        }
    }
    return out;
}

double off(const Vec3& a, const Vec3& b, double scale) { return (a - b).norm() / scale; }

}  // namespace

TEST_CASE("a reshape in flight keeps momentum and centre, and reports the energy it added") {
    const auto engine = test::weightless();
    const BodyId id = engine->add(odd_desc()).value();
    Rng rng(7);
    for (int i = 0; i < 50; ++i) {
        const Momentum before = momentum(*engine, std::vector{id});
        const double energy = kinetic(*engine, id);
        const BodyMotion was = engine->motion(id);
        const MassProperties mass = shaken(odd_mass(), rng, 1.0);
        Reshape change;
        change.mass = &mass;
        const Result<double> added = engine->reshape(id, change);
        REQUIRE(added.ok());
        // The centre stays, so this holds about every point, the centre of mass among them.
        const Momentum after = momentum(*engine, std::vector{id});
        CHECK(off(after.linear, before.linear, before.scale) <= kMomentum);
        CHECK(off(after.angular, before.angular, before.scale) <= kMomentum);
        CHECK(test::near(added.value(), kinetic(*engine, id) - energy, tolerance(1e-9, 1e-2)));
        const BodyMotion now = engine->motion(id);
        CHECK((now.centre_w - was.centre_w).norm() <= tolerance(1e-14, 1e-6));
        CHECK(now.pose_w.rotation.coeffs() == was.pose_w.rotation.coeffs());
        CHECK((engine->mass(id).inertia_b - mass.inertia_b).norm() < tolerance(1e-8, 1e-5));
        CHECK(engine->mass(id).mass == 7.0);
        engine->step(1.0 / 240);
    }
}

TEST_CASE("a reshape gives the same spin whatever the velocity") {
    const auto spin_after = [](const Vec3& drift, const Vec3& spin) {
        const auto engine = test::weightless();
        BodyDesc d = odd_desc();
        d.velocity_w = drift;
        d.spin_w = spin;
        const BodyId id = engine->add(d).value();
        Rng rng(13);
        for (int i = 0; i < 20; ++i) {
            const MassProperties mass = shaken(odd_mass(), rng, 1.0);
            Reshape change;
            change.mass = &mass;
            REQUIRE(engine->reshape(id, change).ok());
        }
        return engine->motion(id).spin_w;
    };
    for (const Vec3& spin : {Vec3(0, 0, 0), Vec3(1, 4, -2)}) {
        const Vec3 still = spin_after(Vec3::Zero(), spin);
        for (const double speed : {1.0, 10.0, 100.0}) {
            CHECK(spin_after(speed * Vec3(0.6, -0.48, 0.64), spin) == still);
        }
        if (spin.isZero()) CHECK(still.isZero());
    }
}

TEST_CASE("a reshape keeps the frame of what lies on something, if only by way of others") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    const Vec3 size(0.4, 0.4, 0.4);
    const BodyId below = engine->add(piece_desc(size, 500, {0, 0.2005, 0})).value();
    const BodyId above = engine->add(piece_desc(size, 500, {0, 0.6015, 0})).value();
    const BodyId flying = engine->add(piece_desc(size, 500, {0, 9, 0})).value();
    for (int i = 0; i < 30; ++i) engine->step(1.0 / 240);
    const auto frame_moved = [&](BodyId id) {
        MassProperties mass = engine->mass(id);
        mass.centre_b += Vec3(0.01, -0.02, 0.015);
        const Vec3 was = engine->motion(id).pose_w.translation;
        Reshape change;
        change.mass = &mass;
        REQUIRE(engine->reshape(id, change).ok());
        return Vec3(engine->motion(id).pose_w.translation - was);
    };
    CHECK(frame_moved(below).isZero(0));
    CHECK(frame_moved(above).isZero(0));
    CHECK((frame_moved(flying) + Vec3(0.01, -0.02, 0.015)).norm() < tolerance(1e-14, 1e-6));
}

TEST_CASE("a thousand reshapes of a body that hangs still leave its centre as it was") {
    const auto engine = test::weightless();
    BodyDesc d = odd_desc();
    d.velocity_w = d.spin_w = Vec3::Zero();
    const BodyId id = engine->add(d).value();
    const Vec3 centre = engine->motion(id).centre_w;
    const Quat rotation = engine->motion(id).pose_w.rotation;
    Rng rng(11);
    for (int i = 0; i < 1000; ++i) {
        const MassProperties mass = shaken(odd_mass(), rng, 0.5);
        Reshape change;
        change.mass = &mass;
        REQUIRE(engine->reshape(id, change).ok());
        if (i % 20 == 0) engine->step(1.0 / 240);
    }
    CHECK((engine->motion(id).centre_w - centre).norm() < tolerance(1e-13, 1e-5));
    CHECK(engine->motion(id).pose_w.rotation.angularDistance(rotation) < tolerance(1e-7, 1e-3));
}

TEST_CASE("a barrel's axes do not spin through a thousand tiny reshapes") {
    const auto engine = test::weightless();
    BodyDesc d = piece_desc({0.6, 0.9, 0.6}, 300, Vec3::Zero());
    d.mass = cylinder_mass(0.3, 0.9, 300);
    const BodyId id = engine->add(d).value();
    const btMatrix3x3 axes = engine->rigid_body(id)->getWorldTransform().getBasis();
    Rng rng(3);
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        MassProperties mass = cylinder_mass(0.3, 0.9, 300);
        mass.centre_b.y() += 1e-4 * (rng.uniform() - 0.5);
        // Noise of the last digits, such as sums over a moving surface make.
        for (int k = 0; k < 3; ++k) {
            const double noise = 1e-14 * mass.inertia_b(0, 0) * (rng.uniform() - 0.5);
            mass.inertia_b(k, (k + 1) % 3) += noise;
            mass.inertia_b((k + 1) % 3, k) += noise;
        }
        Reshape change;
        change.mass = &mass;
        REQUIRE(engine->reshape(id, change).ok());
        const btMatrix3x3& now = engine->rigid_body(id)->getWorldTransform().getBasis();
        for (int k = 0; k < 3; ++k) {
            worst = std::max(worst, double((now.getColumn(k) - axes.getColumn(k)).length()));
        }
    }
    CHECK(worst < 1e-6);
}

TEST_CASE("a stack under a running fade is as still as a plain one") {
    // Three prisms that have settled; in the second run each is told a slightly thinner shape in
    // every step, as a dent that fades in does. Dropping all contacts each time would shake it.
    enum class Fade { None, Gentle, Forgetful };
    const auto worst_spin = [](Fade fade) {
        const auto engine = BulletEngine::make();
        REQUIRE(engine->add(floor_desc()).ok());
        const Vec3 size(0.6, 0.3, 0.4);
        std::vector<BodyId> ids;
        for (int i = 0; i < 3; ++i) {
            ids.push_back(engine->add(piece_desc(size, 800, {0, 0.1506 + 0.3012 * i, 0})).value());
        }
        double worst = 0.0;
        for (int i = 0; i < 360; ++i) {
            engine->step(1.0 / 240);
            if (i < 120) continue;
            for (const BodyId id : ids) worst = std::max(worst, engine->motion(id).spin_w.norm());
            if (fade == Fade::None) continue;
            const double t = (i - 119) / 240.0;
            const Vec3 now = size - Vec3(0.005, 0.0024, 0.005) * (t * t * (3 - 2 * t));
            const MassProperties mass = box_mass(now, 800 * size.prod() / now.prod());
            for (const BodyId id : ids) {
                REQUIRE(!engine->motion(id).is_asleep);
                const ColliderPiece piece{0, box_points(now)};
                Reshape change;
                change.moved = std::span(&piece, 1);
                change.mass = &mass;
                if (fade == Fade::Forgetful) change.contact_tolerance = 0.0;
                REQUIRE(engine->reshape(id, change).ok());
            }
        }
        return worst;
    };
    const double plain = worst_spin(Fade::None);
    const double gentle = worst_spin(Fade::Gentle);
    const double forgetful = worst_spin(Fade::Forgetful);
    INFO("plain ", plain, " gentle ", gentle, " forgetful ", forgetful);
    CHECK(gentle <= 3.0 * plain);
    CHECK(gentle < 0.1 * forgetful);
}

TEST_CASE("a contact is dropped when its surface moved, and kept when another part did") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    BodyDesc d = piece_desc({0.5, 0.5, 0.5}, 500, {0, 0.2505, 0});
    std::get<PieceCollider>(d.collider)
        .pieces.push_back({1, box_points({0.2, 0.2, 0.2}, {0, 0.35, 0})});
    const BodyId id = engine->add(d).value();
    for (int i = 0; i < 60; ++i) engine->step(1.0 / 240);
    const auto held = [&] {
        int count = 0;
        btDispatcher* dispatcher = engine->world().getDispatcher();
        for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
            count += dispatcher->getManifoldByIndexInternal(i)->getNumContacts();
        }
        return count;
    };
    const int before = held();
    REQUIRE(before >= 3);
    Reshape change;
    SUBCASE("another piece") {
        const ColliderPiece piece{1, box_points({0.2, 0.2, 0.2}, {0, 0.45, 0})};
        change.moved = std::span(&piece, 1);
        REQUIRE(engine->reshape(id, change).ok());
        CHECK(held() == before);
    }
    SUBCASE("sideways only") {
        const ColliderPiece piece{0, box_points({0.6, 0.5, 0.6})};
        change.moved = std::span(&piece, 1);
        REQUIRE(engine->reshape(id, change).ok());
        CHECK(held() == before);
    }
    SUBCASE("within the tolerance") {
        const ColliderPiece piece{0, box_points({0.5, 0.5 - 1.9e-4, 0.5})};
        change.moved = std::span(&piece, 1);
        REQUIRE(engine->reshape(id, change).ok());
        CHECK(held() == before);
    }
    SUBCASE("beyond the tolerance") {
        const ColliderPiece piece{0, box_points({0.5, 0.48, 0.5})};
        change.moved = std::span(&piece, 1);
        REQUIRE(engine->reshape(id, change).ok());
        CHECK(held() == 0);
    }
    SUBCASE("kept contacts stay where they were in the world when the frame moves") {
        MassProperties mass = d.mass;
        mass.centre_b = {0.01, -0.02, 0.015};
        change.mass = &mass;
        REQUIRE(engine->reshape(id, change).ok());
        CHECK(held() == before);
        const btPersistentManifold& m =
            *engine->world().getDispatcher()->getManifoldByIndexInternal(0);
        const bool is_first = m.getBody0() == engine->rigid_body(id);
        for (int k = 0; k < m.getNumContacts(); ++k) {
            const btManifoldPoint& p = m.getContactPoint(k);
            const btVector3 local = is_first ? p.m_localPointA : p.m_localPointB;
            const btVector3 world = is_first ? p.getPositionWorldOnA() : p.getPositionWorldOnB();
            const btVector3 now = engine->rigid_body(id)->getWorldTransform() * local;
            CHECK((now - world).length() < 1e-4);
        }
    }
}

TEST_CASE("a replaced piece is felt in the next step") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    const BodyId id = engine->add(piece_desc({0.5, 0.5, 0.5}, 500, {0, 0.2505, 0})).value();
    for (int i = 0; i < 60; ++i) engine->step(1.0 / 240);
    // Two halves, thinner below by 4 cm.
    const std::vector<ColliderPiece> halves{{5, box_points({0.25, 0.46, 0.5}, {-0.125, 0.02, 0})},
                                            {6, box_points({0.25, 0.46, 0.5}, {0.125, 0.02, 0})}};
    const std::vector<std::int32_t> gone{0};
    Reshape change;
    change.added = halves;
    change.removed = gone;
    REQUIRE(engine->reshape(id, change).ok());
    for (int i = 0; i < 240; ++i) engine->step(1.0 / 240);
    CHECK(test::near(engine->motion(id).pose_w.translation.y(), 0.2105, 0.005));
    CHECK(engine->motion(id).spin_w.norm() < 0.05);
    CHECK(test::near(engine->closest_point(id, {0, -1, 0}).point_w.y(), 0.0005, 0.2));
}

TEST_CASE("a reshape does not wake a sleeping body") {
    const auto engine = BulletEngine::make();
    REQUIRE(engine->add(floor_desc()).ok());
    const BodyId id = engine->add(piece_desc({0.5, 0.5, 0.5}, 500, {0, 0.2506, 0})).value();
    for (int i = 0; i < 2000 && !engine->motion(id).is_asleep; ++i) engine->step(1.0 / 240);
    REQUIRE(engine->motion(id).is_asleep);
    const MassProperties mass = box_mass({0.5, 0.49, 0.5}, 500);
    const ColliderPiece piece{0, box_points({0.5, 0.49, 0.5})};
    Reshape change;
    change.moved = std::span(&piece, 1);
    change.mass = &mass;
    REQUIRE(engine->reshape(id, change).ok());
    CHECK(engine->motion(id).is_asleep);
    for (int i = 0; i < 10; ++i) engine->step(1.0 / 240);
    CHECK(engine->motion(id).is_asleep);
}

TEST_CASE("a refused reshape changes nothing") {
    const auto engine = test::weightless();
    const BodyId id = engine->add(odd_desc()).value();
    const auto before = engine->closest_point(id, {5, 5, 5}).distance;
    const std::vector<ColliderPiece> unknown{{3, box_points({1, 1, 1})}};
    const std::vector<ColliderPiece> known{{0, box_points({1, 1, 1})}};
    std::vector<ColliderPiece> broken{{0, box_points({1, 1, 1})}};
    broken[0].points[3].y() = NAN;
    const std::vector<ColliderPiece> twice{{0, box_points({1, 1, 1})}, {0, box_points({1, 1, 1})}};
    const std::vector<ColliderPiece> empty{{0, {}}};
    const std::vector<std::int32_t> all{0}, stranger{4};
    MassProperties bad = odd_mass();
    bad.inertia_b(0, 0) = 9.0;  // a > b + c
    std::vector<Reshape> changes(8);
    changes[0].moved = unknown;
    changes[1].added = known;
    changes[2].moved = broken;
    changes[3].moved = twice;
    changes[4].moved = empty;
    changes[5].removed = all;
    changes[6].removed = stranger;
    changes[7].moved = known;
    changes[7].mass = &bad;
    for (const Reshape& change : changes) {
        const Result<double> result = engine->reshape(id, change);
        REQUIRE(!result.ok());
        CHECK(result.error().where == "piece");
        CHECK(engine->closest_point(id, {5, 5, 5}).distance == before);
    }
}
