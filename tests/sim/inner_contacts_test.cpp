// SPDX-License-Identifier: MIT
// A body of many pieces is touched as the one body it is.
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/piece_normals.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

struct Block {
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> sim;

    Block() {
        BulletOptions weightless;
        weightless.gravity = Vec3::Zero();
        engine = BulletEngine::make(weightless);
        sim = std::make_unique<Simulation>(*engine, SimOptions{});
        DeformableDesc desc = body_desc("block", {}, Vec3::Zero());
        desc.motion = Motion::Static;
        desc.restitution = 1.0;
        desc.friction = 0.0;
        desc.margin = 0.0;
        const auto asset = solid(SolidKind::Box, Vec3(1.0, 0.4, 1.0), 0.1);
        Material hard = find_material("steel").value();
        hard.yield_stress *= 1e3;
        const ObjectId block = sim->add_deformable(desc, dentable(asset, 0.0, hard)).value();
        REQUIRE(sim->cut(block).active.size() >= 12);
    }
};

}  // namespace

TEST_CASE("a ball leaves a flat face of pieces straight, wherever it falls") {
    double worst = 0.0;
    for (int i = 0; i < 64; ++i) {
        Block scene;
        const Vec3 at(-0.4 + 0.1123 * (i % 8), 0.0, -0.4 + 0.1123 * (i / 8));
        BodyDesc ball = ball_desc(0.05, 7850, at + Vec3(0, 0.27, 0), {0, -2, 0});
        ball.friction = 0.0;
        const ObjectId id = scene.sim->add_rigid(ball, 0.17).value();
        for (int k = 0; k < 60; ++k) scene.sim->step(1.0 / 240);
        const Vec3 v = scene.sim->motion(id).velocity_w;
        CHECK(v.y() > 1.0);
        worst = std::max(worst, std::hypot(v.x(), v.z()) / 2.0);
    }
    MESSAGE("sideways at " << worst << " of the speed");
    CHECK(worst < 1e-3);
}

TEST_CASE("a ball runs along a flat face of pieces as along a plain one") {
    for (const double slope : {0.0, 0.02, 0.1}) {
        double worst = 0.0;
        for (int i = 0; i < 16; ++i) {
            Block scene;
            const double turn = 0.4 * i;
            const Vec3 along(std::cos(turn), 0.0, std::sin(turn));
            const Vec3 from = -0.3 * along + Vec3(0, 0.2501 + 0.3 * slope, 0);
            BodyDesc ball = ball_desc(0.05, 7850, from, 2.0 * along + Vec3(0, -2.0 * slope, 0));
            ball.friction = 0.0;
            const ObjectId id = scene.sim->add_rigid(ball, 0.17).value();
            for (int k = 0; k < 60; ++k) scene.sim->step(1.0 / 240);
            const Vec3 v = scene.sim->motion(id).velocity_w;
            worst = std::max(worst, (Vec3(v.x(), 0, v.z()) - 2.0 * along).norm() / 2.0);
        }
        MESSAGE("slope " << slope << ": another way by " << worst << " of the speed");
        CHECK(worst < 1e-3);
    }
}
