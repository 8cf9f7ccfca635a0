// SPDX-License-Identifier: MIT
#include <ductile/ductile.h>

#include <doctest/doctest.h>

#include <memory>
#include <utility>

using namespace ductile;

TEST_CASE("one include is enough to dent a barrel, record it and write it out") {
    const auto engine = BulletEngine::make();
    Simulation simulation(*engine, {});
    const auto asset = std::make_shared<const SurfaceAsset>(
        make_solid({.kind = SolidKind::Barrel, .resolution = 0.05}).value());
    const auto shape =
        make_body_shape(asset, {.material = find_material("steel").value(), .thickness = 0.0012},
                        {make_dent_deformer({})});
    REQUIRE(shape);
    const ObjectId barrel = simulation.add_deformable({}, shape.value()).value();
    DentHit hit;
    hit.position_b = Vec3(bounds(asset->surface.points).upper.x(), 0, 0);
    hit.direction_b = Vec3(-1, 0, 0);
    REQUIRE(simulation.schedule_hit(barrel, 0.0, 0.0, hit));
    Recorder recorder(60.0);
    recorder.watch(barrel, "barrel", asset, false);
    simulation.step(1.0 / 60.0);
    recorder.capture(simulation);
    CHECK(simulation.journal(barrel).hits().size() == 1);

    const Recording recording = std::move(recorder).finish(simulation);
    CHECK(glb_bytes(recording));
}
