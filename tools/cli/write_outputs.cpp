// SPDX-License-Identifier: MIT
#include "write_outputs.h"

#include <ductile/core/file.h>
#include <ductile/export/check_recording.h>
#include <ductile/export/final_damage.h>
#include <ductile/export/glb.h>
#include <ductile/export/player.h>
#include <ductile/export/write_ply.h>
#include <ductile/render/film.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/journal_file.h>

#include "interrupt.h"
#include "out_folder.h"
#include "picture.h"
#include "report.h"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ductile::cli {
namespace {

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

// Browsers take larger pages, but people who send or serve them should know [bytes].
constexpr std::uintmax_t kLargePage = 60'000'000;

PlayerOptions player_options(const Scene& scene, const Recording& recording) {
    PlayerOptions o;
    o.title = scene.name;
    o.description = scene.description;
    o.has_ground = scene.ground.is_on;
    o.ground_height = scene.ground.height;
    o.ground_colour = scene.ground.colour;
    o.sun_direction_w = scene.picture.sun_direction_w;
    o.field_of_view_deg = scene.camera.field_of_view_deg;
    const std::size_t views = scene.camera.keys.empty() ? 1 : recording.frames.size();
    for (std::size_t f = 0; f < views; ++f) {
        const CameraKey key = camera_at(scene.camera, recording.frames[f].time);
        o.camera.push_back({key.eye_w, key.target_w});
    }
    return o;
}

Status write_player_page(const Scene& scene, const Recording& recording, OutputWriter& writer,
                         std::vector<std::string>& notes) {
    return writer.write("player", "index.html", [&](const auto& path) -> Status {
        const PlayerOptions options = player_options(scene, recording);
        if (Status done = write_player(recording, path, options); !done) return done;
        std::error_code failed;
        const std::uintmax_t size = std::filesystem::file_size(path, failed);
        if (!failed && size > kLargePage) {
            notes.push_back(fmt::format("index.html has {} MB", size / 1'000'000));
        }
        return {};
    });
}

Status write_pictures(const Scene& scene, const World& world, const Progress& progress,
                      OutputWriter& writer, std::vector<std::string>& notes) {
    Result<Renderer> renderer = Renderer::make(world.recording);
    if (!renderer) return renderer.error();
    notes.insert(notes.end(), renderer.value().notes().begin(), renderer.value().notes().end());
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

}  // namespace

Status write_outputs(const Scene& scene, const RunOptions& options, const World& world,
                     const Progress& progress, Stopwatch& watch, RunResult& result) {
    const SceneOutputs& outputs = scene.outputs;
    OutputWriter writer(options, progress, watch, result);
    if (outputs.player) {
        const Status done = write_player_page(scene, world.recording, writer, result.notes);
        if (!done) return done;
    }
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

}  // namespace ductile::cli
