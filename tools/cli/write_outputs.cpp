// SPDX-License-Identifier: MIT
#include "write_outputs.h"

#include <ductile/core/file.h>
#include <ductile/core/file_names.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/surroundings.h>

#include "output_writer.h"
#include "report.h"
#include "write_caches.h"
#include "write_pictures.h"
#include "write_player_page.h"

#include <set>

namespace ductile::cli {
namespace {

Status write_ply_files(const Recording& recording, OutputWriter& writer) {
    if (Status sound = check_recording(recording); !sound) return sound;
    std::set<std::string> taken;
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (!damaged_surface(recording, b)) continue;
        const std::string name = free_file_name(recording.bodies[b].name, taken);
        const Status done = writer.write("ply", name + ".ply", [&](const auto& path) {
            return write_final_ply(recording, b, path);
        });
        if (!done) return done;
    }
    return {};
}

}  // namespace

Status write_outputs(const Scene& scene, const FolderLock& lock, const World& world,
                     const Progress& progress, Stopwatch& watch, RunResult& result) {
    const SceneOutputs& outputs = scene.outputs;
    OutputWriter writer(lock, progress, watch, result);
    // The report comes last: where there is one, all that it lists is of its run.
    std::error_code ignored;
    if (outputs.report) std::filesystem::remove(lock.folder() / "report.json", ignored);
    if (outputs.player) {
        const Status done = write_player_page(scene, world.recording, writer, result.notes);
        if (!done) return done;
    }
    if (outputs.journal) {
        const Status done = writer.write("journal", "journal.json", [&](const auto& path) {
            const auto file = take_journals(scene, world.bodies, world.ids, *world.simulation);
            return file ? write_journals(path, file.value()) : file.error();
        });
        if (!done) return done;
    }
    if (outputs.glb) {
        const Status done = writer.write("glb", scene.name + ".glb", [&](const auto& path) {
            const GlbOptions options{.damage = outputs.damage,
                                     .dense_morphs = outputs.dense_morphs};
            return write_glb(world.recording, path, options, surroundings(scene, world.recording));
        });
        if (!done) return done;
    }
    if (outputs.ply) {
        if (Status done = write_ply_files(world.recording, writer); !done) return done;
    }
    if (Status done = write_caches(scene, world.recording, writer, result.notes); !done)
        return done;
    if (Status done = write_pictures(scene, world.recording, writer, result.notes); !done) {
        return done;
    }
    if (outputs.report) {
        const Status done = writer.write("report", "report.json", [&](const auto& path) {
            const Result<std::string> text =
                report_text(scene, world, watch, result, writer.checkpoint("report"));
            return text ? write_file(path, text.value()) : Status(text.error());
        });
        if (!done) return done;
    }
    return writer.check_files();
}

}  // namespace ductile::cli
