// SPDX-License-Identifier: MIT
#include <ductile/engine/scripted_engine.h>
#include <ductile/scene/body_model.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a floor is an endless half space that presses into nothing and never moves") {
    const BodyModel ground = make_ground_model(Material{});
    CHECK(std::holds_alternative<HalfSpaceCollider>(ground.collider));
    CHECK_FALSE(ground.shape);
    CHECK_FALSE(ground.surface);
    ScriptedEngine engine;
    Simulation simulation(engine, {});
    BodyPlacement placement;
    placement.name = "floor";
    placement.motion = Motion::Static;
    placement.pose_w.translation = Vec3(0, -1, 0);
    const Result<ObjectId> id = add_body(simulation, ground, placement);
    REQUIRE(id.ok());
    simulation.step(0.01);
    CHECK(simulation.motion(id.value()).pose_w.translation == Vec3(0, -1, 0));
}
