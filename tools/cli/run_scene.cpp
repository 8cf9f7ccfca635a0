// SPDX-License-Identifier: MIT
#include "run_scene.h"

#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/core/parallel.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/export/check_recording.h>
#include <ductile/export/final_damage.h>
#include <ductile/export/glb.h>
#include <ductile/export/write_ply.h>
#include <ductile/render/film.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/build.h>
#include <ductile/scene/journal_file.h>

#include "command.h"
#include "interrupt.h"
#include "out_folder.h"
#include "picture.h"
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace ductile::cli {
namespace {

// Measuring a collider takes a tenth of a second: larger scenes go without.
constexpr std::size_t kMostMeasured = 40;

/// Wall-clock time per stage, for the report.
class Stopwatch {
public:
    /// Seconds since the last call (or the start), added up under `stage`.
    void lap(const char* stage) {
        const auto now = std::chrono::steady_clock::now();
        const double passed = std::chrono::duration<double>(now - last_).count();
        seconds_[stage] = seconds_.value(stage, 0.0) + passed;
        last_ = now;
    }
    const Json& seconds() const { return seconds_; }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    Json seconds_ = Json::object();
};

struct World {
    std::vector<PreparedBody> bodies;
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> simulation;
    std::vector<BodyId> ids;
    Recording recording;
};

Status simulate(const Scene& scene, std::int32_t max_frames, const Progress& progress,
                World& world) {
    BulletOptions options;
    options.gravity = scene.gravity;
    options.sub_steps = scene.sub_steps;
    options.solver_iterations = scene.solver_iterations;
    world.engine = BulletEngine::make(options);
    world.simulation = std::make_unique<Simulation>(*world.engine, scene.simulation);
    Recorder recorder(scene.frame_rate);
    Result<std::vector<BodyId>> ids = populate(scene, world.bodies, *world.simulation, recorder);
    if (!ids) return ids.error();
    world.ids = ids.value();

    auto frames = static_cast<std::int64_t>(std::floor(scene.duration * scene.frame_rate + 1e-9));
    if (max_frames > 0) frames = std::min<std::int64_t>(frames, max_frames - 1);
    const auto steps = static_cast<std::int64_t>(std::lround(scene.step_rate / scene.frame_rate));
    recorder.capture(*world.simulation);
    for (std::int64_t frame = 1; frame <= frames; ++frame) {
        if (Status on = go_on(); !on) return on;
        for (std::int64_t i = 0; i < steps; ++i) world.simulation->step(1.0 / scene.step_rate);
        recorder.capture(*world.simulation);
        if (progress) {
            progress("simulate", static_cast<double>(frame) / static_cast<double>(frames));
        }
    }
    world.recording = std::move(recorder).finish(*world.simulation);
    return {};
}

Status draw_film(const Scene& scene, const Recording& recording, Renderer& renderer,
                 const std::filesystem::path& path, const Progress& progress) {
    const RenderOptions options = render_options(scene);
    Result<Film> film =
        Film::open(path, options.width, options.height, {.frame_rate = scene.frame_rate});
    if (!film) return film.error();
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
        if (Status on = go_on(); !on) return on;
        const Frame& frame = recording.frames[i];
        Result<Image> image = renderer.draw(frame, camera_for(scene, frame.time), options);
        if (!image) return image.error();
        if (Status added = film.value().add(image.value()); !added) {
            // A Ctrl-C reaches ffmpeg as well; then it is not the one to blame.
            if (Status on = go_on(); !on) return on;
            return added;
        }
        if (progress) {
            progress("film",
                     static_cast<double>(i + 1) / static_cast<double>(recording.frames.size()));
        }
    }
    if (Status on = go_on(); !on) return on;
    return film.value().finish();
}

Status draw_poster(const Scene& scene, const Recording& recording, Renderer& renderer,
                   const std::filesystem::path& path) {
    const double last = recording.frames.back().time;
    const double wanted = std::min(scene.outputs.poster_time.value_or(0.75 * last), last);
    const auto frame = std::min_element(
        recording.frames.begin(), recording.frames.end(), [&](const Frame& a, const Frame& b) {
            return std::abs(a.time - wanted) < std::abs(b.time - wanted);
        });
    RenderOptions options = render_options(scene);
    options.samples *= 4;  // one picture may take a little longer and be clean
    Result<Image> image = renderer.draw(*frame, camera_for(scene, frame->time), options);
    if (!image) return image.error();
    return write_png(path, image.value());
}

Json body_report(const World& world, std::size_t i) {
    const Simulation& sim = *world.simulation;
    Json entry = {{"name", world.bodies[i].name}};
    if (!sim.is_deformable(world.ids[i])) return entry;
    const BodyState& state = sim.state(world.ids[i]);
    const BodyShape& shape = state.shape();
    const std::vector<double> moved = displacement(state.points(), shape.rest());
    entry["mass_kg"] = shape.mass.mass;
    entry["points"] = shape.rest().size();
    entry["hits"] = sim.journal(world.ids[i]).hits().size();
    entry["deepest_mm"] = 1000.0 * *std::max_element(moved.begin(), moved.end());
    entry["pieces"] = sim.cut(world.ids[i]).active.size();
    if (world.bodies.size() <= kMostMeasured) {
        const ColliderError error =
            collider_error(shape.pieces, sim.cut(world.ids[i]), state.points(), shape.triangles());
        entry["collider_error_percent"] = 100.0 * error.worst() / shape.size;
    }
    return entry;
}

std::string report_text(const Scene& scene, const World& world, const Stopwatch& watch,
                        std::span<const std::filesystem::path> files) {
    const SimReport& report = world.simulation->report();
    const EnergyLedger& ledger = world.simulation->ledger();
    Json json;
    json["scene"] = scene.name;
    json["frames"] = world.recording.frames.size();
    json["steps"] = report.steps;
    json["impacts"] = report.impacts;
    json["hits"] = report.hits;
    json["most_hits_waiting"] = report.most_waiting;
    json["reshapes"] = report.reshapes;
    json["fallbacks"] = report.fallbacks;
    json["state_hash"] = fmt::format("{:016x}", world.simulation->state_hash());
    json["shape_hash"] = fmt::format("{:016x}", world.simulation->shape_hash());
    json["energy_joule"] = {{"start", ledger.start},
                            {"forces", ledger.forces},
                            {"dissipated", ledger.dissipated},
                            {"gained", ledger.gained},
                            {"integration", ledger.integration},
                            {"reshape", ledger.reshape},
                            {"outside", ledger.outside},
                            {"now", ledger.now},
                            {"gap", ledger.gap()}};
    json["seconds"] = watch.seconds();
    Json& bodies = json["bodies"] = Json::array();
    for (std::size_t i = 0; i < world.bodies.size(); ++i) bodies.push_back(body_report(world, i));
    Json& incidents = json["incidents"] = Json::array();
    for (const Incident& incident : report.incidents) {
        incidents.push_back(
            {{"time", incident.time}, {"body", incident.body}, {"what", incident.what}});
    }
    Json& names = json["files"] = Json::array();
    for (const std::filesystem::path& file : files) names.push_back(file.filename().string());
    return json_text(json);
}

/// Writes one output after another and notes those that are there.
class OutputWriter {
public:
    OutputWriter(const RunOptions& options, const Progress& progress, Stopwatch& watch,
                 RunResult& result)
        : options_(options), progress_(progress), watch_(watch), result_(result) {}

    template <class Writer>
    Status write(const char* stage, const std::string& name, Writer&& writer) {
        if (Status on = go_on(); !on) return on;
        if (progress_) progress_(stage, 0.0);
        const std::filesystem::path path = options_.out / name;
        if (Status done = writer(path); !done) return done;
        result_.files.push_back(path);
        watch_.lap(stage);
        return {};
    }

private:
    const RunOptions& options_;
    const Progress& progress_;
    Stopwatch& watch_;
    RunResult& result_;
};

Status write_pictures(const Scene& scene, const World& world, const Progress& progress,
                      OutputWriter& writer, std::vector<std::string>& notes) {
    Result<Renderer> renderer = Renderer::make(world.recording);
    if (!renderer) return renderer.error();
    notes = renderer.value().notes();
    if (scene.outputs.poster) {
        const Status done = writer.write("poster", "poster.png", [&](const auto& path) {
            return draw_poster(scene, world.recording, renderer.value(), path);
        });
        if (!done) return done;
    }
    if (!scene.outputs.film) return {};
    return writer.write("film", scene.name + ".mp4", [&](const auto& path) {
        return draw_film(scene, world.recording, renderer.value(), path, progress);
    });
}

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

Status write_outputs(const Scene& scene, const RunOptions& options, const World& world,
                     const Progress& progress, Stopwatch& watch, RunResult& result) {
    const SceneOutputs& outputs = scene.outputs;
    OutputWriter writer(options, progress, watch, result);
    if (outputs.journal) {
        const Status done = writer.write("journal", "journal.json", [&](const auto& path) {
            return write_journals(path,
                                  take_journals(scene, world.bodies, world.ids, *world.simulation));
        });
        if (!done) return done;
    }
    if (outputs.glb) {
        const Status done = writer.write("glb", scene.name + ".glb", [&](const auto& path) {
            return write_glb(world.recording, path, {.damage = outputs.damage});
        });
        if (!done) return done;
    }
    if (outputs.ply) {
        if (Status done = write_ply_files(world.recording, writer); !done) return done;
    }
    if (outputs.poster || outputs.film) {
        if (Status done = write_pictures(scene, world, progress, writer, result.notes); !done)
            return done;
    }
    if (!outputs.report) return {};
    return writer.write("report", "report.json", [&](const auto& path) {
        return write_file(path, report_text(scene, world, watch, result.files));
    });
}

RunResult failed(RunResult result, const Error& error, int exit_code) {
    // As shells have it: 128 and the signal that ended the work.
    result.exit_code = interrupt_signal() ? 128 + interrupt_signal() : exit_code;
    result.error = error;
    return result;
}

}  // namespace

RunResult run_scene(const Scene& scene, const RunOptions& options, const Progress& progress) {
    const ThreadLimit limit(scene.threads);
    RunResult result;
    if (Status fine = open_out_folder(scene, options.out); !fine) {
        return failed(result, fine.error(), kFailed);
    }
    Stopwatch watch;
    World world;
    Result<std::vector<PreparedBody>> bodies = prepare_bodies(scene, progress);
    if (!bodies) return failed(result, bodies.error(), kBadInput);
    world.bodies = std::move(bodies).value();
    watch.lap("prepare");
    if (Status done = simulate(scene, options.max_frames, progress, world); !done) {
        return failed(result, done.error(), kBadInput);
    }
    watch.lap("simulate");
    result.hits = world.simulation->report().hits;
    result.incidents = static_cast<std::int64_t>(world.simulation->report().incidents.size());
    if (Status done = write_outputs(scene, options, world, progress, watch, result); !done) {
        return failed(result, done.error(), kFailed);
    }
    return result;
}

}  // namespace ductile::cli
