// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/journal.h>
#include <ductile/scene/build.h>
#include <ductile/scene/scene.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// The damage of one body of a run.
struct BodyJournal {
    std::string name;
    Transform pose_w;  ///< Where the body was at the end.
    Journal journal;
};

/// All that is needed to rebuild a run's shapes at any time, without an engine.
struct JournalFile {
    Scene scene;                   ///< As it ran, overrides included.
    double time = 0.0;             ///< When the run ended [s].
    std::uint64_t shape_hash = 0;  ///< Of all shapes then (Simulation::shape_hash).
    std::vector<BodyJournal>
        bodies;  ///< Every body of the scene, rigid ones with an empty journal.
};

/// What a simulation leaves: journals and poses of the bodies that `populate` made.
JournalFile take_journals(const Scene& scene, std::span<const PreparedBody> bodies,
                          std::span<const ObjectId> ids, const Simulation& simulation);

Status write_journals(const std::filesystem::path& path, const JournalFile& file);

/// Reads it back: same bits. Every body of the scene stands in it, and nothing else.
/// Error: what is wrong first; the text names up to ten more, a line each.
Result<JournalFile> read_journals(const std::filesystem::path& path);

/// The surfaces of all deformable bodies at a time, in the order of the scene, and their hash.
struct ReplayedShapes {
    std::vector<std::vector<Vec3>> surfaces;  ///< One per prepared body; rest for rigid ones.
    /// What those are points of: the body's own, as its mesh records refined it.
    std::vector<std::shared_ptr<const SurfaceAsset>> assets;
    std::uint64_t shape_hash = 0;
};
/// Error: a mesh record that asks for more than can be.
Result<ReplayedShapes> replay_shapes(const JournalFile& file, std::span<const PreparedBody> bodies,
                                     double time);

}  // namespace ductile
