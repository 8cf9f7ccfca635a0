// SPDX-License-Identifier: MIT
// What several layers make of impacts: shares, requests, the queue, events, data.
#include <ductile/deform/layers.h>
#include <ductile/engine/scripted_engine.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A layer that leaves a round dent where it is struck, with what a test asks of it.
struct TestLayer final : Deformer {
    /// How far each point lies from the axis: prepared once.
    struct Radii final : LayerData {
        std::vector<double> radii;
    };
    std::string layer_name = "test";
    double share = 1.0;
    int rank = 0;
    double lowest_speed = 1.0;
    std::vector<Request> requests;
    double depth = 0.01;  ///< Of its dents [m].
    mutable std::vector<BodyImpact> seen;
    mutable int preparations = 0;
    mutable int calls = 0;

    std::string_view name() const override { return layer_name; }
    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        ++preparations;
        auto data = std::make_shared<Radii>();
        for (const Vec3& p : rest.rest()) data->radii.push_back(std::hypot(p.x(), p.z()));
        return std::shared_ptr<const LayerData>(std::move(data));
    }
    double yield_speed(const BodyShape&) const override { return lowest_speed; }
    int priority() const override { return rank; }
    double wanted_share(const BodyImpact&, const StruckBody&) const override { return share; }
    void respond(const BodyImpact& impact, const StruckBody& body,
                 Response& response) const override {
        seen.push_back(impact);
        REQUIRE(body.data);
        REQUIRE(static_cast<const Radii*>(body.data)->radii.size() == body.shape.rest().size());
        DentHit hit;
        hit.position_b = impact.point_b;
        hit.direction_b = -impact.normal_b;
        hit.depth = depth * impact.energy_share;
        response.records.push_back(hit);
        response.requests = requests;
    }
    void respond_all(std::span<const BodyImpact> impacts, const StruckBody& body,
                     std::span<Response> responses) const override {
        ++calls;
        Deformer::respond_all(impacts, body, responses);
    }
};

struct LayeredWorld {
    ScriptedEngine engine;
    Simulation sim;
    ObjectId ball, target;

    LayeredWorld(std::vector<std::shared_ptr<const Deformer>> rules, const SimOptions& options = {})
        : sim(engine, options) {
        ball = sim.add_rigid(ball_desc(0.2, 7850, {0.49, 0, 0}, Vec3::Zero()), 0.7).value();
        const auto shape =
            make_body_shape(solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585)),
                            {.material = find_material("steel").value(), .thickness = 0.0012},
                            std::move(rules))
                .value();
        target = sim.add_deformable(body_desc("barrel", {}, Vec3::Zero()), shape).value();
    }
    void strike(double time, double speed, double y = 0.0, const Vec3& side = Vec3::UnitX()) {
        Transform beside;
        beside.translation = 0.49 * side + Vec3(0, y, 0);
        engine.set_motion(sim.body(ball), beside, Vec3::Zero(), Vec3::Zero());
        engine.script({.time = time,
                       .a = sim.body(ball),
                       .b = sim.body(target),
                       .point_w = 0.29 * side + Vec3(0, y, 0),
                       .normal_w = -side,
                       .velocity_w = -speed * side});
    }
};

}  // namespace

TEST_CASE("layers share an impact by priority, and the shares never sum to more than all") {
    auto first = std::make_shared<TestLayer>(), second = std::make_shared<TestLayer>(),
         third = std::make_shared<TestLayer>();
    first->layer_name = "first";
    first->share = 0.5;
    second->layer_name = "second";
    second->share = 0.75;
    second->rank = 1;  // it chooses before the one that stands before it
    third->layer_name = "third";
    LayeredWorld w({first, second, third});
    w.strike(0.01, 6.0);
    w.sim.step(0.02);
    REQUIRE(second->seen.size() == 1);
    REQUIRE(first->seen.size() == 1);
    CHECK(third->seen.empty());  // nothing was left
    CHECK(second->seen[0].energy_share == 0.75);
    CHECK(first->seen[0].energy_share == 0.25);
    // Energy goes with the square of the impulse.
    const double whole = w.sim.impacts()[0].damage_impulse;
    CHECK(test::near(first->seen[0].damage_impulse, 0.5 * whole, 1e-12));
    const std::vector<LayerEnergy>& books = w.sim.ledger().layers;
    REQUIRE(books.size() == 2);
    const Impact& impact = w.sim.impacts()[0];
    const double energy =
        0.5 * impact.effective_mass * impact.approach_speed * impact.approach_speed;
    CHECK(books[0].layer == "first");
    CHECK(test::near(books[0].energy, 0.25 * energy, 1e-9));
    CHECK(test::near(books[1].energy, 0.75 * energy, 1e-9));
}

TEST_CASE("the layer that yields first decides whether an impact is looked at") {
    auto hard = std::make_shared<TestLayer>(), soft = std::make_shared<TestLayer>();
    hard->lowest_speed = 50.0;
    soft->lowest_speed = 0.6;
    LayeredWorld alone({hard}), both({hard, soft});
    for (LayeredWorld* w : {&alone, &both}) {
        w->strike(0.01, 2.0);
        w->sim.step(0.02);
    }
    CHECK(alone.sim.report().impacts == 0);
    CHECK(both.sim.report().impacts == 1);
}

TEST_CASE("data is prepared once per body, and a step asks a layer once for all its impacts") {
    auto layer = std::make_shared<TestLayer>();
    LayeredWorld w({layer});
    CHECK(layer->preparations == 1);
    REQUIRE(w.sim.state(w.target).shape().data<TestLayer::Radii>());
    w.strike(0.01, 6.0, 0.2);
    const ObjectId second =
        w.sim.add_rigid(ball_desc(0.2, 7850, {-0.49, -0.2, 0}, Vec3::Zero()), 0.7).value();
    w.engine.script({.time = 0.01,
                     .a = w.sim.body(w.target),
                     .b = w.sim.body(second),
                     .point_w = {-0.29, -0.2, 0},
                     .normal_w = {-1, 0, 0},
                     .velocity_w = {-6, 0, 0}});
    w.sim.step(0.02);
    CHECK(w.sim.impacts().size() == 2);
    CHECK(layer->calls == 1);
    CHECK(w.sim.journal(w.target).hits().size() == 2);
}

TEST_CASE("a hit that waits has no effect before it is written") {
    auto layer = std::make_shared<TestLayer>();
    layer->requests = {FollowShape{0.02}, LowerRebound{0.0}};
    SimOptions options;
    options.hit_budget = 1;
    LayeredWorld w({layer}, options);
    DentHit by_hand;
    by_hand.position_b = {0, 0, 0.29};
    by_hand.direction_b = {0, 0, -1};
    // Two hits of before keep the queue busy for two steps.
    REQUIRE(w.sim.schedule_hit(w.target, 0.005, 0.0, by_hand).ok());
    REQUIRE(w.sim.schedule_hit(w.target, 0.005, 0.0, by_hand).ok());
    w.sim.step(0.01);
    CHECK(w.sim.report().waiting == 1);
    w.strike(0.015, 6.0);
    w.sim.step(0.01);
    REQUIRE(w.sim.impacts().size() == 1);
    CHECK(w.sim.report().waiting == 1);  // what the impact left
    const BodyMotion waiting = w.sim.motion(w.ball), struck = w.sim.motion(w.target);
    const double parting = (w.engine.velocity_at(w.sim.body(w.ball), {0.29, 0, 0}) -
                            w.engine.velocity_at(w.sim.body(w.target), {0.29, 0, 0}))
                               .x();
    CHECK(test::near(parting, 0.2 * 6.0, 1e-3));  // the whole rebound
    w.sim.step(0.01);
    CHECK(w.sim.report().waiting == 0);
    // Towards each other, each by its share of the mass.
    const Vec3 moved =
        w.sim.motion(w.ball).centre_w - (waiting.centre_w + 0.01 * waiting.velocity_w);
    const Vec3 met = w.sim.motion(w.target).centre_w - (struck.centre_w + 0.01 * struck.velocity_w);
    CHECK(test::near((met - moved).norm(), 0.02, 1e-6));
    CHECK(moved.x() < 0);
    CHECK((w.engine.mass(w.sim.body(w.ball)).mass * moved +
           w.engine.mass(w.sim.body(w.target)).mass * met)
              .norm() < 1e-9);
    CHECK(w.sim.motion(w.ball).velocity_w.x() < waiting.velocity_w.x());
}

TEST_CASE("a hit that waited is guarded against the surface it then meets") {
    // A layer that does not guard what it decides on: its dent goes through the whole barrel.
    const auto written = [](std::int32_t waiting) {
        auto layer = std::make_shared<TestLayer>();
        layer->depth = 0.7;
        SimOptions options;
        options.hit_budget = 1;
        LayeredWorld w({layer}, options);
        DentHit by_hand;
        by_hand.position_b = {0, 0, 0.29};
        by_hand.direction_b = {0, 0, -1};
        for (std::int32_t i = 0; i < waiting; ++i) {
            REQUIRE(w.sim.schedule_hit(w.target, 0.005, 0.0, by_hand).ok());
        }
        if (waiting > 0) w.sim.step(0.01);
        w.strike(w.sim.time() + 0.005, 6.0);
        for (int i = 0; i < 4; ++i) w.sim.step(0.01);
        REQUIRE(w.sim.report().waiting == 0);
        return std::get<DentHit>(w.sim.journal(w.target).hits().back().record);
    };
    // Written in the step in which it was decided: trusted.
    CHECK(written(0).depth == 0.7);
    CHECK(written(0).fade == 0.0);
    const DentHit guarded = written(2);
    CHECK((guarded.depth < 0.7 || guarded.fade > 0.0));
}

TEST_CASE("hits are told of as they are written, with the impact that made them") {
    auto layer = std::make_shared<TestLayer>();
    LayeredWorld w({layer});
    std::vector<HitEvent> events;
    std::uint64_t revision = 0;
    w.sim.on_hit([&](const HitEvent& event) {
        events.push_back(event);
        revision = w.sim.state(event.object).revision();  // the shape is up to date by now
    });
    DentHit by_hand;
    by_hand.position_b = {0, 0, 0.29};
    by_hand.direction_b = {0, 0, -1};
    REQUIRE(w.sim.schedule_hit(w.target, 0.005, 0.0, by_hand).ok());
    w.strike(0.025, 6.0);
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    REQUIRE(events.size() == 2);
    CHECK(events[0].object == w.target);
    CHECK(events[0].hit == 1);
    CHECK_FALSE(events[0].impact);
    REQUIRE(events[1].impact);
    CHECK(test::near(events[1].impact->approach_speed, 6.0));
    CHECK(revision == 2);
    CHECK(w.sim.hit_events().size() == 1);
    w.sim.step(0.01);
    CHECK(w.sim.hit_events().empty());
}

TEST_CASE("a saved game's journal brings shape, mass and collider back at once") {
    LayeredWorld before({make_dent_deformer({.exaggerate = 10.0})});
    before.strike(0.01, 8.0, 0.1);
    before.strike(0.06, 7.0, -0.2, Vec3::UnitZ());
    for (int i = 0; i < 10; ++i) before.sim.step(0.01);
    REQUIRE(before.sim.journal(before.target).hits().size() == 2);

    LayeredWorld after({make_dent_deformer({})});
    after.sim.restore_time(before.sim.time());
    REQUIRE(after.sim.restore_journal(after.target, before.sim.journal(before.target)).ok());
    CHECK(after.sim.shape_hash() == before.sim.shape_hash());
    const MassProperties was = before.engine.mass(before.sim.body(before.target));
    const MassProperties is = after.engine.mass(after.sim.body(after.target));
    CHECK(is.centre_b == was.centre_b);
    // A body that was dented while it turned may be left with a larger inertia, all of it alike.
    const double excess = was.inertia_b(0, 0) / is.inertia_b(0, 0);
    CHECK(excess >= 1.0);
    CHECK(was.inertia_b.isApprox(excess * is.inertia_b, 1e-12));
    CHECK(after.sim.motion(after.target).spin_w == Vec3::Zero());
    CHECK(after.sim.motion(after.target).pose_w.translation == Vec3::Zero());
    // The collider covers the same surface; it may be cut in another order.
    const auto pieces = after.engine.pieces(after.sim.body(after.target));
    CHECK(pieces.size() == after.sim.cut(after.target).active.size());
    for (const ColliderPiece& piece : pieces) {
        std::vector<Vec3> points;
        piece_points(after.sim.state(after.target).shape().pieces.pieces[piece.id],
                     after.sim.state(after.target).points(), points);
        CHECK(piece.points == points);
    }
    CHECK_FALSE(after.sim.restore_journal(after.ball, {}).ok());
    // And goes on from there.
    after.strike(0.01, 8.0, 0.3);
    for (int i = 0; i < 3; ++i) after.sim.step(0.01);
    CHECK(after.sim.journal(after.target).hits().size() == 3);
    CHECK(after.sim.journal(after.target).hits()[2].time > before.sim.time());
}

TEST_CASE("a journal that turns a body inside out is refused, and its own stays") {
    LayeredWorld w({make_dent_deformer({})});
    w.strike(0.01, 8.0);
    for (int i = 0; i < 3; ++i) w.sim.step(0.01);
    const std::uint64_t good = w.sim.shape_hash();
    Journal bad;
    DentHit nowhere;
    nowhere.position_b = {0.29, 0, 0};
    nowhere.direction_b = {-1, 0, 0};
    nowhere.depth = kInfinity;
    nowhere.total_limit = kInfinity;
    bad.add(0.0, 0.0, nowhere);
    CHECK_FALSE(w.sim.restore_journal(w.target, bad).ok());
    CHECK(w.sim.shape_hash() == good);
    CHECK(w.sim.journal(w.target).hits().size() == 1);
}

TEST_CASE("an object can move as several bodies: contacts of any of them reach it") {
    auto layer = std::make_shared<TestLayer>();
    LayeredWorld w({layer});
    const std::span<const Vec3> rest = w.sim.state(w.target).shape().rest();
    SplitBody split;
    for (const Vec3& p : rest) split.part_of_point.push_back(p.y() > 0.1 ? 1 : 0);
    split.joints.push_back({0, 1, Vec3(0, 0.1, 0)});
    layer->requests = {split};
    const double mass = w.engine.mass(w.sim.body(w.target)).mass;
    const auto momentum = [&] {
        Vec3 sum = Vec3::Zero();
        for (const ObjectId id : {w.ball, w.target}) {
            for (const BodyId body : w.sim.bodies(id)) {
                sum += w.engine.mass(body).mass * w.engine.motion(body).velocity_w;
            }
        }
        return sum;
    };
    w.strike(0.01, 6.0, 0.0);
    w.sim.step(0.02);
    REQUIRE(w.sim.bodies(w.target).size() == 2);
    CHECK(w.sim.report().incidents.empty());
    double parts = 0.0;
    std::size_t pieces = 0;
    for (const BodyId body : w.sim.bodies(w.target)) {
        CHECK(w.sim.object_of(body) == w.target);
        parts += w.engine.mass(body).mass;
        pieces += w.engine.pieces(body).size();
    }
    CHECK(test::near(parts, mass, 1e-12));
    CHECK(pieces == w.sim.cut(w.target).active.size());
    const Vec3 after_split = momentum();

    // The upper part is struck: the same journal, the same surface.
    layer->requests = {MergeBody{}};
    const BodyId upper = w.sim.bodies(w.target)[1];
    Transform still;
    for (const BodyId body : w.sim.bodies(w.target)) {
        w.engine.set_motion(body, still, Vec3::Zero(), Vec3::Zero());
    }
    const double y = 0.3;
    Transform beside;
    beside.translation = Vec3(0, y, 0.49);
    w.engine.set_motion(w.sim.body(w.ball), beside, Vec3::Zero(), Vec3::Zero());
    w.engine.script({.time = 0.2,
                     .a = w.sim.body(w.ball),
                     .b = upper,
                     .point_w = {0, y, 0.29},
                     .normal_w = {0, 0, -1},
                     .velocity_w = {0, 0, -6}});
    for (int i = 0; i < 18; ++i) w.sim.step(0.01);
    CHECK(w.sim.journal(w.target).hits().size() == 2);
    const std::vector<Vec3> replayed =
        shape_at(w.sim.state(w.target).shape(), w.sim.journal(w.target), w.sim.time());
    CHECK(std::equal(replayed.begin(), replayed.end(), w.sim.state(w.target).points().begin()));
    // One again, with one body that collides with all of it.
    REQUIRE(w.sim.bodies(w.target).size() == 1);
    CHECK(w.engine.pieces(w.sim.body(w.target)).size() == w.sim.cut(w.target).active.size());
    CHECK(test::near(w.engine.mass(w.sim.body(w.target)).mass, mass, 1e-12));
    CHECK(after_split.allFinite());
}

TEST_CASE("splitting and merging keep momentum, to rounding") {
    auto layer = std::make_shared<TestLayer>();
    LayeredWorld w({layer});
    SplitBody split;
    for (const Vec3& p : w.sim.state(w.target).shape().rest()) {
        split.part_of_point.push_back(p.x() > 0.0 ? 0 : p.y() > 0 ? 1 : 2);
    }
    Transform pose;
    pose.translation = {0, 0, 0};
    const auto linear = [&] {
        Vec3 sum = Vec3::Zero();
        for (const BodyId body : w.sim.bodies(w.target)) {
            sum += w.engine.mass(body).mass * w.engine.motion(body).velocity_w;
        }
        return sum;
    };
    layer->requests = {split};
    w.strike(0.01, 6.0);
    w.sim.step(0.02);
    REQUIRE(w.sim.bodies(w.target).size() == 3);
    const Vec3 parts = linear();
    layer->requests = {MergeBody{}};
    REQUIRE(w.sim.report().incidents.empty());
    // A light touch on one part merges them again; it takes part in the momentum.
    const double ball_mass = w.engine.mass(w.sim.body(w.ball)).mass;
    const Vec3 before = parts + ball_mass * w.sim.motion(w.ball).velocity_w;
    for (int i = 0; i < 20; ++i) w.sim.step(0.01);
    const Vec3 after = linear() + ball_mass * w.sim.motion(w.ball).velocity_w;
    CHECK((after - before).norm() < 1e-9 * before.norm());
}

TEST_CASE("splitting and merging a spinning object adds no energy, and what goes is booked") {
    for (const Vec3& spin : {Vec3(0, 9, 0), Vec3(7, 0, 0), Vec3(2, -3, 6)}) {
        // The same step with nothing more, with a split, and with a split and a merge.
        std::vector<double> energies;
        for (int wanted = 0; wanted < 3; ++wanted) {
            auto layer = std::make_shared<TestLayer>();
            LayeredWorld w({layer});
            SplitBody split;
            for (const Vec3& p : w.sim.state(w.target).shape().rest()) {
                split.part_of_point.push_back(p.y() > 0.1 ? 1 : 0);
            }
            if (wanted > 0) layer->requests.push_back(split);
            if (wanted > 1) layer->requests.push_back(MergeBody{});
            w.strike(0.01, 6.0);
            w.engine.set_motion(w.sim.body(w.target), {}, Vec3(0.3, 0, 0), spin);
            w.sim.step(0.02);
            REQUIRE(w.sim.bodies(w.target).size() == (wanted == 1 ? 2 : 1));
            energies.push_back(kinetic_energy(w.engine, w.sim.bodies(w.target)));
            CHECK(w.sim.ledger().withheld >= 0.0);
        }
        CHECK(energies[1] <= energies[0] * (1 + 1e-12));
        CHECK(energies[2] <= energies[1] * (1 + 1e-12));
        CHECK(energies[2] > 0.5 * energies[0]);
    }
}

TEST_CASE("a split that makes no sense is told of and changes nothing") {
    auto layer = std::make_shared<TestLayer>();
    LayeredWorld w({layer});
    layer->requests = {SplitBody{{0, 1}, {}}};
    w.strike(0.01, 6.0);
    w.sim.step(0.02);
    CHECK(w.sim.bodies(w.target).size() == 1);
    REQUIRE(w.sim.report().incidents.size() == 1);
    CHECK(w.sim.report().incidents[0].body == "barrel");
}

TEST_CASE("a body that is watched later is absent in the frames before, and knows its parent") {
    LayeredWorld w({make_dent_deformer({})});
    Recorder recorder(30.0);
    const auto& asset = w.sim.state(w.target).shape().asset;
    CHECK(recorder.watch(w.target, "whole", asset, false) == 0);
    recorder.capture(w.sim);
    w.sim.step(0.01);
    recorder.capture(w.sim);
    const auto child = w.sim.add_deformable(body_desc("child", {}, Vec3::Zero()),
                                            w.sim.state(w.target).shared_shape());
    REQUIRE(child.ok());
    CHECK(recorder.watch(child.value(), "child", asset, false, 0) == 1);
    w.sim.step(0.01);
    recorder.capture(w.sim);
    const Recording film = std::move(recorder).finish(w.sim);
    CHECK(film.bodies[1].parent == 0);
    REQUIRE(film.frames.size() == 3);
    for (const Frame& frame : film.frames) REQUIRE(frame.bodies.size() == 2);
    CHECK_FALSE(film.frames[0].bodies[1].is_present);
    CHECK_FALSE(film.frames[1].bodies[1].is_present);
    CHECK(film.frames[2].bodies[1].is_present);
}
