// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/scripted_engine.h>
#include <ductile/scene/build.h>
#include <ductile/scene/run_frames.h>

#include <doctest/doctest.h>

namespace ductile::test {

/// A scene's run on an engine without forces, and how it ended.
struct ScriptedRun {
    Recording recording;
    std::int64_t steps = 0;
    Status status;
};

inline ScriptedRun run_scripted(const Scene& scene, const FrameRun& how = {}) {
    const Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene);
    REQUIRE(bodies.ok());
    ScriptedEngine engine;
    Simulation simulation(engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    REQUIRE(populate(scene, bodies.value(), simulation, recorder).ok());
    ScriptedRun out;
    out.status = run_frames(scene, simulation, recorder, how);
    out.steps = simulation.report().steps;
    out.recording = std::move(recorder).finish(simulation);
    return out;
}

}  // namespace ductile::test
