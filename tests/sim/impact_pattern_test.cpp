// SPDX-License-Identifier: MIT
// Bodies whose pattern lies about the place where they first break.
#include <ductile/core/parallel.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/layers.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/reason.h>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> pane_about(PatternPlace about) {
    LayerOptions layers;
    FractureOptions& o = layers.fracture.emplace();
    o.pattern.kind = PatternKind::Rings;
    o.pattern.cells = 120;
    o.pattern.first_ring = 0.05;
    o.pattern.axis = Vec3::UnitZ();
    o.about = about;
    o.anchored = {{Vec3(-9, -9, -9), Vec3(9, -0.45, 9)}};
    Material glass = find_material("glass").value();
    glass.tensile_strength *= 0.5;
    const auto rules = make_layers(layers);
    REQUIRE(rules);
    auto made = make_body_shape(solid(SolidKind::Box, Vec3(1.4, 1.4, 0.02), 0.5),
                                {.material = glass}, rules.value());
    INFO(reason(made));
    REQUIRE(made);
    return made.value();
}

struct PaneScene {
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation sim{*engine, {}};
    std::shared_ptr<const BodyShape> shape;
    ObjectId pane;

    explicit PaneScene(double ball_x, PatternPlace about = PatternPlace::Impact)
        : shape(pane_about(about)) {
        DeformableDesc desc;
        desc.name = "pane";
        desc.motion = Motion::Static;
        pane = sim.add_deformable(desc, shape).value();
        REQUIRE(sim.add_rigid(ball_desc(0.06, 2500, Vec3(ball_x, 0.2, 0.2), Vec3(0, 0, -12)), 0.12)
                    .ok());
    }
    void run(int steps) {
        for (int i = 0; i < steps; ++i) sim.step(1.0 / 240);
    }
    const Journal& journal() const {
        REQUIRE_FALSE(sim.past().empty());
        return sim.past()[0].journal;
    }
};

}  // namespace

TEST_CASE("a pane has its rings about the place where it was struck") {
    for (const double x : {-0.35, 0.3}) {
        PaneScene scene(x);
        scene.run(12);
        REQUIRE(scene.sim.births().size() > 2);
        CHECK(scene.sim.report().incidents.empty());
        const std::optional<Vec3> centre = break_centre(scene.journal());
        REQUIRE(centre);
        CHECK((centre->head<2>() - Vec2(x, 0.2)).norm() < 0.03);
        // A replay finds the same pieces without an engine: those of a pattern about that place.
        const auto scored = centred_shape(scene.shape, *centre);
        REQUIRE(scored);
        const auto* data = scored.value()->data<FractureData>();
        CHECK_FALSE(data->awaits_centre());
        CHECK(check_journal_fits(scene.journal(), *scene.shape).ok());
        const auto division = data->division(scene.journal(), 1.0);
        REQUIRE(division);
        for (const std::vector<std::int32_t>& pieces : division->parts) {
            const auto part = data->part_shape(pieces, scored.value());
            REQUIRE(part);
            bool is_known = false;
            for (const Birth& birth : scene.sim.births()) {
                if (birth.parent != scene.pane) continue;
                if (!scene.sim.has(birth.object)) {
                    is_known = true;  // it broke on, and its shape went with it
                    continue;
                }
                const std::span<const Vec3> rest = scene.sim.state(birth.object).shape().rest();
                is_known =
                    is_known || std::equal(rest.begin(), rest.end(), part.value()->rest().begin(),
                                           part.value()->rest().end());
            }
            CHECK(is_known);
        }
    }
}

TEST_CASE("a break by hand lays the pattern, and all later breaks go by it") {
    PaneScene scene(9.0);  // the ball misses
    FractureHit hit;
    hit.position_b = {0.3, 0.1, 0.01};
    hit.radius = 0.2;
    REQUIRE(scene.sim.schedule_hit(scene.pane, 0.0, 0.0, hit).ok());
    scene.run(1);
    CHECK(*break_centre(scene.journal()) == hit.position_b);
    for (const Birth& birth : scene.sim.births()) {
        CHECK(*break_centre(scene.sim.journal(birth.object)) == hit.position_b);
    }
    CHECK(scene.sim.report().incidents.empty());
}

TEST_CASE("a pattern about an impact is the same on any number of threads") {
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        PaneScene scene(0.3);
        scene.run(12);
        return scene.sim.state_hash();
    };
    const std::uint64_t one = run(1);
    CHECK(run(2) == one);
    CHECK(run(8) == one);
}

TEST_CASE("before it breaks a pane with such a pattern is like any other") {
    PaneScene about_impact(9.0), about_body(9.0, PatternPlace::Body);
    about_impact.run(5);
    about_body.run(5);
    CHECK(about_impact.sim.births().empty());
    CHECK(about_impact.sim.state_hash() == about_body.sim.state_hash());
}
