// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/live_layer.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/bullet_tolerance.h>
#include <support/near.h>

#include <charconv>
#include <cmath>
#include <cstring>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A particle on a damped spring to a place of a body: a state that no journal holds.
class SpringParticle final : public LiveLayer {
public:
    SpringParticle(BodyId body, const Vec3& place_w, double longest)
        : body_(body), place_w_(place_w), longest_(longest) {}

    std::string_view name() const override { return "spring"; }
    double longest_part() const override { return is_awake ? longest_ : kInfinity; }
    void advance(double dt, RigidQueries& bodies) override {
        ++parts;
        longest_seen = std::max(longest_seen, dt);
        // The particle is pulled towards its place; the body feels the opposite.
        const Vec3 force = -80.0 * offset - 0.5 * velocity;
        velocity += dt * force / 0.2;
        offset += dt * velocity;
        bodies.apply_impulse(body_, -dt * force, place_w_);
    }
    void add_to(Hasher& hasher) const override {
        hasher.add(offset);
        hasher.add(velocity);
    }
    std::string save() const override {
        std::string bytes(2 * sizeof(Vec3), '\0');
        std::memcpy(bytes.data(), offset.data(), sizeof(Vec3));
        std::memcpy(bytes.data() + sizeof(Vec3), velocity.data(), sizeof(Vec3));
        return bytes;
    }
    Status load(std::string_view text) override {
        if (text.size() != 2 * sizeof(Vec3)) return Error{"not a spring's state", "", ""};
        std::memcpy(offset.data(), text.data(), sizeof(Vec3));
        std::memcpy(velocity.data(), text.data() + sizeof(Vec3), sizeof(Vec3));
        return {};
    }

    Vec3 offset = Vec3(0.1, 0, 0), velocity = Vec3::Zero();
    bool is_awake = true;
    int parts = 0;
    double longest_seen = 0.0;

private:
    BodyId body_;
    Vec3 place_w_;
    double longest_;
};

struct LiveWorld {
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> sim;
    ObjectId ball;
    std::shared_ptr<SpringParticle> spring;

    explicit LiveWorld(double longest) {
        BulletOptions options;
        options.gravity = Vec3::Zero();
        engine = BulletEngine::make(options);
        sim = std::make_unique<Simulation>(*engine, SimOptions{});
        ball = sim->add_rigid(ball_desc(0.2, 1000, Vec3::Zero(), Vec3::Zero()), 0.4).value();
        spring = std::make_shared<SpringParticle>(sim->body(ball), Vec3::Zero(), longest);
        sim->add_live_layer(spring);
    }
};

}  // namespace

TEST_CASE("a step is cut into parts that every live layer can take, live layers first") {
    LiveWorld w(1.0 / 960);
    w.sim->step(1.0 / 60);
    CHECK(w.spring->parts == 16);
    CHECK(test::near(w.spring->longest_seen, 1.0 / 960, 1e-12));
    CHECK(test::near(w.sim->time(), 1.0 / 60, 1e-12));
    CHECK(w.sim->report().steps == 16);
    LiveWorld fine(1.0);
    fine.sim->step(1.0 / 60);
    CHECK(fine.spring->parts == 1);
}

TEST_CASE("what a live layer gives to a body it loses itself, and the books close") {
    LiveWorld w(1.0 / 960);
    double worst = 0.0;
    for (int i = 0; i < 120; ++i) {
        w.sim->step(1.0 / 60);
        const Vec3 momentum =
            w.engine->mass(w.sim->body(w.ball)).mass * w.sim->motion(w.ball).velocity_w +
            0.2 * w.spring->velocity;
        worst = std::max(worst, momentum.norm());
        CHECK(std::abs(w.sim->ledger().gap()) < 1e-9);
    }
    CHECK(w.sim->motion(w.ball).pose_w.translation.norm() > 1e-5);
    CHECK(worst < tolerance(1e-12, 1e-6));
}

TEST_CASE("a live layer at rest is not advanced, and wakes nothing") {
    LiveWorld w(1.0 / 960);
    w.spring->is_awake = false;
    w.sim->step(1.0 / 60);
    CHECK(w.spring->parts == 0);
    CHECK(w.sim->report().steps == 1);
    CHECK(w.sim->motion(w.ball).velocity_w.isZero());
}

TEST_CASE("live layers are part of the hash, and are saved and loaded to the bit") {
    LiveWorld a(1.0 / 480), b(1.0 / 480);
    for (int i = 0; i < 30; ++i) a.sim->step(1.0 / 60);
    CHECK(a.sim->state_hash() != b.sim->state_hash());
    const BodyMotion m = a.sim->motion(a.ball);
    b.engine->set_motion(b.sim->body(b.ball), m.pose_w, m.velocity_w, m.spin_w);
    CHECK(a.sim->state_hash() != b.sim->state_hash());
    REQUIRE(b.spring->load(a.spring->save()).ok());
    CHECK(a.sim->state_hash() == b.sim->state_hash());
    CHECK_FALSE(b.spring->load("x").ok());
}

TEST_CASE("a host that steps its own world advances live layers before, answers after") {
    LiveWorld whole(1.0 / 60), parts(1.0 / 60);
    for (int i = 0; i < 30; ++i) {
        whole.sim->step(1.0 / 60);
        parts.sim->before_engine_step(1.0 / 60);
        parts.engine->step(1.0 / 60);
        parts.sim->after_engine_step(1.0 / 60);
    }
    CHECK(whole.sim->state_hash() == parts.sim->state_hash());
}
