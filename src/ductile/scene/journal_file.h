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
    Transform pose_w;  ///< Where the body was at the end, or last.
    Journal journal;
    /// Of a part of what broke: the body that it came of, whose hits its journal begins with. Empty
    /// for bodies of the scene.
    std::string parent;
};

/// The last hit that a body's journal has from the one it came of; 0 for bodies of the scene.
std::int64_t last_inherited(std::span<const BodyJournal> bodies, const BodyJournal& body);

/// All that is needed to rebuild a run's shapes at any time, without an engine.
struct JournalFile {
    Scene scene;                   ///< As it ran, overrides included.
    double time = 0.0;             ///< When the run ended [s].
    std::uint64_t shape_hash = 0;  ///< Of deformable bodies' shapes (Simulation::shape_hash).
    std::uint64_t shown_hash = 0;  ///< Of all that a replay shows then (replay_still, shown_hash).
    /// Every body of the scene, rigid ones with an empty journal; then all that came of them.
    std::vector<BodyJournal> bodies;
};

/// What a simulation leaves: journals and poses of the bodies that `populate` made. Presses once
/// what the scene says. Error: as press_scene.
Result<JournalFile> take_journals(const Scene& scene, std::span<const PreparedBody> bodies,
                                  std::span<const ObjectId> ids, const Simulation& simulation);

/// What a replay of the scene's journals cannot show, in words. Empty: it shows all.
std::vector<std::string> journal_notes(const Scene& scene);

/// Error (nothing written): what `read_journals` would refuse; a file that cannot be written.
Status write_journals(const std::filesystem::path& path, const JournalFile& file);

/// Reads it back: same bits. Every body of the scene stands in it, and what they broke into.
/// Error: what is wrong first; the text names up to ten more, a line each.
Result<JournalFile> read_journals(const std::filesystem::path& path);

}  // namespace ductile
