// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/core/stop.h>
#include <ductile/scene/body_model.h>
#include <ductile/scene/scene.h>
#include <ductile/sim/recorder.h>
#include <ductile/sim/simulation.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// A body of a scene, ready to be put into a world.
struct PreparedBody {
    std::string name;
    BodyModel model;  ///< Shared by all copies but for its asset's colours.
    BodyPlacement placement;
    Vec3 middle_b = Vec3::Zero();  ///< Of its box at rest, in the file's frame [m].
    bool is_hidden = false;        ///< In pictures.
    std::size_t scene_body = 0;    ///< Index into Scene::bodies.
    /// What its mesh file was found to hold and lack; of several bodies of a file the first has it.
    std::vector<std::string> notes;

    const std::shared_ptr<const SurfaceAsset>& asset() const { return model.asset; }
    /// Null for a rigid body.
    const std::shared_ptr<const BodyShape>& shape() const { return model.shape; }
};

/// What the scene says about its engine, as that engine's options (BulletOptions).
template <class EngineOptions>
EngineOptions engine_options(const Scene& scene) {
    EngineOptions options;
    options.gravity = scene.gravity;
    options.sub_steps = scene.sub_steps;
    options.solver_iterations = scene.solver_iterations;
    options.has_two_frictions = scene.has_two_frictions;
    options.sleep_speed = scene.sleep_speed;
    options.sleep_spin = scene.sleep_spin;
    return options;
}

/// Makes every body of a scene, copies included; what is alike is made once and shared.
/// Requires: a scene that check_scene found nothing wrong with.
/// Error (`where`: JSON pointer of the body): a solid that cannot be made, weighed or cut. Another
/// one once `stop` is set.
Result<std::vector<PreparedBody>> prepare_bodies(const Scene& scene, const Progress& progress = {},
                                                 const StopFlag* stop = nullptr);

/// Puts ground, bodies and directed hits into a simulation, and the bodies before a recorder.
/// Returns an id per body. Error: what the engine refuses.
Result<std::vector<ObjectId>> populate(const Scene& scene, std::span<const PreparedBody> bodies,
                                       Simulation& simulation, Recorder& recorder);

}  // namespace ductile
