// SPDX-License-Identifier: MIT
#include "write_outputs.h"

#include <ductile/core/file.h>
#include <ductile/core/file_names.h>
#include <ductile/export/check_recording.h>
#include <ductile/export/final_damage.h>
#include <ductile/export/glb.h>
#include <ductile/export/write_ply.h>
#include <ductile/render/film.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/journal_file.h>

#include "interrupt.h"
#include "output_writer.h"
#include "picture.h"
#include "report.h"
#include "write_caches.h"

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

Status write_pictures(const Scene& scene, const World& world, const Progress& progress,
                      OutputWriter& writer, std::vector<std::string>& notes) {
    Result<Renderer> renderer = Renderer::make(world.recording);
    if (!renderer) return renderer.error();
    const std::vector<std::string>& drawn = renderer.value().notes();
    notes.insert(notes.end(), drawn.begin(), drawn.end());
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
    if (Status done = write_caches(scene, world.recording, writer, result.notes); !done)
        return done;
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
