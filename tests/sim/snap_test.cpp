// SPDX-License-Identifier: MIT
// Bodies that bend and break: what snaps, what parts go on with, and what must stay as it was.
#include <ductile/core/parallel.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/layers.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>
#include <support/reason.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

struct PostOptions {
    bool is_anchored = true;
    bool is_scored = true;
    double snap_angle_deg = 20.0;
    double speed = 9.0;       // of the ball [m/s]
    double rate = 240.0;      // [1/s]
    double height = 0.45;     // of the impact above the middle [m]
    int planes = 7;           // that cut the post across
    double lowest = -0.85;    // of those [m]
    double strength = 900.0;  // of its joints [N m]
    bool makes_joints = false;
};

std::shared_ptr<const BodyShape> snapping_post(const PostOptions& wanted) {
    LayerOptions layers;
    BendOptions& bend = layers.bend.emplace();
    bend.speed = 0.5;
    bend.strength = wanted.strength;
    bend.makes_joints = wanted.makes_joints;
    bend.bones = {{"foot", Vec3(0, -1, 0), Vec3(0, -0.6, 0), 0.0, wanted.is_anchored},
                  {"pole", Vec3(0, -0.6, 0), Vec3(0, 1, 0)}};
    if (wanted.is_scored) {
        FractureOptions& o = layers.fracture.emplace();
        o.pattern.kind = PatternKind::Planes;
        for (int k = 0; k < wanted.planes; ++k) {
            o.pattern.planes.push_back(
                {Vec3::UnitY(), wanted.lowest + (0.85 - wanted.lowest) * k / (wanted.planes - 1)});
        }
        o.strength = 1e6;  // no impact breaks it
        o.snap_angle_deg = wanted.snap_angle_deg;
    }
    const auto rules = make_layers(layers);
    REQUIRE(rules);
    auto made =
        make_body_shape(solid(SolidKind::Box, Vec3(0.1, 2, 0.1), 0.05),
                        {.material = find_material("steel").value(), .mass = 30.0}, rules.value());
    INFO(reason(made));
    REQUIRE(made);
    return made.value();
}

/// A post, whose foot may stand fast, and a ball that flies at it along x.
struct PostScene {
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation sim{*engine, {}};
    ObjectId post, ball;
    std::shared_ptr<const BodyShape> shape;
    double dt;

    explicit PostScene(const PostOptions& wanted)
        : shape(snapping_post(wanted)), dt(1.0 / wanted.rate) {
        DeformableDesc desc = body_desc("post", {Quat::Identity(), Vec3(0, 1, 0)}, Vec3::Zero());
        if (wanted.is_anchored) desc.motion = Motion::Static;
        const auto added = sim.add_deformable(desc, shape);
        INFO(reason(added));
        REQUIRE(added);
        post = added.value();
        BodyDesc striker =
            ball_desc(0.12, 7850, Vec3(-0.4, 1.0 + wanted.height, 0), Vec3(wanted.speed, 0, 0));
        striker.restitution = 0.0;
        ball = sim.add_rigid(striker, 0.24).value();
    }
    void run(double seconds) {
        const auto steps = static_cast<int>(std::lround(seconds / dt));
        for (int i = 0; i < steps; ++i) sim.step(dt);
    }
    std::vector<BodyId> all_bodies() const {
        std::vector<BodyId> ids;
        for (const ObjectId object : sim.objects()) {
            const auto own = sim.bodies(object);
            ids.insert(ids.end(), own.begin(), own.end());
        }
        return ids;
    }
    Vec3 momentum() const {
        Vec3 sum = Vec3::Zero();
        for (const BodyId id : all_bodies())
            sum += engine->mass(id).mass * engine->motion(id).velocity_w;
        return sum;
    }
    const Journal& whole_journal() const {
        REQUIRE_FALSE(sim.past().empty());
        return sim.past()[0].journal;
    }
};

std::int64_t breaks_in(const Journal& journal) {
    return std::count_if(journal.hits().begin(), journal.hits().end(), [](const Hit& hit) {
        return std::holds_alternative<FractureHit>(hit.record);
    });
}

}  // namespace

TEST_CASE("a post leans, snaps at the joint that was turned too far, and its pole flies on") {
    PostScene scene({});
    int bent_steps = 0;
    for (int i = 0; i < 96 && scene.sim.births().empty(); ++i) {
        scene.sim.step(scene.dt);
        bent_steps += scene.sim.has(scene.post) && !scene.sim.journal(scene.post).is_empty();
    }
    CHECK(bent_steps > 3);
    REQUIRE(scene.sim.births().size() == 2);
    CHECK(scene.sim.report().snaps == 1);
    CHECK(scene.sim.report().breaks == 1);
    CHECK(scene.sim.report().broken_energy == 0.0);
    for (const Incident& i : scene.sim.report().incidents) MESSAGE(i.what);
    CHECK(scene.sim.report().incidents.empty());
    CHECK(breaks_in(scene.whole_journal()) == 1);
    for (const Birth& birth : scene.sim.births()) {
        const BodyState& state = scene.sim.state(birth.object);
        const bool is_stub = state.shape().data<FractureData>()->is_held();
        const BodyId body = scene.sim.body(birth.object);
        CHECK((scene.engine->mass(body).mass == 0.0) == is_stub);
        // The faces of the pattern nearest to the joint, which is at -0.6.
        const Box box = bounds(state.shape().rest());
        CHECK(std::abs((is_stub ? box.upper.y() : box.lower.y()) + 0.6) < 0.3);
        if (is_stub) continue;
        CHECK(scene.engine->motion(body).velocity_w.x() > 0.5);
        CHECK(scene.engine->motion(body).spin_w.z() < -0.5);
        // It leans by the angle that it snapped at.
        const auto at = [&](double y) {
            Vec3 sum = Vec3::Zero();
            double count = 0.0;
            for (std::size_t v = 0; v < state.points().size(); ++v) {
                if (std::abs(state.shape().rest()[v].y() - y) > 1e-9) continue;
                sum += state.points()[v];
                count += 1.0;
            }
            REQUIRE(count > 0);
            return Vec3(sum / count);
        };
        const Vec3 along = at(1.0) - at(0.2);
        const double lean = std::atan2(along.x(), along.y()) * (180.0 / kPi);
        CHECK(lean > 20.0);
        CHECK(lean < 30.0);
    }
    scene.run(0.3);
    CHECK(scene.sim.report().snaps == 1);
    CHECK(scene.sim.births().size() == 2);
}

TEST_CASE("momentum stays across a snap of what is free, and energy does not grow by it") {
    PostScene scene({.is_anchored = false,
                     .snap_angle_deg = 8.0,
                     .speed = 14.0,
                     .height = 0.0,
                     .strength = 60.0});
    bool has_snapped = false;
    for (int i = 0; i < 200 && !has_snapped; ++i) {
        scene.sim.before_engine_step(1.0 / 960);
        scene.engine->step(1.0 / 960);
        const Vec3 before = scene.momentum();
        const double energy = kinetic_energy(*scene.engine, scene.all_bodies());
        scene.sim.after_engine_step(1.0 / 960);
        has_snapped = scene.sim.report().snaps > 0;
        if (!has_snapped) continue;
        const double size = sphere_mass(0.12, 7850).mass * 14.0;
        CHECK((scene.momentum() - before).norm() < 1e-12 * size);
        const double after = kinetic_energy(*scene.engine, scene.all_bodies());
        CHECK(after <= energy * (1 + 1e-12));
        CHECK(after > 0.98 * energy);
    }
    REQUIRE(has_snapped);
    CHECK(scene.sim.births().size() == 2);
    CHECK(std::abs(scene.sim.ledger().gap()) < 1e-9 * scene.sim.ledger().start);
}

TEST_CASE("parts of a snapped post are where the journal puts them, at any number of threads") {
    std::vector<std::uint64_t> hashes;
    for (const std::int32_t threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        PostScene scene({});
        scene.run(0.25);
        REQUIRE(scene.sim.report().snaps == 1);
        hashes.push_back(scene.sim.state_hash());
        const auto* data = scene.shape->data<FractureData>();
        const auto division = data->division(scene.whole_journal(), 1.0);
        REQUIRE(division);
        REQUIRE(division->parts.size() == scene.sim.births().size());
        for (std::size_t k = 0; k < division->parts.size(); ++k) {
            const auto part = data->part_shape(division->parts[k], scene.shape);
            REQUIRE(part);
            const ObjectId id = scene.sim.births()[k].object;
            const BodyState& state = scene.sim.state(id);
            const std::vector<Vec3> replayed =
                shape_at(*part.value(), scene.sim.journal(id), scene.sim.time());
            CHECK(std::equal(replayed.begin(), replayed.end(), state.points().begin(),
                             state.points().end()));
        }
        // Without the record it never snapped.
        Journal mended = scene.whole_journal();
        mended.remove(division->hit);
        CHECK_FALSE(data->division(mended, 1.0));
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
}

TEST_CASE("what is turned less than its limit has the bits of a body that cannot break") {
    PostScene scored({.snap_angle_deg = 170.0, .speed = 5.0});
    PostScene plain({.is_scored = false, .speed = 5.0});
    scored.run(0.4);
    plain.run(0.4);
    CHECK_FALSE(plain.sim.journal(plain.post).is_empty());
    CHECK(scored.sim.births().empty());
    CHECK(scored.sim.state_hash() == plain.sim.state_hash());
}

TEST_CASE("the angle at which it snaps does not hang on the step") {
    for (const double rate : {60.0, 120.0, 240.0, 1000.0}) {
        PostScene scene({.rate = rate});
        scene.run(0.5);
        REQUIRE(scene.sim.report().snaps == 1);
        double angle = 0.0;
        for (const Hit& hit : scene.whole_journal().hits()) {
            if (std::holds_alternative<JointHit>(hit.record)) angle += record_mark(hit.record).size;
        }
        CHECK(angle > 20.0);
        CHECK(angle < 23.0);
    }
}

TEST_CASE("a pole that was snapped off bends on where it is struck again") {
    PostScene scene({.makes_joints = true});
    for (int i = 0; i < 96 && scene.sim.births().empty(); ++i) scene.sim.step(scene.dt);
    REQUIRE(scene.sim.births().size() == 2);
    const auto is_loose = [&](const Birth& birth) {
        return scene.engine->mass(scene.sim.body(birth.object)).mass > 0;
    };
    const auto found = std::find_if(scene.sim.births().begin(), scene.sim.births().end(), is_loose);
    REQUIRE(found != scene.sim.births().end());
    const Birth birth = *found;  // more are coming
    const ObjectId pole = birth.object;
    const BodyMotion m = scene.engine->motion(scene.sim.body(pole));
    scene.engine->set_motion(scene.sim.body(scene.ball),
                             {Quat::Identity(), m.centre_w + Vec3(0.05, 0.1, 0.5)},
                             m.velocity_w + Vec3(0, 0, -25), Vec3::Zero());
    scene.run(0.1);
    for (const Incident& incident : scene.sim.report().incidents)
        MESSAGE(incident.body, ": ", incident.what);
    std::int64_t later = 0;
    std::vector<ObjectId> line = {pole};
    for (const Birth& b : scene.sim.births()) {
        if (b.parent == pole) line.push_back(b.object);
    }
    for (const ObjectId id : line) {
        if (!scene.sim.has(id)) continue;
        for (const Hit& hit : scene.sim.journal(id).hits()) {
            later += hit.id > birth.inherited && std::holds_alternative<JointHit>(hit.record);
        }
    }
    CHECK(later > 0);
}

TEST_CASE("a joint that no face of the pattern lies at does not snap, and that is told once") {
    PostScene coarse({.planes = 2, .lowest = 0.5});
    coarse.run(0.3);
    CHECK(coarse.sim.births().empty());
    REQUIRE(coarse.sim.report().incidents.size() == 1);
    CHECK(coarse.sim.report().incidents[0].what.find("more cells along the bone") !=
          std::string::npos);
}

TEST_CASE("a bent body that is broken by an impact or by hand keeps its bend in all parts") {
    PostScene scene({.snap_angle_deg = 0.0});
    FractureHit hit;
    hit.position_b = Vec3(0, 0.3, 0);
    hit.radius = 0.2;
    REQUIRE(scene.sim.schedule_hit(scene.post, 0.12, 0.0, hit));
    scene.run(0.115);
    REQUIRE(scene.sim.has(scene.post));
    CHECK(scene.sim.bodies(scene.post).size() > 1);  // awake
    const auto points = scene.sim.state(scene.post).points();
    const double lowest = std::min_element(points.begin(), points.end(), [](auto& a, auto& b) {
                              return a.x() < b.x();
                          })->x();
    scene.run(0.01);
    REQUIRE(scene.sim.births().size() == 2);
    CHECK(scene.sim.report().incidents.empty());
    double lowest_part = kInfinity, furthest = 0.0;
    for (const Birth& birth : scene.sim.births()) {
        for (const Vec3& p : scene.sim.state(birth.object).points()) {
            lowest_part = std::min(lowest_part, p.x());
            furthest = std::max(furthest, p.x());
        }
    }
    CHECK(test::near(lowest_part, lowest, 0.01));
    CHECK(furthest > 0.3);
    CHECK(breaks_in(scene.whole_journal()) == 1);
}
