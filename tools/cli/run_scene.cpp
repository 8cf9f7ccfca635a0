// SPDX-License-Identifier: MIT
#include "run_scene.h"

#include <ductile/core/parallel.h>
#include <ductile/scene/build.h>
#include <ductile/scene/coarse_dents.h>
#include <ductile/scene/idle_settings.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/run_frames.h>

#include "command.h"
#include "interrupt.h"
#include "out_folder.h"
#include "world.h"
#include "write_outputs.h"
#include <fmt/format.h>

#include <algorithm>

namespace ductile::cli {
namespace {

constexpr std::size_t kIncidentsPrinted = 3;  // the report has them all

Status simulate(const Scene& scene, std::int32_t max_frames, const Progress& progress,
                World& world) {
    world.engine = BulletEngine::make(engine_options<BulletOptions>(scene));
    world.simulation = std::make_unique<Simulation>(*world.engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    Result<std::vector<ObjectId>> ids = populate(scene, world.bodies, *world.simulation, recorder);
    if (!ids) return ids.error();
    world.ids = ids.value();

    const Status ran =
        run_frames(scene, *world.simulation, recorder,
                   {.max_frames = max_frames, .may_go_on = go_on, .progress = progress});
    if (!ran) return ran;
    world.recording = std::move(recorder).finish(*world.simulation);
    return {};
}

Status press(const Scene& scene, const Progress& progress, World& world) {
    Result<std::vector<PressResult>> done =
        press_scene(scene, world.recording, {.may_go_on = go_on, .progress = progress});
    if (!done) return done.error();
    world.pressed = std::move(done).value();
    return {};
}

RunResult failed(RunResult result, const Error& error, int exit_code) {
    result.exit_code = exit_code_after(exit_code);
    result.error = error_to_print(error);
    return result;
}

}  // namespace

RunResult run_scene(const Scene& scene, const RunOptions& options, const Progress& progress) {
    const ThreadLimit limit(scene.threads);
    RunResult result;
    const Result<FolderLock> lock = open_out_folder(scene, options.out);
    if (!lock) return failed(result, lock.error(), kFailed);
    Stopwatch watch;
    World world;
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene, progress, stop_flag());
    if (!bodies) return failed(result, bodies.error(), kBadInput);
    world.bodies = std::move(bodies).value();
    result.notes = idle_settings(scene);
    for (const PreparedBody& body : world.bodies) {
        for (const std::string& note : body.notes) {
            // Bodies of one file, painted or filled in several ways, all tell of it.
            if (std::ranges::find(result.notes, note) == result.notes.end()) {
                result.notes.push_back(note);
            }
        }
    }
    watch.lap("prepare");
    if (Status done = simulate(scene, options.max_frames, progress, world); !done) {
        return failed(result, done.error(), kBadInput);
    }
    watch.lap("simulate");
    if (!scene.press.empty()) {
        if (Status done = press(scene, progress, world); !done) {
            return failed(result, done.error(), kBadInput);
        }
        watch.lap("press");
        for (std::string& line : press_summary(world.recording, world.pressed)) {
            result.notes.push_back(std::move(line));
        }
    }
    for (std::string& note : coarse_dent_notes(scene, world.bodies, world.ids, *world.simulation)) {
        result.notes.push_back(std::move(note));
    }
    if (const SimReport& report = world.simulation->report(); report.breaks > 0) {
        result.notes.push_back(fmt::format(
            "{} broke {:.3g} m^2, which left {}", counted(report.breaks, "impact", "impacts"),
            report.broken_area, counted(report.parts, "part", "parts")));
    }
    if (scene.outputs.journal) {
        for (std::string& note : journal_notes(scene)) result.notes.push_back(std::move(note));
    }
    result.hits = world.simulation->report().hits;
    const std::vector<Incident>& incidents = world.simulation->report().incidents;
    result.incidents = static_cast<std::int64_t>(incidents.size());
    for (std::size_t i = 0; i < std::min(incidents.size(), kIncidentsPrinted); ++i) {
        const Incident& incident = incidents[i];
        result.notes.push_back(fmt::format("at {:.3f} s{}: {}", incident.time,
                                           incident.body.empty() ? "" : ", " + incident.body,
                                           incident.what));
    }
    if (Status done = write_outputs(scene, lock.value(), world, progress, watch, result); !done) {
        return failed(std::move(result), done.error(), kFailed);
    }
    result.recording = std::move(world.recording);
    return result;
}

}  // namespace ductile::cli
