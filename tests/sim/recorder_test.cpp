// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/recorder.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("a film has the impacts of every step and the energy of every frame") {
    const std::unique_ptr<BulletEngine> engine = BulletEngine::make();
    Simulation sim(*engine, {});
    REQUIRE(sim.add_rigid(floor_desc(), 1e3).ok());
    const std::shared_ptr<const BodyShape> shape = barrel();
    Transform pose;
    pose.translation = {0, 0.5, 0};
    const ObjectId drum = sim.add_deformable(body_desc("drum", pose, {0, -5, 0}), shape).value();
    Recorder recorder(30.0);
    recorder.watch(drum, "drum", shape->asset, false);
    recorder.capture(sim);
    for (int frame = 0; frame < 10; ++frame) {
        for (int i = 0; i < 8; ++i) {
            sim.step(1.0 / 240);
            recorder.note_step(sim);
        }
        recorder.capture(sim);
    }
    const Recording film = std::move(recorder).finish(sim);

    REQUIRE(static_cast<std::int64_t>(film.impacts.size()) == sim.report().impacts);
    REQUIRE_FALSE(film.impacts.empty());
    const RecordedImpact& landing = film.impacts.front();
    CHECK(landing.bodies == std::array<std::int32_t, 2>{-1, 0});  // nobody films the floor
    CHECK(std::abs(landing.position_w.y()) < 0.02);
    CHECK(test::near(landing.normal_w.y(), 1.0, 1e-6));
    CHECK(test::near(landing.approach_speed, 5.0, 0.1));

    REQUIRE(film.energy.size() == film.frames.size());
    CHECK(film.energy.back().now == sim.ledger().now);
    CHECK(film.energy.back().dissipated > film.energy.front().dissipated);
    for (const EnergyBalance& at : film.energy) CHECK(std::abs(at.gap()) < 1e-6 * at.start + 1e-9);
}
