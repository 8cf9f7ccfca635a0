// SPDX-License-Identifier: MIT
// Bodies with a bone that slides, on Bullet: buffers that a ball runs into.
#include <ductile/core/parallel.h>
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/deform/journal_io.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> buffer_shape(const BoneSlide& slide) {
    BendOptions options;
    options.speed = 0.2;
    options.makes_joints = false;
    options.bones = {{"foot", {-0.5, 0, 0}, {-0.1, 0, 0}, 0.0, true},
                     {"head", {-0.1, 0, 0}, {0.5, 0, 0}}};
    options.bones[1].slide = slide;
    const auto layer = make_layer(options, LayerFiles{});
    REQUIRE(layer.ok());
    const auto shape =
        make_body_shape(solid(SolidKind::Box, {1.0, 0.2, 0.2}, 0.05),
                        {.material = find_material("steel").value(), .mass = 4.0}, {layer.value()});
    if (!shape) FAIL(shape.error().text());
    return shape.value();
}

/// A buffer that stands fast by its foot, and a ball of 33 kg that comes along x against its head.
struct StruckBuffer {
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> sim;
    std::shared_ptr<const BodyShape> shape;
    ObjectId buffer, ball;

    StruckBuffer(const BoneSlide& slide, double speed) : shape(buffer_shape(slide)) {
        BulletOptions options;
        options.gravity = Vec3::Zero();
        engine = BulletEngine::make(options);
        sim = std::make_unique<Simulation>(*engine, SimOptions{});
        DeformableDesc desc = body_desc("buffer", Transform{}, Vec3::Zero());
        desc.motion = Motion::Static;
        desc.restitution = 0.0;
        buffer = sim->add_deformable(desc, shape).value();
        BodyDesc striker = ball_desc(0.1, 7850, {0.62, 0, 0}, {-speed, 0, 0});
        striker.restitution = 0.0;
        ball = sim->add_rigid(striker, 0.2).value();
    }
    /// Returns the furthest that the head went in.
    double run(double seconds, double rate = 240.0) {
        double furthest = 0.0;
        for (int i = 0; i < static_cast<int>(std::lround(seconds * rate)); ++i) {
            sim->step(1.0 / rate);
            furthest = std::max(furthest, -head());
        }
        return furthest;
    }
    /// How far the middle of the head's face has moved along x.
    double head() const {
        const auto points = sim->state(buffer).points();
        double sum = 0.0;
        int count = 0;
        for (std::size_t v = 0; v < points.size(); ++v) {
            if (shape->rest()[v].x() < 0.49) continue;
            sum += points[v].x() - shape->rest()[v].x();
            ++count;
        }
        return sum / count;
    }
};

constexpr BoneSlide kSpringy{.stiffness = 4e4, .damping = 300.0, .limit = 0.3};

}  // namespace

TEST_CASE("a buffer on a spring takes an impact and comes back, and is one body again") {
    StruckBuffer b(kSpringy, 2.0);
    const double mass = b.engine->mass(b.sim->body(b.ball)).mass;
    const double furthest = b.run(3.0);
    // The energy that ball and head share after an impact without rebound, in the spring.
    CHECK(furthest > 0.3 * 2.0 * std::sqrt(mass / 4e4));
    CHECK(furthest < 1.0 * 2.0 * std::sqrt(mass / 4e4));
    CHECK(b.sim->report().incidents.empty());
    CHECK(b.sim->report().missed_impacts == 0);
    CHECK(b.sim->bodies(b.buffer).size() == 1);
    CHECK(std::abs(b.head()) < 1e-3);
    CHECK(b.engine->motion(b.sim->body(b.ball)).velocity_w.x() > 0.3);
    const auto points = b.sim->state(b.buffer).points();
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (b.shape->rest()[v].x() < -0.45) CHECK(points[v] == b.shape->rest()[v]);
    }
}

TEST_CASE("a buffer that is struck harder than its spring bears stays pushed in") {
    BoneSlide slide = kSpringy;
    slide.force = 2000.0;
    StruckBuffer soft(slide, 0.5), hard(slide, 4.0), harder(slide, 6.0);
    for (StruckBuffer* b : {&soft, &hard, &harder}) {
        b->run(3.0);
        CHECK(b->sim->bodies(b->buffer).size() == 1);
        CHECK(b->sim->report().incidents.empty());
    }
    CHECK(std::abs(soft.head()) < 1e-3);
    CHECK(hard.head() < -0.03);
    CHECK(harder.head() < hard.head() - 0.02);
    // It went straight: nothing turned.
    const auto points = hard.sim->state(hard.buffer).points();
    for (std::size_t v = 0; v < points.size(); ++v) {
        CHECK((points[v] - hard.shape->rest()[v]).tail<2>().norm() < 1e-12);
    }
}

TEST_CASE("a buffer without a spring is pushed in by m v^2 / 2 F, the same at any rate") {
    const BoneSlide crushed{.force = 3000.0, .limit = 0.4};
    for (const double rate : {60.0, 240.0, 1000.0}) {
        StruckBuffer b(crushed, 4.0);
        const double mass = b.engine->mass(b.sim->body(b.ball)).mass;
        b.run(1.0, rate);
        // Struck without rebound, ball and head go on together with the ball's momentum.
        const double head = 4.0 * 0.6;
        const double expected = 0.5 * 16.0 * mass * mass / (mass + head) / 3000.0;
        CAPTURE(rate);
        CHECK(test::near(-b.head(), expected, 0.1));
    }
}

TEST_CASE("a buffer whose spring is too stiff for any step is pushed in as one without") {
    const BoneSlide crushed{.force = 3000.0, .limit = 0.4};
    BoneSlide stiff = crushed;
    stiff.stiffness = 1e12;
    stiff.damping = 1e3;
    for (const double rate : {60.0, 240.0, 1000.0}) {
        StruckBuffer plain(crushed, 4.0), sprung(stiff, 4.0);
        plain.run(1.0, rate);
        sprung.run(1.0, rate);
        CAPTURE(rate);
        CHECK(test::near(sprung.head(), plain.head(), 1e-6));
        CHECK(sprung.sim->bodies(sprung.buffer).size() == 1);
    }
}

TEST_CASE("a buffer stops at the end of its way, also after several impacts") {
    BoneSlide slide{.force = 1000.0, .limit = 0.12};
    StruckBuffer b(slide, 5.0);
    const double furthest = b.run(0.5);
    CHECK(test::near(furthest, 0.12, 0.05));
    const auto again = b.sim->add_rigid(ball_desc(0.1, 7850, {0.9, 0, 0}, {-5, 0, 0}), 0.2);
    REQUIRE(again.ok());
    CHECK(b.run(0.5) < 0.13);
}

TEST_CASE("a replay of a slide gives the same bits, and removing it brings the head back") {
    BoneSlide slide = kSpringy;
    slide.force = 2000.0;
    StruckBuffer b(slide, 4.0);
    b.run(0.05);
    for (const double seconds : {0.0, 1.0}) {
        b.run(seconds);
        const Journal& journal = b.sim->journal(b.buffer);
        REQUIRE(journal.hits().size() >= 1);
        const auto points = b.sim->state(b.buffer).points();
        const std::vector<Vec3> now(points.begin(), points.end());
        CHECK(shape_at(*b.shape, journal, b.sim->time()) == now);
        std::vector<Error> errors;
        const Journal read = journal_from_json(journal_to_json(journal), "", errors);
        CHECK(errors.empty());
        CHECK(shape_at(*b.shape, read, b.sim->time()) == now);
    }
    const Journal& journal = b.sim->journal(b.buffer);
    while (!journal.hits().empty()) {
        REQUIRE(b.sim->remove_hit(b.buffer, journal.hits()[0].id));
    }
    b.sim->step(1.0 / 240);
    CHECK(std::equal(b.shape->rest().begin(), b.shape->rest().end(),
                     b.sim->state(b.buffer).points().begin()));
}

TEST_CASE("one thread, two and eight slide alike, and the books close") {
    const auto run = [](int threads) {
        ThreadLimit limit(threads);
        BoneSlide slide = kSpringy;
        slide.force = 2000.0;
        StruckBuffer b(slide, 4.0);
        for (int i = 0; i < 120; ++i) {
            b.sim->step(1.0 / 240);
            const EnergyLedger& ledger = b.sim->ledger();
            CHECK(std::abs(ledger.gap()) <= 1e-6 * std::max(1.0, ledger.now));
        }
        return b.sim->state_hash();
    };
    const std::uint64_t one = run(1);
    CHECK(one == run(2));
    CHECK(one == run(8));
}
