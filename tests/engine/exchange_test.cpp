// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/scripted_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A bar of 1 m along x and its two unequal ends, all in the bar's frame.
struct Bar {
    BodyDesc whole;
    std::vector<PartDesc> parts;

    Bar() {
        const Vec3 size(1.0, 0.2, 0.3);
        whole = piece_desc(size, 900, Vec3::Zero());
        whole.pose_w = odd_pose();
        whole.velocity_w = {2, -1, 0.5};
        whole.spin_w = {1, 3, -4};
        for (const auto& [length, x] : {std::pair(0.3, -0.35), std::pair(0.7, 0.15)}) {
            PartDesc part;
            part.body = piece_desc({length, 0.2, 0.3}, 900, Vec3::Zero());
            part.body.collider =
                PieceCollider{{{0, box_points({length, 0.2, 0.3}, {x, 0, 0})}}, 0.0005};
            part.body.mass.centre_b = {x, 0, 0};
            parts.push_back(part);
        }
    }
};

std::unique_ptr<Engine> make_engine(bool is_bullet) {
    if (is_bullet) return BulletEngine::make();
    return std::make_unique<ScriptedEngine>();
}

void check_same(const Momentum& after, const Momentum& before, double limit) {
    CHECK((after.linear - before.linear).norm() <= limit * before.scale);
    CHECK((after.angular - before.angular).norm() <= limit * before.scale);
}

}  // namespace

TEST_CASE("one body becomes two with its momentum kept, and merges again") {
    for (const bool is_bullet : {false, true}) {
        const double limit = is_bullet ? tolerance(1e-12, 1e-6) : 1e-12;
        const auto engine = make_engine(is_bullet);
        const Bar bar;
        const BodyId whole = engine->add(bar.whole).value();
        const Momentum before = momentum(*engine, std::vector{whole});
        const Result<std::vector<BodyId>> ids = split_body(*engine, whole, bar.parts);
        REQUIRE(ids.ok());
        REQUIRE(ids.value().size() == 2);
        CHECK(!engine->has(whole));
        check_same(momentum(*engine, ids.value()), before, limit);
        // Exact parts go on just as the whole moved.
        const Vec3 cut_w = bar.whole.pose_w.point({-0.2, 0, 0});
        CHECK((engine->velocity_at(ids.value()[0], cut_w) -
               engine->velocity_at(ids.value()[1], cut_w))
                  .norm() < tolerance(1e-12, 1e-5));
        for (const BodyId id : ids.value()) {
            CHECK(engine->motion(id).pose_w.translation == bar.whole.pose_w.translation);
        }

        const Result<BodyId> again = merge_bodies(*engine, ids.value(), bar.whole);
        REQUIRE(again.ok());
        check_same(momentum(*engine, std::vector{again.value()}), before, limit);
        CHECK((engine->motion(again.value()).spin_w - bar.whole.spin_w).norm() <
              tolerance(1e-12, 1e-5));
        CHECK(!engine->has(ids.value()[0]));
        engine->step(1.0 / 240);
    }
}

TEST_CASE("parts that do not quite add up still carry the whole's momentum") {
    for (const bool is_bullet : {false, true}) {
        const auto engine = make_engine(is_bullet);
        Bar bar;
        bar.parts[0].body.mass.mass *= 0.99;
        bar.parts[1].body.mass.centre_b += Vec3(0.003, -0.002, 0.004);
        bar.parts[1].body.mass.inertia_b *= 1.01;
        const BodyId whole = engine->add(bar.whole).value();
        const Momentum before = momentum(*engine, std::vector{whole});
        const auto ids = split_body(*engine, whole, bar.parts);
        REQUIRE(ids.ok());
        check_same(momentum(*engine, ids.value()), before,
                   is_bullet ? tolerance(1e-12, 1e-6) : 1e-12);
    }
}

TEST_CASE("bodies that met in flight merge into one with the sum of their momenta") {
    const auto engine = BulletEngine::make();
    std::vector<BodyId> ids;
    for (int i = 0; i < 4; ++i) {
        BodyDesc d = piece_desc({0.2, 0.2, 0.2}, 500 + 300 * i, {0.3 * i, 1.0 + 0.1 * i, 0});
        d.velocity_w = {1.0 * i, -2.0, 0.5 * i};
        d.spin_w = {0.1, 2.0 * i, 1.0};
        ids.push_back(engine->add(d).value());
    }
    const Momentum before = momentum(*engine, ids);
    BodyDesc whole = piece_desc({1.2, 0.4, 0.3}, 600, {0.5, 1.1, 0});
    whole.pose_w.rotation = odd_pose().rotation;
    const Result<BodyId> id = merge_bodies(*engine, ids, whole);
    REQUIRE(id.ok());
    check_same(momentum(*engine, std::vector{id.value()}), before, tolerance(1e-12, 1e-6));
    CHECK((engine->motion(id.value()).pose_w.rotation.coeffs() - whole.pose_w.rotation.coeffs())
              .norm() < tolerance(1e-12, 1e-6));
}

namespace {

/// What exchanges must keep: about the common centre, whoever looks.
struct Law {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), centre = Vec3::Zero();
    double energy = 0.0, scale = 0.0;

    Law(const Engine& engine, const std::vector<BodyId>& ids) {
        const Momentum sum = momentum(engine, ids);
        double mass = 0.0;
        for (const BodyId id : ids) {
            mass += engine.mass(id).mass;
            centre += engine.mass(id).mass * engine.motion(id).centre_w;
            energy += kinetic(engine, id);
        }
        centre /= mass;
        linear = sum.linear;
        angular = sum.angular - centre.cross(sum.linear);
        scale = sum.scale;
    }
};

void check_law(const Law& after, const Law& before, double limit) {
    CHECK((after.linear - before.linear).norm() <= limit * before.scale);
    CHECK((after.angular - before.angular).norm() <= limit * before.scale);
    CHECK((after.centre - before.centre).norm() <= limit * (1.0 + before.centre.norm()));
    CHECK(after.energy <= before.energy * (1.0 + limit));
}

}  // namespace

namespace {

/// The bar as one body of two pieces, and how its larger end and the other are told apart.
struct PartedBar {
    Bar bar;
    BodyDesc whole;
    std::vector<ColliderPiece> pieces;

    PartedBar() : whole(bar.whole) {
        for (int i = 0; i < 2; ++i) {
            const auto& own = std::get<PieceCollider>(bar.parts[i].body.collider).pieces[0];
            pieces.push_back({i, own.points});
        }
        whole.collider = PieceCollider{pieces, 0.0005};
        bar.parts[0].body.collider = PieceCollider{{pieces[0]}, 0.0005};
    }
    Result<std::vector<BodyId>> part(Engine& engine, BodyId id) const {
        static constexpr std::int32_t gone[] = {0};
        Reshape kept;
        kept.removed = gone;
        kept.mass = &bar.parts[1].body.mass;
        return part_body(engine, id, kept, std::span(bar.parts).first(1));
    }
    Status rejoin(Engine& engine, BodyId id, std::span<const BodyId> parts) const {
        Reshape again;
        again.added = std::span(pieces).first(1);
        again.mass = &whole.mass;
        return rejoin_body(engine, id, parts, again);
    }
};

}  // namespace

TEST_CASE("what becomes one keeps momentum about its centre, which stays, and gains no energy") {
    for (const bool is_bullet : {false, true}) {
        const double limit = is_bullet ? tolerance(1e-12, 1e-4) : 1e-12;
        Rng rng(7);
        const auto any = [&](double size) {
            return Vec3(rng.uniform(-size, size), rng.uniform(-size, size),
                        rng.uniform(-size, size));
        };
        for (int i = 0; i < 50; ++i) {
            CAPTURE(i);
            const auto engine = make_engine(is_bullet);
            const Vec3 drift = any(i % 2 == 0 ? 0.0 : 50.0);
            std::vector<BodyId> ids;
            double mass = 0.0;
            for (int k = 0; k < 4; ++k) {
                BodyDesc d = piece_desc({0.2, 0.3, 0.4}, rng.uniform(300, 900), any(1.0));
                d.pose_w.rotation = Quat(Eigen::AngleAxisd(rng.uniform(-3, 3), Vec3::UnitY()));
                d.velocity_w = drift + any(3.0);
                d.spin_w = any(9.0);
                mass += d.mass.mass;
                ids.push_back(engine->add(d).value());
            }
            const Law before(*engine, ids);
            // A whole whose surface says something else of it than its parts do.
            const double size = rng.uniform(0.1, 2.0);
            BodyDesc whole = piece_desc({size, 0.5 * size, 0.3}, 600, any(1.0));
            whole.mass.inertia_b *= mass / whole.mass.mass;
            whole.mass.mass = mass;
            whole.mass.centre_b = any(0.3);
            const Result<BodyId> id = merge_bodies(*engine, ids, whole);
            REQUIRE(id.ok());
            check_law(Law(*engine, {id.value()}), before, limit);
        }
    }
}

TEST_CASE("parts go back into one body that weighs otherwise, and no law is broken") {
    for (const bool is_bullet : {false, true}) {
        const double limit = is_bullet ? tolerance(1e-12, 1e-4) : 1e-12;
        for (const double inertia : {0.3, 1.0, 3.0}) {
            CAPTURE(inertia);
            const auto engine = make_engine(is_bullet);
            PartedBar parted;
            const BodyId id = engine->add(parted.whole).value();
            const std::vector<BodyId> others = parted.part(*engine, id).value();
            const BodyMotion m = engine->motion(others[0]);
            engine->set_motion(others[0], m.pose_w, m.velocity_w + Vec3(0, 3, 1),
                               m.spin_w + Vec3(0, 0, 9));
            const Law before(*engine, {id, others[0]});
            parted.whole.mass.centre_b += Vec3(0.02, -0.01, 0.015);
            parted.whole.mass.inertia_b *= inertia;
            REQUIRE(parted.rejoin(*engine, id, others).ok());
            check_law(Law(*engine, {id}), before, limit);
        }
    }
}

TEST_CASE("an impossible split or merge leaves everything as it was") {
    const auto engine = BulletEngine::make();
    const BodyId floor = engine->add(floor_desc()).value();
    Bar bar;
    const BodyId whole = engine->add(bar.whole).value();
    const int objects = engine->world().getNumCollisionObjects();
    const auto refuses = [&](std::span<const PartDesc> parts) {
        CHECK(!split_body(*engine, whole, parts).ok());
        CHECK(engine->has(whole));
        CHECK(engine->world().getNumCollisionObjects() == objects);
    };
    refuses({});
    refuses(std::span(bar.parts).first(1));  // a third of the mass
    std::vector<PartDesc> parts = bar.parts;
    std::get<PieceCollider>(parts[1].body.collider).pieces.clear();
    refuses(parts);  // fails after the first part was added
    parts = bar.parts;
    parts[0].body.motion = Motion::Kinematic;
    refuses(parts);
    CHECK(!split_body(*engine, floor, bar.parts).ok());
    CHECK(!split_body(*engine, BodyId{99}, bar.parts).ok());
    CHECK(!merge_bodies(*engine, {}, bar.whole).ok());
    const std::vector gone{whole, BodyId{99}};
    CHECK(!merge_bodies(*engine, gone, bar.whole).ok());
    CHECK(engine->has(whole));
}

TEST_CASE("a body parts in place: its id, momentum and the velocity of every place stay") {
    for (const bool is_bullet : {false, true}) {
        const double limit = is_bullet ? tolerance(1e-12, 1e-5) : 1e-12;
        const auto engine = make_engine(is_bullet);
        const PartedBar parted;
        const BodyId id = engine->add(parted.whole).value();
        const Momentum before = momentum(*engine, std::vector{id});
        const double energy = kinetic(*engine, id);
        const Vec3 places[] = {{-0.5, 0.1, 0.1}, {-0.2, 0, 0}, {0.5, -0.1, 0.15}};
        std::vector<Vec3> velocities;
        for (const Vec3& p : places) {
            velocities.push_back(engine->velocity_at(id, parted.whole.pose_w.point(p)));
        }
        const Result<std::vector<BodyId>> others = parted.part(*engine, id);
        REQUIRE(others.ok());
        const std::vector ids{id, others.value()[0]};
        check_same(momentum(*engine, ids), before, limit);
        CHECK(test::near(kinetic(*engine, ids[0]) + kinetic(*engine, ids[1]), energy, limit));
        for (const BodyId part : ids) {
            CHECK(
                (engine->motion(part).pose_w.translation - parted.whole.pose_w.translation).norm() <
                limit);
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3 p_w = parted.whole.pose_w.point(places[k]);
                CHECK((engine->velocity_at(part, p_w) - velocities[k]).norm() < 10 * limit);
            }
        }
        REQUIRE(parted.rejoin(*engine, id, others.value()).ok());
        CHECK(!engine->has(others.value()[0]));
        check_same(momentum(*engine, std::vector{id}), before, limit);
        CHECK(test::near(kinetic(*engine, id), energy, 10 * limit));
        engine->step(1.0 / 240);
    }
}

TEST_CASE("parts that moved against each other become one without a gain in energy") {
    const auto engine = test::weightless();
    const PartedBar parted;
    const BodyId id = engine->add(parted.whole).value();
    const std::vector<BodyId> others = parted.part(*engine, id).value();
    const BodyMotion m = engine->motion(others[0]);
    engine->set_motion(others[0], m.pose_w, m.velocity_w + Vec3(0, 3, 1), m.spin_w + Vec3(0, 0, 9));
    const std::vector ids{id, others[0]};
    const Momentum before = momentum(*engine, ids);
    const double energy = kinetic(*engine, ids[0]) + kinetic(*engine, ids[1]);
    REQUIRE(parted.rejoin(*engine, id, others).ok());
    check_same(momentum(*engine, std::vector{id}), before, tolerance(1e-12, 1e-5));
    CHECK(kinetic(*engine, id) < energy);
}

TEST_CASE("a common drift turns nothing that becomes one again, wherever its centre then is") {
    for (const bool is_bullet : {false, true}) {
        std::vector<Vec3> spins;
        for (const double drift : {0.0, 50.0}) {
            const auto engine = make_engine(is_bullet);
            PartedBar parted;
            parted.whole.velocity_w += drift * Vec3(0.36, 0.48, 0.8);
            const BodyId id = engine->add(parted.whole).value();
            const Momentum before = momentum(*engine, std::vector{id});
            const std::vector<BodyId> others = parted.part(*engine, id).value();
            parted.whole.mass.centre_b += Vec3(0.02, -0.01, 0.015);
            REQUIRE(parted.rejoin(*engine, id, others).ok());
            const Momentum now = momentum(*engine, std::vector{id});
            CHECK((now.linear - before.linear).norm() <= tolerance(1e-12, 1e-5) * before.scale);
            spins.push_back(engine->motion(id).spin_w);
            CHECK((spins.back() - parted.whole.spin_w).norm() < tolerance(1e-11, 1e-3));
        }
        CHECK((spins[0] - spins[1]).norm() < tolerance(1e-11, 1e-3));
    }
}

TEST_CASE("what cannot be moved parts, too: what comes off it can be moved") {
    const auto engine = BulletEngine::make();
    PartedBar parted;
    parted.whole.motion = Motion::Static;
    const BodyId id = engine->add(parted.whole).value();
    const std::vector<BodyId> others = parted.part(*engine, id).value();
    REQUIRE(others.size() == 1);
    CHECK(engine->motion(others[0]).velocity_w.isZero());
    for (int i = 0; i < 24; ++i) engine->step(1.0 / 240);
    CHECK(engine->motion(others[0]).velocity_w.y() < -0.5);
    REQUIRE(parted.rejoin(*engine, id, others).ok());
    CHECK(engine->motion(id).velocity_w.isZero());
    CHECK(engine->motion(id).pose_w.translation == parted.whole.pose_w.translation);
}

TEST_CASE("parts of one body pass through each other, until it is gone") {
    const auto engine = test::weightless();
    const PartedBar parted;
    const BodyId id = engine->add(parted.whole).value();
    const std::vector<BodyId> others = parted.part(*engine, id).value();
    const auto touches = [&] {
        engine->step(1.0 / 240);
        return !engine->batches()[0].contacts.empty();
    };
    CHECK(!touches());
    PartDesc second = parted.bar.parts[0];
    second.body.part_of = id;
    second.body.pose_w = engine->motion(others[0]).pose_w;
    const BodyId third = engine->add(second.body).value();
    CHECK(!touches());
    engine->remove(id);
    CHECK(touches());
    engine->remove(third);
}

TEST_CASE("a refused exchange in place leaves the body as it was") {
    const auto engine = test::weightless();
    const PartedBar parted;
    const BodyId id = engine->add(parted.whole).value();
    const std::int32_t unknown[] = {7};
    Reshape kept;
    kept.removed = unknown;
    kept.mass = &parted.bar.parts[1].body.mass;
    CHECK(!part_body(*engine, id, kept, std::span(parted.bar.parts).first(1)).ok());
    CHECK(test::near(engine->mass(id).mass, parted.whole.mass.mass, kBulletRounding));
    CHECK(!part_body(*engine, BodyId{99}, kept, {}).ok());
    CHECK(!rejoin_body(*engine, BodyId{99}, {}, kept).ok());
}
