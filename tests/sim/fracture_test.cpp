// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/fracture.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/reason.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> brittle_wall(const Vec3& size) {
    Material brick;
    brick.density = 2000.0;
    brick.youngs_modulus = 15e9;
    auto made = make_body_shape(solid(SolidKind::Box, size, 0.5), {.material = brick}, {});
    REQUIRE(made);
    return made.value();
}

FractureOptions wall_glue(double strength) {
    FractureOptions options;
    options.pattern.kind = PatternKind::Splinters;  // through the thickness
    options.pattern.stretch = 1000.0;
    options.pattern.cells = 40;
    options.pattern.axis = Vec3::UnitZ();
    options.glue.strength = strength;
    options.glue.fracture_energy = 50.0;
    return options;
}

/// A standing wall, across z, and a ball that flies at it.
struct WallScene {
    std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation sim{*engine, {}};
    Fracture fracture{sim};
    ObjectId wall, ball;
    DeformableDesc desc;

    WallScene(double strength, double speed, bool is_held, bool is_scored = true) {
        const auto shape = brittle_wall(Vec3(2, 2, 0.1));
        desc.name = "wall";
        desc.pose_w.translation = Vec3(0, 1, 0);
        if (is_held) desc.motion = Motion::Static;
        wall = sim.add_deformable(desc, shape).value();
        ball = sim.add_rigid(ball_desc(0.15, 7850, Vec3(0.1, 1.1, 0.5), Vec3(0, 0, -speed)), 0.3)
                   .value();
        if (!is_scored) return;
        const auto score =
            Score::make(*shape, wall_glue(strength), Vec3::Zero(), [&](const Vec3& middle) {
                return is_held && std::max(std::abs(middle.x()), std::abs(middle.y())) > 0.85;
            });
        INFO(reason(score));
        REQUIRE(score);
        REQUIRE(fracture.add(wall, desc, score.value()));
    }

    std::vector<BodyId> movable() const {
        std::vector<BodyId> ids;
        for (const ObjectId object : sim.objects()) ids.push_back(sim.body(object));
        return ids;
    }
    double energy() const { return kinetic_energy(*engine, movable()); }
    Vec3 momentum() const {
        Vec3 sum = Vec3::Zero();
        for (const BodyId id : movable())
            sum += engine->mass(id).mass * engine->motion(id).velocity_w;
        return sum;
    }
    Vec3 angular_momentum() const {
        Vec3 sum = Vec3::Zero();
        for (const BodyId id : movable()) {
            const MassProperties mass = engine->mass(id);
            const BodyMotion m = engine->motion(id);
            const Mat3 r = m.pose_w.rotation.toRotationMatrix();
            sum += m.centre_w.cross(mass.mass * m.velocity_w) +
                   r * mass.inertia_b * r.transpose() * m.spin_w;
        }
        return sum;
    }
    double ball_speed() const { return -sim.motion(ball).velocity_w.z(); }
};

}  // namespace

TEST_CASE("a ball goes through a wall that breaks, and bounces off one that does not") {
    WallScene breaks(1e6, 30.0, true), holds(1e12, 30.0, true);
    for (int i = 0; i < 30; ++i) {
        breaks.fracture.before_step(1.0 / 240);
        breaks.sim.step(1.0 / 240);
        holds.fracture.before_step(1.0 / 240);
        holds.sim.step(1.0 / 240);
    }
    CHECK(holds.ball_speed() < 0);
    CHECK(holds.sim.objects().size() == 2);
    CHECK(breaks.sim.motion(breaks.ball).pose_w.translation.z() < -0.1);
    CHECK(breaks.ball_speed() > 3.0);
    CHECK(breaks.ball_speed() < 30.0);
    CHECK(breaks.fracture.problems().empty());
    CHECK(breaks.sim.objects().size() > 4);
}

TEST_CASE("momentum stays across a break, and energy does not grow by it") {
    WallScene scene(1e6, 30.0, false);
    scene.engine->set_motion(scene.sim.body(scene.wall), scene.desc.pose_w, Vec3(0.3, 0.1, 2.0),
                             Vec3(0.5, -0.2, 0.1));
    bool broke = false;
    for (int i = 0; i < 30 && !broke; ++i) {
        const double before = scene.energy();
        const Vec3 linear = scene.momentum(), angular = scene.angular_momentum();
        const double size = 7850 * 4.0 / 3.0 * kPi * 0.15 * 0.15 * 0.15 * 30.0;
        const auto births = scene.fracture.before_step(1.0 / 240);
        broke = !births.empty();
        CHECK((scene.momentum() - linear).norm() < 1e-11 * size);
        CHECK((scene.angular_momentum() - angular).norm() < 1e-11 * size);
        // What the broken area takes is gone.
        const double gone = before - scene.energy();
        CHECK(gone > -1e-12 * before);
        CHECK(gone <= scene.fracture.broken_energy() * (1 + 1e-9) + 1e-9 * before);
        scene.sim.step(1.0 / 240);
    }
    CHECK(broke);
    CHECK(scene.fracture.broken_energy() ==
          doctest::Approx(50.0 * scene.fracture.broken_area()).epsilon(1e-12));
}

TEST_CASE("below every strength a scored body has the bits of the plain one") {
    WallScene scored(1e12, 20.0, false), plain(1e12, 20.0, false, false);
    for (int i = 0; i < 40; ++i) {
        CHECK(scored.fracture.before_step(1.0 / 240).empty());
        scored.sim.step(1.0 / 240);
        plain.sim.step(1.0 / 240);
    }
    CHECK(scored.sim.state_hash() == plain.sim.state_hash());
}

TEST_CASE("parts have their whole's dents, can break on, and a held one does not move") {
    WallScene scene(1e6, 0.0, true);
    GlueBlow blow;
    blow.point = Vec3(0, 0, 0.05);
    blow.impulse = Vec3(0, 0, -3000);
    blow.energy = 60.0;
    const auto first = scene.fracture.strike(scene.wall, blow);
    REQUIRE(first);
    REQUIRE(first.value().size() > 1);
    CHECK_FALSE(scene.sim.has(scene.wall));
    std::int32_t held = 0;
    for (const Fracture::Birth& birth : first.value()) {
        CHECK(birth.parent == scene.wall);
        CHECK(birth.name.starts_with("wall-"));
        CHECK(scene.sim.motion(birth.object).velocity_w.norm() == 0.0);
        held += birth.is_static;
    }
    CHECK(held == 1);
    const auto frame = std::find_if(first.value().begin(), first.value().end(),
                                    [](const auto& birth) { return birth.is_static; });
    blow.point = Vec3(0.6, 0.6, 0.05);
    blow.energy = 1e4;
    const auto second = scene.fracture.strike(frame->object, blow);
    REQUIRE(second);
    CHECK(second.value().size() > 1);
    CHECK_FALSE(scene.fracture.strike(scene.ball, blow));
}
