// SPDX-License-Identifier: MIT
// How deep and how far back, through the whole step: a ball dropped on a block.
#include <ductile/deform/dent/dent_law.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

struct Dropped {
    double depth = 0.0, rebound = 0.0, work = 0.0, dissipated = 0.0, gap = 0.0;
    std::int64_t limited = 0;
};

// How a ball is dropped.
struct Drop {
    double exaggerate = 1.0;
    double rate = 0.0;          ///< Steps per second; 0: ten while it goes by its radius.
    double thickness = 0.0;     ///< Of the block, if it is of sheet [m].
    bool is_of_pieces = false;  ///< The ball: it can be dented itself, and is of steel.
};

ObjectId add_in_pieces(Simulation& sim, const BodyDesc& ball, double radius) {
    DeformableDesc desc = body_desc("ball", ball.pose_w, ball.velocity_w);
    desc.restitution = ball.restitution;
    desc.margin = 0.0;
    const auto asset = solid(SolidKind::Sphere, Vec3::Constant(2 * radius), 0.2 * radius);
    return sim.add_deformable(desc, dentable(asset, 0.0, find_material("steel").value())).value();
}

// A ball of a radius on a large block of a material, through Bullet.
Dropped drop(double radius, double speed, const Material& material, const DentOptions& options = {},
             const Drop& how = {}) {
    BulletOptions weightless;
    weightless.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(weightless);
    SimOptions sim_options;
    sim_options.exaggerate = how.exaggerate;
    Simulation sim(*engine, sim_options);
    DeformableDesc desc = body_desc("block", {}, Vec3::Zero());
    desc.motion = Motion::Static;
    desc.restitution = 1.0;
    desc.margin = 0.0;
    const auto asset =
        solid(SolidKind::Box, Vec3(8 * radius, 4 * radius, 8 * radius), 0.35 * radius);
    const ObjectId block =
        sim.add_deformable(desc, dentable(asset, how.thickness, material, options)).value();
    const BodyDesc round = ball_desc(radius, 7850, {0, 3.2 * radius, 0}, {0, -speed, 0});
    const ObjectId ball = how.is_of_pieces
                              ? add_in_pieces(sim, round, radius)
                              : sim.add_rigid(round, 2.0 * std::sqrt(3.0) * radius).value();
    const double before = 0.5 * engine->mass(sim.body(ball)).mass * speed * speed;
    const double dt = how.rate > 0 ? 1.0 / how.rate : 0.1 * radius / speed;
    const int steps = std::max(60, static_cast<int>(6.0 * radius / (speed * dt)));
    for (int i = 0; i < steps; ++i) sim.step(dt);
    Dropped out;
    for (const Hit& hit : sim.journal(block).hits())
        out.depth += std::get<DentHit>(hit.record).depth;
    out.rebound = sim.motion(ball).velocity_w.y() / speed;
    if (!sim.ledger().layers.empty()) out.work = sim.ledger().layers[0].work / before;
    out.dissipated = sim.ledger().dissipated / before;
    out.gap = std::abs(sim.ledger().gap()) / before;
    out.limited = sim.report().limited;
    return out;
}

Material card(const char* name) { return find_material(name).value(); }

}  // namespace

TEST_CASE("a dropped ball dents as deep as hardness times volume takes its energy") {
    for (const char* name : {"steel", "aluminium", "lead"}) {
        const Material m = card(name);
        for (const double speed : {3.0, 20.0}) {
            CAPTURE(name);
            CAPTURE(speed);
            const double radius = 0.02;
            const Dropped ball = drop(radius, speed, m);
            // H V(d) = (1 - e^2) m v^2 / 2, the rim carrying a quarter more, that of a shallow dent
            // in what is hard next to nothing.
            const double energy =
                0.5 * 7850 * 4.0 / 3.0 * kPi * std::pow(radius, 3) * speed * speed;
            const double left = (1.0 - ball.rebound * ball.rebound) * energy;
            const double volume = kPi * ball.depth * ball.depth * (radius - ball.depth / 3.0);
            CHECK(m.hardness() * volume / left > 0.9 / 1.25);
            CHECK(m.hardness() * volume / left < 1.0);
            CHECK(ball.limited == 0);
        }
    }
}

TEST_CASE("at 240 steps per second depth, work and rebound are the law's") {
    const Material steel = card("steel");
    const double radius = 0.05;
    const PressCurve ball(cap_map(161, radius, 0.9 * radius), 0.9 * radius, 0.0);
    const ContactStrength contact{steel.hardness(), 1.0 / steel.contact_compliance()};
    for (const double thickness : {0.0, 0.15 * radius}) {
        // Within a step they come by a quarter of their radius, by half and by all of it and more.
        for (const double speed : {3.0, 6.0, 16.0}) {
            CAPTURE(thickness);
            CAPTURE(speed);
            DentOptions options;
            options.span = 4.0 * radius;
            const Dropped got =
                drop(radius, speed, steel, options, {.rate = 240.0, .thickness = thickness});
            const double energy = 0.5 * sphere_mass(radius, 7850).mass * speed * speed;
            SheetStrength sheet{steel.yield_stress, steel.youngs_modulus, steel.poissons_ratio,
                                thickness, options.span};
            const DentDepth law = thickness > 0 ? sheet_dent(ball, contact, sheet, energy)
                                                : solid_dent(ball, contact, energy);
            CHECK(std::abs(got.depth / law.depth() - 1.0) < 0.12);
            CHECK(std::abs(got.rebound - law.restitution) < 0.05);
            CHECK(std::abs(got.work - law.work / energy) < 0.05);
            CHECK(got.gap < 1e-6);
            CHECK(got.limited == 0);
        }
    }
}

TEST_CASE("a ball that passes more than itself in a step dents as deep, with no more than it has") {
    const Material steel = card("steel");
    const double radius = 0.05, rate = 240.0;
    const PressCurve ball(cap_map(161, radius, 0.9 * radius), 0.9 * radius, 0.0);
    const ContactStrength contact{steel.hardness(), 1.0 / steel.contact_compliance()};
    for (const double radii : {1.6, 2.0, 3.0, 4.0}) {
        CAPTURE(radii);
        const double speed = radii * radius * rate;
        const Dropped got = drop(radius, speed, steel, {}, {.rate = rate});
        const double energy = 0.5 * sphere_mass(radius, 7850).mass * speed * speed;
        const DentDepth law = solid_dent(ball, contact, energy);
        CHECK(std::abs(got.depth / law.depth() - 1.0) < 0.05);
        CHECK(got.work < 1.0);
        CHECK(got.dissipated < 1.0);
        CHECK(std::abs(got.rebound - law.restitution) < 0.03);
        CHECK(got.gap < 1e-6);
    }
}

TEST_CASE("a ball cut into pieces dents and leaves as a round one, at every rate" *
          doctest::test_suite("long")) {
    for (const double rate : {120.0, 240.0, 1000.0, 4800.0}) {
        for (const double speed : {10.0, 40.0}) {
            CAPTURE(rate);
            CAPTURE(speed);
            const Material aluminium = card("aluminium");
            const Dropped round = drop(0.02, speed, aluminium, {}, {.rate = rate});
            const Dropped cut =
                drop(0.02, speed, aluminium, {}, {.rate = rate, .is_of_pieces = true});
            CHECK(std::abs(cut.depth / round.depth - 1.0) < 0.1);
            CHECK(std::abs(cut.rebound - round.rebound) < 0.1);
            CHECK(cut.dissipated < 1.0);
            CHECK(cut.gap < 1e-6);
        }
    }
}

TEST_CASE("the ledger charges the dent to the impact, and the books close") {
    for (const double speed : {2.0, 10.0, 40.0}) {
        CAPTURE(speed);
        const Dropped ball = drop(0.02, speed, card("copper"));
        CHECK(test::near(ball.work, 1.0 - ball.rebound * ball.rebound, 0.02));
        CHECK(test::near(ball.dissipated, ball.work, 0.02));
        CHECK(ball.gap < 1e-6);
    }
}

TEST_CASE("a faster ball comes back at less of its speed, as v to the minus a quarter") {
    const double slow = drop(0.02, 4.0, card("steel")).rebound,
                 fast = drop(0.02, 40.0, card("steel")).rebound;
    CHECK(test::near(fast / slow, std::pow(10.0, -0.25), 0.1));
}

TEST_CASE("at equal speed the depth scales with the size of all") {
    const double share = drop(0.01, 10.0, card("aluminium")).depth / 0.01;
    for (const double radius : {0.002, 0.1, 0.5}) {
        CHECK(test::near(drop(radius, 10.0, card("aluminium")).depth / radius, share, 0.01));
    }
}

TEST_CASE("exaggerating scales depths, takes no more energy, and a limit that decides is counted") {
    const Dropped plain = drop(0.02, 10.0, card("copper"));
    DentOptions by_body;
    by_body.exaggerate = 3.0;
    const Dropped deeper = drop(0.02, 10.0, card("copper"), by_body, {.exaggerate = 2.0});
    CHECK(test::near(deeper.depth, 6.0 * plain.depth, 1e-6));
    CHECK(test::near(deeper.rebound, plain.rebound, 1e-6));
    CHECK(test::near(deeper.work, plain.work, 1e-6));
    CHECK(plain.limited == 0);
    DentOptions limited;
    limited.depth_limit = 0.5 * plain.depth;
    const Dropped shallow = drop(0.02, 10.0, card("copper"), limited);
    CHECK(test::near(shallow.depth, 0.5 * plain.depth, 1e-6));
    CHECK(shallow.limited == 1);
}
