// SPDX-License-Identifier: MIT
#include "write_pictures.h"

#include <ductile/render/film.h>

#include "interrupt.h"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ductile::cli {
namespace {

constexpr double kTurntableTime = 6.0;  // [s]

// One picture into several films.
class Films {
public:
    Films(std::vector<std::filesystem::path> paths, double frame_rate)
        : paths_(std::move(paths)), frame_rate_(frame_rate) {}

    Status add(const Image& image) {
        while (films_.size() < paths_.size()) {
            Result<Film> film = Film::open(paths_[films_.size()], image.width, image.height,
                                           {.frame_rate = frame_rate_});
            if (!film) return film.error();
            films_.push_back(std::move(film).value());
        }
        for (Film& film : films_) {
            if (Status added = film.add(image); !added) return added;
        }
        return {};
    }

    Status finish() {
        for (Film& film : films_) {
            if (Status done = film.finish(); !done) return done;
        }
        return {};
    }

private:
    std::vector<std::filesystem::path> paths_;
    double frame_rate_;
    std::vector<Film> films_;
};

Status fill(Films films, std::size_t count, const Checkpoint& checkpoint,
            const std::function<Result<Image>(std::size_t)>& draw) {
    for (std::size_t i = 0; i < count; ++i) {
        if (Status on = go_on(); !on) return on;
        const Result<Image> image = draw(i);
        if (!image) return image.error();
        if (Status added = films.add(image.value()); !added) return added;
        const double share = static_cast<double>(i + 1) / static_cast<double>(count);
        if (Status on = checkpoint(share); !on) return on;
    }
    return films.finish();
}

Status write_films(const Scene& scene, SceneView& view, OutputWriter& writer) {
    std::vector<std::string> names;
    if (scene.outputs.film) names.push_back(scene.name + ".mp4");
    if (scene.outputs.webm) names.push_back(scene.name + ".webm");
    if (names.empty()) return {};
    // The first one names the stage; the others come along and are noted after it.
    const Status done = writer.write("film", names.front(), [&](const auto& path) {
        std::vector<std::filesystem::path> paths;
        for (const std::string& name : names) paths.push_back(path.parent_path() / name);
        return fill(Films(std::move(paths), scene.frame_rate), view.frame_count(),
                    writer.checkpoint("film"), [&](std::size_t i) { return view.draw(i); });
    });
    if (!done || names.size() == 1) return done;
    return writer.write("film", names.back(), [](const auto&) { return Status{}; });
}

Status write_turntable(const Scene& scene, SceneView& view, OutputWriter& writer) {
    return writer.write("turntable", scene.name + "-turntable.mp4", [&](const auto& path) {
        const auto count =
            static_cast<std::size_t>(std::max(2.0, std::round(kTurntableTime * scene.frame_rate)));
        return write_film(path, scene.frame_rate, count, writer.checkpoint("turntable"),
                          [&](std::size_t i) {
                              return view.draw_around(2.0 * kPi * static_cast<double>(i) /
                                                      static_cast<double>(count));
                          });
    });
}

}  // namespace

Status write_film(const std::filesystem::path& path, double frame_rate, std::size_t count,
                  const Checkpoint& checkpoint,
                  const std::function<Result<Image>(std::size_t)>& draw) {
    return fill(Films({path}, frame_rate), count, checkpoint, draw);
}

Status write_pictures(const Scene& scene, const Recording& recording, OutputWriter& writer,
                      std::vector<std::string>& notes) {
    const SceneOutputs& wanted = scene.outputs;
    if (!wanted.poster && !wanted.film && !wanted.webm && !wanted.turntable) return {};
    Result<SceneView> view = SceneView::make(scene, recording);
    if (!view) return view.error();
    notes.insert(notes.end(), view.value().notes().begin(), view.value().notes().end());
    const double last = recording.frames.back().time;
    if (wanted.poster && wanted.poster_time.value_or(0.0) > last + 1e-9) {
        notes.push_back(
            fmt::format("outputs.poster_time is {} s, after the end: the poster shows the last "
                        "frame, at {:.4g} s",
                        *wanted.poster_time, last));
    }
    if (wanted.poster) {
        const Status done = writer.write("poster", "poster.png", [&](const auto& path) -> Status {
            const Result<Image> image = view.value().draw_poster(view.value().poster_frame());
            if (!image) return image.error();
            return write_png(path, image.value());
        });
        if (!done) return done;
    }
    if (Status done = write_films(scene, view.value(), writer); !done) return done;
    return wanted.turntable ? write_turntable(scene, view.value(), writer) : Status{};
}

}  // namespace ductile::cli
