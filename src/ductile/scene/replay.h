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

/// Bodies that are there at a time. What broke is not among them but its parts are: last, in the
/// order in which they came.
struct PresentBodies {
    std::vector<PreparedBody> bodies;
    std::vector<ObjectId> ids;  ///< Of each in the simulation; none where there is no simulation.
};

/// By the journals. Error: what a journal says that a body broke into cannot be, or is not there.
Result<PresentBodies> bodies_at(const JournalFile& file, std::span<const PreparedBody> bodies,
                                double time);

/// The same as a simulation has them now.
PresentBodies present_bodies(std::span<const PreparedBody> bodies, std::span<const ObjectId> ids,
                             const Simulation& simulation);

/// From the journals, of bodies that are there then. Error: a mesh record that asks for more than
/// can be.
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
