// SPDX-License-Identifier: MIT
// The step on the scripted engine: impacts in, shapes out, no physics.
#include <ductile/core/parallel.h>
#include <ductile/deform/deformer.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

struct SteppedWorld {
    ScriptedEngine engine;
    Simulation sim;
    ObjectId ball, target;

    explicit SteppedWorld(std::shared_ptr<const BodyShape> shape, const SimOptions& options = {})
        : sim(engine, options) {
        ball = sim.add_rigid(ball_desc(0.2, 7850, {0.49, 0, 0}, Vec3::Zero()), 0.7).value();
        target =
            sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), std::move(shape)).value();
    }
    /// The ball strikes the barrel's side from +x at height y.
    void strike(double time, double speed, double y = 0.0) {
        Transform beside;
        beside.translation = {0.49, y, 0};
        engine.set_motion(sim.body(ball), beside, Vec3::Zero(), Vec3::Zero());
        engine.script({.time = time,
                       .a = sim.body(ball),
                       .b = sim.body(target),
                       .point_w = {0.29, y, 0},
                       .normal_w = {-1, 0, 0},
                       .velocity_w = {-speed, 0, 0}});
    }
};

}  // namespace

TEST_CASE("a hit below yield leaves the body untouched, bit for bit") {
    SteppedWorld w(barrel());
    w.strike(0.01, 0.3);
    const std::vector<Vec3> before(w.sim.state(w.target).points().begin(),
                                   w.sim.state(w.target).points().end());
    for (int i = 0; i < 4; ++i) w.sim.step(0.01);
    CHECK(w.sim.report().hits == 0);
    CHECK(std::equal(before.begin(), before.end(), w.sim.state(w.target).points().begin()));
    CHECK(w.sim.state(w.target).revision() == 0);
}

TEST_CASE("a hard hit dents the body where it fell and keeps every point within its limits") {
    SteppedWorld w(barrel());
    w.strike(0.01, 6.0, 0.1);
    for (int i = 0; i < 4; ++i) w.sim.step(0.01);
    REQUIRE(w.sim.journal(w.target).hits().size() == 1);
    const DentHit& hit = std::get<DentHit>(w.sim.journal(w.target).hits()[0].record);
    CHECK(hit.depth > 0.01);
    // A scripted ball touches along its box: the middle of what touches is somewhere near.
    CHECK((hit.position_b - Vec3(0.29, 0.1, 0)).norm() < 0.08);
    CHECK(hit.direction_b.x() < -0.9);
    const std::vector<double> moved =
        displacement(w.sim.state(w.target).points(), w.sim.state(w.target).shape().rest());
    double deepest = 0.0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        CHECK(moved[i] <= hit.depth * (1 + 1e-12));
        deepest = std::max(deepest, moved[i]);
    }
    CHECK(deepest > 0.7 * hit.depth);
}

TEST_CASE("hits beyond the budget wait their turn and none is lost") {
    SimOptions options;
    options.hit_budget = 2;
    SteppedWorld w(barrel(), options);
    for (int i = 0; i < 7; ++i) {
        DentHit dent;
        dent.position_b = {0.29, 0.1 * (i - 3), 0};
        dent.direction_b = {-1, 0, 0};
        REQUIRE(w.sim.schedule_hit(w.target, 0.005, 0.0, dent).ok());
    }
    w.sim.step(0.01);
    CHECK(w.sim.report().hits == 2);
    CHECK(w.sim.report().waiting == 5);
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    CHECK(w.sim.report().hits == 7);
    CHECK(w.sim.report().waiting == 0);
    CHECK(w.sim.report().most_waiting == 5);
}

TEST_CASE("replaying the journal gives the same bits as the run, at any time") {
    DentOptions slow;
    slow.duration = 0.035;
    slow.exaggerate = 10.0;
    SteppedWorld w(barrel(slow));
    w.strike(0.01, 6.0, 0.1);
    w.strike(0.05, 4.0, -0.2);
    w.strike(0.13, 8.0, 0.12);
    for (int i = 0; i < 25; ++i) {
        w.sim.step(0.01);
        if (i == 15) REQUIRE(w.sim.repair(w.target, 0.4, 0.05).ok());
        const BodyState& state = w.sim.state(w.target);
        const std::vector<Vec3> replayed =
            shape_at(state.shape(), w.sim.journal(w.target), w.sim.time());
        REQUIRE(std::equal(replayed.begin(), replayed.end(), state.points().begin()));
    }
    CHECK(w.sim.journal(w.target).hits().size() == 3);
}

TEST_CASE("a removed hit leaves the shape as if it had never been") {
    SteppedWorld with(barrel()), without(barrel());
    DentHit first, second;
    first.position_b = {0.29, 0.1, 0};
    first.direction_b = {-1, 0, 0};
    second = first;
    second.position_b.y() = 0.15;
    REQUIRE(with.sim.schedule_hit(with.target, 0.0, 0.0, first).ok());
    for (SteppedWorld* w : {&with, &without}) {
        REQUIRE(w->sim.schedule_hit(w->target, 0.02, 0.0, second).ok());
        for (int i = 0; i < 4; ++i) w->sim.step(0.01);
    }
    CHECK(with.sim.shape_hash() != without.sim.shape_hash());
    CHECK(with.sim.remove_hit(with.target, 1));
    CHECK_FALSE(with.sim.remove_hit(with.target, 1));
    with.sim.step(0.01);
    without.sim.step(0.01);
    CHECK(with.sim.shape_hash() == without.sim.shape_hash());
}

TEST_CASE("a full repair gives back the rest shape, bit for bit") {
    SteppedWorld w(barrel());
    w.strike(0.01, 6.0);
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    REQUIRE(w.sim.repair(w.target, 1.0, 0.05).ok());
    for (int i = 0; i < 10; ++i) w.sim.step(0.01);
    const BodyState& state = w.sim.state(w.target);
    CHECK(std::equal(state.points().begin(), state.points().end(), state.shape().rest().begin()));
}

TEST_CASE("impacts may be grouped by no reach at all") {
    SimOptions options;
    options.impacts.patch_share = 0.0;
    SteppedWorld w(barrel(), options);
    w.strike(0.01, 6.0);
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    CHECK(w.sim.report().impacts > 0);
    for (const Vec3& p : w.sim.state(w.target).points()) REQUIRE(p.allFinite());
}

TEST_CASE("senseless hits are refused") {
    SteppedWorld w(barrel());
    DentHit nan;
    nan.depth = std::nan("");
    CHECK_FALSE(w.sim.schedule_hit(w.target, 0, 0, nan).ok());
    CHECK_FALSE(w.sim.schedule_hit(w.ball, 0, 0, DentHit{}).ok());
}

TEST_CASE("a hit that turns a solid inside out is taken back, and the run goes on") {
    DentHit fine;
    fine.position_b = {0.29, 0, 0};
    fine.direction_b = {-1, 0, 0};
    fine.depth = 0.02;
    fine.radius = 0.1;
    DentHit through = fine;
    through.depth = 50.0;
    // A layer is trusted to have guarded what it decides on. This one has not.
    struct Careless final : Deformer {
        DentHit hit;
        std::string_view name() const override { return "careless"; }
        double yield_speed(const BodyShape&) const override { return 0.5; }
        void respond(const BodyImpact&, const StruckBody&, Response& response) const override {
            response.records.push_back(hit);
        }
    };
    auto careless = std::make_shared<Careless>();
    careless->hit = through;
    SteppedWorld w(make_body_shape(solid(SolidKind::Box, Vec3(0.58, 0.58, 0.58)),
                                   {.material = find_material("steel").value()}, {careless})
                       .value());
    REQUIRE(w.sim.schedule_hit(w.target, 0.0, 0, fine).ok());
    for (int i = 0; i < 2; ++i) w.sim.step(0.01);
    const std::uint64_t good = w.sim.shape_hash();
    CHECK(w.sim.report().fallbacks == 0);

    w.strike(0.025, 6.0);
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    CHECK(w.sim.report().fallbacks == 1);
    REQUIRE(w.sim.report().incidents.size() == 1);
    CHECK(w.sim.journal(w.target).hits().size() == 1);
    CHECK(w.sim.shape_hash() == good);

    fine.position_b.y() = 0.05;
    REQUIRE(w.sim.schedule_hit(w.target, w.sim.time(), 0, fine).ok());
    for (int i = 0; i < 2; ++i) w.sim.step(0.01);
    CHECK(w.sim.shape_hash() != good);
    CHECK(w.sim.report().fallbacks == 1);
}

TEST_CASE("a record that no journal can hold is left out, with all it asks for, and told of") {
    struct Boundless final : Deformer {
        std::string_view name() const override { return "boundless"; }
        double yield_speed(const BodyShape&) const override { return 0.5; }
        void respond(const BodyImpact& impact, const StruckBody&,
                     Response& response) const override {
            DentHit hit;
            hit.position_b = impact.point_b;
            hit.direction_b = -impact.normal_b;
            hit.radius = 1e7;
            response.records.push_back(hit);
            response.requests.push_back(LowerRebound{0.0});
        }
    };
    SteppedWorld w(make_body_shape(solid(SolidKind::Box, Vec3(0.58, 0.58, 0.58)),
                                   {.material = find_material("steel").value()},
                                   {std::make_shared<Boundless>()})
                       .value());
    const std::uint64_t good = w.sim.shape_hash();
    w.strike(0.025, 6.0);
    for (int i = 0; i < 5; ++i) {
        w.sim.step(0.01);
        CHECK(w.sim.hit_events().empty());
    }
    CHECK(w.sim.journal(w.target).is_empty());
    CHECK(w.sim.shape_hash() == good);
    CHECK(w.sim.report().hits == 0);
    CHECK(w.sim.report().fallbacks == 1);
    REQUIRE(w.sim.report().incidents.size() == 1);
    CHECK(w.sim.report().incidents[0].body == "barrel");
    CHECK(w.sim.report().incidents[0].what.find("10000000 is outside the range") !=
          std::string::npos);
    CHECK_FALSE(w.sim.repair(w.target, 1.0, kInfinity).ok());
    DentHit far;
    far.position_b.x() = 1e10;
    CHECK(w.sim.schedule_hit(w.target, 1.0, 0.0, far).error().where == "/dent/position/0");
}

TEST_CASE("the run does not depend on the number of threads") {
    std::vector<std::uint64_t> hashes;
    for (int threads : {1, 2, 8}) {
        ThreadLimit limit(threads);
        ScriptedEngine engine;
        Simulation sim(engine, {});
        const auto shape = barrel();
        for (int i = 0; i < 12; ++i) {
            const double y = 0.03 * i;
            const ObjectId ball =
                sim.add_rigid(ball_desc(0.2, 7850, {0.49, y, 0}, Vec3::Zero()), 0.7).value();
            const ObjectId struck =
                sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
            engine.script({.time = 0.01 + 0.005 * i,
                           .a = sim.body(ball),
                           .b = sim.body(struck),
                           .point_w = {0.29, y, 0},
                           .normal_w = {-1, 0, 0},
                           .velocity_w = {-4.0 - i, 0, 0}});
        }
        for (int i = 0; i < 12; ++i) sim.step(0.01);
        CHECK(sim.report().hits == 12);
        hashes.push_back(sim.state_hash());
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
}

TEST_CASE(
    "a hit by hand is placed in the world, or on the surface, and says if it touches nothing") {
    DentHit hit;
    hit.depth = 0.02;
    hit.radius = 0.1;
    const auto deepest = [](const SteppedWorld& w) {
        const BodyState& state = w.sim.state(w.target);
        std::size_t found = 0;
        for (std::size_t v = 0; v < state.points().size(); ++v) {
            const auto moved = [&](std::size_t i) {
                return (state.points()[i] - state.shape().rest()[i]).norm();
            };
            if (moved(v) > moved(found)) found = v;
        }
        return Vec3(state.shape().rest()[found]);
    };
    // Turned by a quarter about y and moved: what is at +z in the world is elsewhere on the body.
    const Transform pose{Quat(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitY())), Vec3(7, 1, 2)};
    for (const bool is_on_surface : {false, true}) {
        SteppedWorld w(barrel());
        w.engine.set_motion(w.sim.body(w.target), pose, Vec3::Zero(), Vec3::Zero());
        hit.position_b = pose.translation + Vec3(0, 0, is_on_surface ? 0.6 : 0.29);
        hit.direction_b = {0, 0, -1};
        REQUIRE(w.sim.schedule_hit(w.target, 0.01, 0, hit, {true, is_on_surface}).ok());
        for (int i = 0; i < 3; ++i) w.sim.step(0.01);
        REQUIRE(w.sim.report().hits == 1);
        CHECK((pose.point(deepest(w)) - pose.translation).normalized().z() > 0.98);
    }
    SteppedWorld w(barrel());
    hit.position_b = {0, 0, 3};
    REQUIRE(w.sim.schedule_hit(w.target, 0.01, 0, hit).ok());
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    CHECK(w.sim.report().hits == 0);
    REQUIRE(w.sim.report().incidents.size() == 1);
    CHECK(w.sim.report().incidents[0].what.find("touches nothing") != std::string::npos);
    CHECK(w.sim.report().incidents[0].what.find("is_on_surface") != std::string::npos);
}
