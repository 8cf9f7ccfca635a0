// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>
#include <ductile/scene/build.h>
#include <ductile/sim/press_recording.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

struct JournalFile;

/// The surfaces of all bodies of a scene at a time, in its order.
struct ReplayedShapes {
    std::vector<std::vector<Vec3>> surfaces;  ///< One per prepared body; rest for rigid ones.
    /// What those are points of: the body's own, as its mesh records refined it.
    std::vector<std::shared_ptr<const SurfaceAsset>> assets;
    std::uint64_t shape_hash = 0;  ///< Of the deformable ones (Simulation::shape_hash).
};

/// From the journals. Error: a mesh record that asks for more than can be.
Result<ReplayedShapes> replay_shapes(const JournalFile& file, std::span<const PreparedBody> bodies,
                                     double time);

/// The same as a simulation has them now.
ReplayedShapes simulated_shapes(std::span<const PreparedBody> bodies, std::span<const ObjectId> ids,
                                const Simulation& simulation);

/// All that a replay shows, as a film of one frame: the shapes, pressed as the scene says, where
/// the bodies were at the end of the run; those that move by keys, where they are at `time`. Error:
/// as press_scene.
Result<Recording> replay_still(const JournalFile& file, std::span<const PreparedBody> bodies,
                               ReplayedShapes shapes, double time,
                               const PressCallbacks& callbacks = {});

}  // namespace ductile
