// SPDX-License-Identifier: MIT
// Bodies with a skeleton, on Bullet: what an impact bends, and what it must leave alone.
#include <ductile/core/parallel.h>
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/deform/journal_io.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/articulation.h>
#include <ductile/sim/body_division.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/hinge.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>
#include <support/phases.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> bendable(std::shared_ptr<const SurfaceAsset> asset, double mass,
                                          const BendOptions& options) {
    const auto layer = make_layer(options, LayerFiles{});
    REQUIRE(layer.ok());
    const auto shape = make_body_shape(std::move(asset),
                                       {.material = find_material("steel").value(), .mass = mass},
                                       {layer.value()});
    if (!shape) FAIL(shape.error().text());
    return shape.value();
}

BendOptions plank_options(double strength) {
    BendOptions options;
    options.strength = strength;
    options.speed = 0.5;
    return options;
}

std::shared_ptr<const BodyShape> plank_shape(const BendOptions& options) {
    return bendable(solid(SolidKind::Box, {2.0, 0.06, 0.2}, 0.05), 20.0, options);
}

/// A plank of 20 kg on two posts, and a ball of 33 kg that falls on its middle.
struct SupportedPlank {
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation sim{*engine, {}};
    std::shared_ptr<const BodyShape> shape;
    ObjectId plank, ball;

    SupportedPlank(const BendOptions& options, double speed, double phase = 0.0)
        : SupportedPlank(plank_shape(options), speed, phase) {}
    SupportedPlank(std::shared_ptr<const BodyShape> plank_shape, double speed, double phase)
        : shape(std::move(plank_shape)) {
        for (const double x : {-0.9, 0.9}) {
            BodyDesc post = floor_desc();
            post.collider = BoxCollider{{0.1, 0.4, 0.4}};
            post.pose_w.translation = {x, -0.2, 0};
            post.restitution = 0.0;
            REQUIRE(sim.add_rigid(post, 0.6).ok());
        }
        const double height = shape->box.upper.y() - shape->box.lower.y();
        Transform pose;
        pose.translation = {0, 0.5 * height + 0.001, 0};
        DeformableDesc desc = body_desc("plank", pose, Vec3::Zero());
        desc.restitution = 0.0;
        plank = sim.add_deformable(desc, shape).value();
        BodyDesc striker = ball_desc(0.1, 7850, {0.0, 0.11 + height + phase, 0}, {0, -speed, 0});
        striker.restitution = 0.0;
        ball = sim.add_rigid(striker, 0.2).value();
    }
    void run(double seconds, double rate = 240.0) {
        const int steps = static_cast<int>(std::lround(seconds * rate));
        for (int i = 0; i < steps; ++i) sim.step(1.0 / rate);
    }
    double angle() const {
        double sum = 0.0;
        for (const Hit& hit : sim.journal(plank).hits()) {
            sum += record_mark(hit.record).size * (kPi / 180.0);
        }
        return sum;
    }
};

/// The angle that an impact at 5 m/s leaves, over rates and arrival phases.
void check_rates(double strength, int phases) {
    constexpr double kWithin = 0.08;
    const std::shared_ptr<const BodyShape> shape = plank_shape(plank_options(strength));
    std::vector<double> angles;
    for (const double rate : {60.0, 120.0, 240.0, 1000.0}) {
        double sum = 0.0, least = kInfinity, most = 0.0;
        for (int k = 0; k < phases; ++k) {
            // Arrivals spread over one step, not in whole parts of it.
            const double phase = 5.0 / rate * (k + 0.37) / phases;
            // What falls further starts slower, so that all arrive alike.
            SupportedPlank p(shape, std::sqrt(25.0 - 2.0 * 9.81 * phase), phase);
            p.run(0.35, rate);
            CHECK(p.sim.report().missed_impacts == 0);
            angles.push_back(p.angle());
            sum += p.angle();
            least = std::min(least, p.angle());
            most = std::max(most, p.angle());
        }
        MESSAGE(strength, " N m, ", rate, " Hz: ", sum / phases, " [", least, " ", most, "] rad");
    }
    double mean = 0.0;
    for (const double a : angles) mean += a / static_cast<double>(angles.size());
    CHECK(mean > 0.05);
    for (const double a : angles) CHECK(std::abs(a - mean) < kWithin * mean);
}

}  // namespace

TEST_CASE("a plank bends where it is struck, its halves stay straight, and it is one body again") {
    SupportedPlank p(plank_options(400.0), 5.0);
    double gap = 0.0, last_gap = 0.0;
    std::size_t most_bodies = 1;
    for (int i = 0; i < 240; ++i) {
        p.sim.step(1.0 / 240);
        const auto bodies = p.sim.bodies(p.plank);
        most_bodies = std::max(most_bodies, bodies.size());
        if (bodies.size() != 2) continue;
        const Transform a = p.engine->motion(bodies[0]).pose_w;
        const Transform b = p.engine->motion(bodies[1]).pose_w;
        last_gap = (a.point(Vec3::Zero()) - b.point(Vec3::Zero())).norm();
        gap = std::max(gap, last_gap);
    }
    CHECK(most_bodies >= 2);
    CHECK(p.sim.report().wakings >= 1);
    CHECK(p.sim.report().missed_impacts == 0);
    CHECK(p.sim.report().incidents.empty());
    REQUIRE(p.sim.journal(p.plank).hits().size() >= 1);
    CHECK(p.angle() > 0.3);
    CHECK(p.angle() < 2.0);
    CHECK(gap < 0.01 * p.shape->size);
    CHECK(last_gap < 0.001 * p.shape->size);
    // Either half has kept its form: distances between its points are those at rest.
    const auto points = p.sim.state(p.plank).points();
    const auto rest = p.shape->rest();
    for (const double side : {-1.0, 1.0}) {
        std::size_t first = rest.size();
        for (std::size_t v = 0; v < rest.size(); ++v) {
            if (!(side * rest[v].x() > 0.3)) continue;
            if (first == rest.size()) first = v;
            CHECK(test::near((points[v] - points[first]).norm(), (rest[v] - rest[first]).norm(),
                             1e-9));
        }
    }
    CHECK(p.sim.bodies(p.plank).size() == 1);
}

namespace {

struct Momentum {
    double mass = 0.0;
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
Momentum momentum_of(const Engine& engine, const std::vector<BodyId>& bodies) {
    Momentum sum;
    for (const BodyId id : bodies) {
        const MassProperties mass = engine.mass(id);
        const BodyMotion m = engine.motion(id);
        const Mat3 r = m.pose_w.rotation.toRotationMatrix();
        sum.mass += mass.mass;
        sum.linear += mass.mass * m.velocity_w;
        sum.angular += mass.mass * m.centre_w.cross(m.velocity_w) +
                       r * mass.inertia_b * r.transpose() * m.spin_w;
    }
    return sum;
}

}  // namespace

TEST_CASE("however often a ring wakes further, mass and momentum stay: linear, angular") {
    BulletOptions world;
    world.gravity = Vec3::Zero();
    for (const double thickness : {0.0, 0.01}) {
        CAPTURE(thickness);
        const auto engine = BulletEngine::make(world);
        Simulation sim(*engine, {});
        const auto layer = make_layer(plank_options(20.0), LayerFiles{});
        REQUIRE(layer.ok());
        const auto shape = make_body_shape(
            solid(SolidKind::Torus, {1.0, 0.2, 1.2}, 0.08),
            {.material = find_material("lead").value(), .thickness = thickness}, {layer.value()});
        REQUIRE(shape.ok());
        Transform pose;
        pose.rotation = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized());
        DeformableDesc desc = body_desc("ring", pose, Vec3(-20, 1, 2));
        desc.spin_w = {3, -4, 5};
        const ObjectId ring = sim.add_deformable(desc, shape.value()).value();
        const BodyId ball = engine->add(ball_desc(0.3, 5000, {-1.2, 0.1, 0.2}, {60, 0, 3})).value();
        const auto now = [&] {
            std::vector<BodyId> all(sim.bodies(ring).begin(), sim.bodies(ring).end());
            all.push_back(ball);
            return momentum_of(*engine, all);
        };
        const Momentum first = now();
        const double scale = first.mass * 60.0;
        std::vector<std::size_t> counts = {1};
        for (int i = 0; i < 192; ++i) {
            const Momentum before = now();
            sim.before_engine_step(1.0 / 960);
            const Momentum woken = now();
            CHECK(test::near(woken.mass, first.mass, 1e-12));
            CHECK((woken.angular - before.angular).norm() <= 1e-11 * scale);
            engine->step(1.0 / 960);
            sim.after_engine_step(1.0 / 960);
            const Momentum after = now();
            CHECK(test::near(after.mass, first.mass, 1e-12));
            CHECK((after.linear - first.linear).norm() <= 1e-11 * scale);
            if (sim.bodies(ring).size() != counts.back()) counts.push_back(sim.bodies(ring).size());
        }
        // It woke, and then further.
        MESSAGE(counts.size() << " groupings, " << counts.back() << " bodies at last");
        CHECK(counts.size() >= 3);
        CHECK(counts[2] > counts[1]);
    }
}

TEST_CASE("becoming one body again moves neither it nor its centre, and keeps all momentum") {
    BulletOptions world;
    world.gravity = Vec3::Zero();
    for (const double drift : {0.0, 50.0}) {
        CAPTURE(drift);
        const auto engine = BulletEngine::make(world);
        Simulation sim(*engine, {});
        const auto shape = plank_shape(plank_options(100.0));
        DeformableDesc desc = body_desc("plank", {}, Vec3(drift, 0, 0));
        desc.spin_w = {0.5, 0.3, -0.4};
        const ObjectId plank = sim.add_deformable(desc, shape).value();
        BodyDesc striker = ball_desc(0.1, 7850, {0.3, 0.5, 0}, {drift, -20, 0});
        const ObjectId ball = sim.add_rigid(striker, 0.2).value();
        struct Moment {
            Vec3 linear, angular, centre;
            double energy, scale;
            Transform pose;
        };
        const auto now = [&] {
            const std::vector<BodyId> all(sim.bodies(plank).begin(), sim.bodies(plank).end());
            const Momentum sum = momentum_of(*engine, all);
            Vec3 centre = Vec3::Zero();
            for (const BodyId id : all) {
                centre += engine->mass(id).mass / sum.mass * engine->motion(id).centre_w;
            }
            return Moment{sum.linear,
                          sum.angular - centre.cross(sum.linear),
                          centre,
                          kinetic_energy(*engine, all),
                          sum.mass * (drift + 20.0) * (1.0 + centre.norm()),
                          engine->motion(all[0]).pose_w};
        };
        const auto check_stays = [&](const Moment& after, const Moment& before) {
            CHECK((after.linear - before.linear).norm() <= 1e-12 * before.scale);
            CHECK((after.angular - before.angular).norm() <= 1e-12 * before.scale);
            CHECK((after.centre - before.centre).norm() <= 1e-12 * (1.0 + before.centre.norm()));
            CHECK(after.energy <= before.energy * (1.0 + 1e-12));
        };
        bool has_woken = false, is_one = false;
        for (int i = 0; i < 960 && !is_one; ++i) {
            sim.before_engine_step(1.0 / 960);
            engine->step(1.0 / 960);
            const Moment before = now();
            const bool was_awake = sim.bodies(plank).size() > 1;
            has_woken = has_woken || was_awake;
            sim.after_engine_step(1.0 / 960);
            is_one = was_awake && sim.bodies(plank).size() == 1;
            if (!is_one) continue;
            check_stays(now(), before);
            CHECK((now().pose.translation - before.pose.translation).norm() <=
                  1e-12 * (1.0 + before.centre.norm()));
        }
        CHECK(has_woken);
        REQUIRE(is_one);
        double angle = 0.0;
        for (const Hit& hit : sim.journal(plank).hits()) angle += record_mark(hit.record).size;
        CHECK(angle > 20.0);

        // A bend by hand that changes next to nothing moves next to nothing.
        BendHit slight;
        slight.position_b = {-0.5, 0, 0};
        slight.angle_deg = 1e-5;
        REQUIRE(sim.schedule_hit(plank, sim.time(), 0.0, slight).ok());
        sim.before_engine_step(1.0 / 960);
        engine->step(1.0 / 960);
        const Moment before = now();
        sim.after_engine_step(1.0 / 960);
        check_stays(now(), before);
        CHECK((now().pose.translation - before.pose.translation).norm() < 1e-5);
        CHECK((now().pose.translation - before.pose.translation).norm() > 0.0);

        // Struck again, it falls apart as it was.
        const BodyMotion whole = engine->motion(sim.bodies(plank)[0]);
        const Vec3 up = whole.pose_w.direction(Vec3::UnitY());
        engine->set_motion(sim.bodies(ball)[0], {Quat::Identity(), whole.centre_w + 0.5 * up},
                           whole.velocity_w - 20.0 * up, Vec3::Zero());
        for (int i = 0; i < 96 && sim.bodies(plank).size() == 1; ++i) {
            const Moment whole_moment = now();
            sim.before_engine_step(1.0 / 960);
            if (sim.bodies(plank).size() > 1) check_stays(now(), whole_moment);
            engine->step(1.0 / 960);
            sim.after_engine_step(1.0 / 960);
        }
        CHECK(sim.bodies(plank).size() > 1);
    }
}

TEST_CASE("a replay of the record gives the same bits, and removing it straightens the body") {
    SupportedPlank p(plank_options(400.0), 5.0);
    p.run(0.7);
    const Journal& journal = p.sim.journal(p.plank);
    REQUIRE(journal.hits().size() >= 1);
    const auto points = p.sim.state(p.plank).points();
    const std::vector<Vec3> now(points.begin(), points.end());
    CHECK(shape_at(*p.shape, journal, p.sim.time()) == now);
    std::vector<Error> errors;
    const Journal again = journal_from_json(journal_to_json(journal), "", errors);
    CHECK(errors.empty());
    CHECK(shape_at(*p.shape, again, p.sim.time()) == now);
    // Before the impact it was as it had been.
    CHECK(shape_at(*p.shape, journal, 0.0) ==
          std::vector<Vec3>(p.shape->rest().begin(), p.shape->rest().end()));
    while (!journal.hits().empty()) {
        REQUIRE(p.sim.remove_hit(p.plank, journal.hits()[0].id));
    }
    p.sim.step(1.0 / 240);
    CHECK(std::equal(p.shape->rest().begin(), p.shape->rest().end(),
                     p.sim.state(p.plank).points().begin()));
}

TEST_CASE("who looks at a body while it bends sees its record, and changes nothing") {
    const auto hash_after = [](bool is_watched) {
        SupportedPlank p(plank_options(400.0), 5.0);
        bool is_right = true;
        for (int i = 0; i < 60; ++i) {
            p.sim.step(1.0 / 240);
            if (!is_watched) continue;
            const BodyState& seen = p.sim.state(p.plank);
            const std::vector<Vec3> replayed =
                shape_at(seen.shape(), p.sim.journal(p.plank), p.sim.time());
            is_right =
                is_right && std::equal(replayed.begin(), replayed.end(), seen.points().begin());
        }
        CHECK(is_right);
        CHECK(p.angle() > 0.1);
        p.run(0.3);
        CHECK(p.sim.bodies(p.plank).size() == 1);
        return p.sim.state_hash();
    };
    CHECK(hash_after(true) == hash_after(false));
}

TEST_CASE("an impact below the yield impulse wakes the plank and changes no bit of its shape") {
    BendOptions options = plank_options(400.0);
    options.yield_impulse = 500.0;
    SupportedPlank p(options, 3.0);
    p.run(0.5);
    CHECK(p.sim.report().wakings >= 1);
    CHECK(p.sim.journal(p.plank).is_empty());
    CHECK(std::equal(p.shape->rest().begin(), p.shape->rest().end(),
                     p.sim.state(p.plank).points().begin()));
    CHECK(p.sim.bodies(p.plank).size() == 1);
}

TEST_CASE("faster impacts bend more") {
    const std::shared_ptr<const BodyShape> shape = plank_shape(plank_options(600.0));
    double last = 0.0;
    for (const double speed : {2.0, 3.0, 4.5, 6.0}) {
        SupportedPlank p(shape, speed, 0.0);
        p.run(0.35);
        CHECK(p.angle() > last);
        last = p.angle();
    }
}

TEST_CASE("the angle hardly hangs on the rate or the phase of the steps") {
    const int phases = phase_count(2);
    check_rates(600.0, phases);
    if (phases <= 2) return;
    for (const double strength : {400.0, 800.0, 3000.0}) check_rates(strength, phases);
}

TEST_CASE("one thread, two and eight bend alike, and the books close") {
    const auto run = [](int threads) {
        ThreadLimit limit(threads);
        SupportedPlank p(plank_options(400.0), 5.0);
        for (int i = 0; i < 120; ++i) {
            p.sim.step(1.0 / 240);
            const EnergyLedger& ledger = p.sim.ledger();
            CHECK(std::abs(ledger.gap()) <= 1e-6 * std::max(1.0, ledger.now));
        }
        return p.sim.state_hash();
    };
    const std::uint64_t one = run(1);
    CHECK(one == run(2));
    CHECK(one == run(8));
}

TEST_CASE("an impact that nobody saw coming is counted and bends from the next step on") {
    SupportedPlank p(plank_options(400.0), 5.0);
    for (int i = 0; i < 24; ++i) {
        p.engine->step(1.0 / 240);
        p.sim.after_engine_step(1.0 / 240);
    }
    CHECK(p.sim.report().missed_impacts >= 1);
    CHECK(p.sim.bodies(p.plank).size() == 1);
    p.sim.step(1.0 / 240);
    CHECK(p.sim.report().wakings == 1);
}

TEST_CASE("a post that stands fast bends above its foot, and the foot stays") {
    BendOptions options = plank_options(300.0);
    options.bones = {{"foot", {0, -1.0, 0}, {0, -0.8, 0}, 0.0, true},
                     {"pole", {0, -0.8, 0}, {0, 1.0, 0}, 0.0, false}};
    const auto shape = bendable(solid(SolidKind::Cylinder, {0.1, 2.0, 0.1}, 0.05), 20.0, options);
    const auto engine = BulletEngine::make();
    Simulation sim(*engine, {});
    Transform pose;
    pose.translation = {0, 1.0, 0};
    DeformableDesc desc = body_desc("post", pose, Vec3::Zero());
    CHECK(!sim.add_deformable(desc, shape).ok());  // it could fall
    desc.motion = Motion::Static;
    const ObjectId post = sim.add_deformable(desc, shape).value();
    REQUIRE(sim.add_rigid(ball_desc(0.1, 7850, {-0.3, 1.3, 0}, {8, 0, 0}), 0.2).ok());
    for (int i = 0; i < 240; ++i) sim.step(1.0 / 240);
    CHECK(sim.report().incidents.empty());
    REQUIRE(sim.journal(post).hits().size() >= 1);
    CHECK(sim.bodies(post).size() == 1);
    CHECK(sim.motion(post).pose_w.translation == pose.translation);
    const auto points = sim.state(post).points();
    double tip = 0.0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        const Vec3& rest = shape->rest()[v];
        if (rest.y() < -0.95) CHECK(points[v] == rest);
        tip = std::max(tip, points[v].x() - rest.x());
    }
    CHECK(tip > 0.2);
}

TEST_CASE("at rest a body that bends is one, and sleeps") {
    SupportedPlank p(plank_options(2000.0), 3.0);
    p.run(5.0, 120.0);
    CHECK(p.sim.bodies(p.plank).size() == 1);
    CHECK(p.engine->motion(p.sim.body(p.plank)).is_asleep);
}

TEST_CASE("what was bent does not creep in ten seconds") {
    SupportedPlank p(plank_options(800.0), 4.0);
    p.run(4.0);  // the ball has rolled off it
    REQUIRE(p.sim.journal(p.plank).hits().size() >= 1);
    REQUIRE(p.sim.bodies(p.plank).size() == 1);
    const Transform before = p.sim.motion(p.plank).pose_w;
    const auto points = p.sim.state(p.plank).points();
    const std::vector<Vec3> shape(points.begin(), points.end());
    p.run(10.0, 60.0);
    const Transform after = p.sim.motion(p.plank).pose_w;
    CHECK((after.translation - before.translation).norm() < 0.001 * p.shape->size);
    CHECK(after.rotation.angularDistance(before.rotation) < 2e-3);
    CHECK(std::equal(shape.begin(), shape.end(), p.sim.state(p.plank).points().begin()));
}

TEST_CASE("steps are cut while a joint gives way, not while all hold") {
    SupportedPlank p(plank_options(400.0), 5.0);
    int cut = 0, held = 0;
    for (int i = 0; i < 240; ++i) {
        const bool was_awake = p.sim.bodies(p.plank).size() > 1;
        const std::int64_t before = p.sim.report().steps;
        p.sim.step(1.0 / 240);
        const std::int64_t parts = p.sim.report().steps - before;
        CHECK(parts <= 2);
        cut += parts == 2;
        held += was_awake && parts == 1;
    }
    REQUIRE(p.sim.bodies(p.plank).size() == 1);
    CHECK(cut > 10);
    CHECK(held > 10);
}

TEST_CASE("a bend that crosses itself is counted, one that does not is not") {
    // Bent over less than half its thickness times the angle, its inner side folds over.
    const auto beam = [](double blend_length) {
        BendOptions options = plank_options(100.0);
        options.blend_length = blend_length;
        return bendable(solid(SolidKind::Box, {2.0, 0.2, 0.2}, 0.04), 20.0, options);
    };
    SupportedPlank sharp(beam(0.1), 5.0, 0.0), mild(beam(0.8), 5.0, 0.0);
    for (SupportedPlank* p : {&sharp, &mild}) {
        p->run(1.0);
        REQUIRE(p->angle() > 1.2);
        REQUIRE(p->sim.bodies(p->plank).size() == 1);
    }
    CHECK(sharp.sim.self_crossings() > 0);
    CHECK(mild.sim.self_crossings() == 0);
}
