// SPDX-License-Identifier: MIT
#include <ductile/core/expression.h>
#include <ductile/core/file.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/scene.h>
#include <ductile/scene/scene_press.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace ductile {
namespace {

Result<std::int32_t> recorded_body(const Recording& recording, const std::string& name,
                                   const std::string& where) {
    const auto at = std::find_if(recording.bodies.begin(), recording.bodies.end(),
                                 [&](const RecordedBody& b) { return b.name == name; });
    if (at != recording.bodies.end()) {
        return static_cast<std::int32_t>(at - recording.bodies.begin());
    }
    return Error{"no body is called '" + name + "'", where, "name a body, or one copy"};
}

void check_map(const std::optional<ScenePressMap>& map, const std::string& pointer,
               std::vector<Error>& errors) {
    if (!map) return;
    const int given = !map->formula.empty() + !map->file.empty() + map->colour.has_value();
    if (given != 1) {
        errors.push_back({"a map has one of formula, file and colour", pointer,
                          given == 0 ? "give one of them" : "leave the others out"});
    }
    if (map->formula.empty()) return;
    if (const auto read = parse_expression(map->formula, kMapVariables); !read) {
        const Error& error = read.error();
        errors.push_back({error.where + ": " + error.what, pointer + "/formula", error.hint});
    }
}

void check_maps(const ScenePressMaps& maps, const std::string& pointer,
                std::vector<Error>& errors) {
    check_map(maps.stiffness, pointer + "/stiffness", errors);
    check_map(maps.bulge, pointer + "/bulge", errors);
}

Result<std::vector<double>> read_scene_map(const Scene& scene, const ScenePressMap& map,
                                           const SurfaceAsset& asset) {
    if (!map.formula.empty()) return map_from_formula(map.formula, asset.surface.points);
    if (map.colour) return map_from_colours(asset, *map.colour, map.black, map.white);
    const Result<std::filesystem::path> path = find_scene_file(scene, map.file);
    if (!path) return path.error();
    const Result<std::string> text = read_file(path.value(), kMostMapBytes);
    if (!text) return text.error();
    return map_from_text(text.value(), asset);
}

Result<PressMaps> read_scene_maps(const Scene& scene, const ScenePressMaps& maps,
                                  const SurfaceAsset& asset, const std::string& where) {
    PressMaps out;
    const auto read = [&](const std::optional<ScenePressMap>& map, const char* name,
                          std::vector<double>& into) -> Status {
        if (!map) return {};
        Result<std::vector<double>> done = read_scene_map(scene, *map, asset);
        if (!done) {
            const Error& error = done.error();
            const std::string at = error.where.empty() ? "" : error.where + ": ";
            return Error{at + error.what, where + "/" + name, error.hint};
        }
        into = std::move(done).value();
        return {};
    };
    if (const Status done = read(maps.stiffness, "stiffness", out.stiffness); !done) {
        return done.error();
    }
    if (const Status done = read(maps.bulge, "bulge", out.bulge); !done) return done.error();
    if (const Status fine = check(out, asset.surface.points.size()); !fine) {
        return Error{fine.error().where + ": " + fine.error().what, where, fine.error().hint};
    }
    return out;
}

/// A press of a scene on its recording as that now is.
Result<PressTask> task_of(const Scene& scene, std::size_t index, const Recording& recording) {
    const ScenePress& press = scene.press[index];
    const std::string where = fmt::format("#/press/{}", index);
    const auto asset = [&](std::int32_t body) -> const SurfaceAsset& {
        return *recording.bodies[static_cast<std::size_t>(body)].asset;
    };
    PressTask task;
    const Result<std::int32_t> soft = recorded_body(recording, press.soft, where + "/soft");
    if (!soft) return soft.error();
    task.soft = soft.value();
    for (std::size_t k = 0; k < press.by.size(); ++k) {
        const Result<std::int32_t> by =
            recorded_body(recording, press.by[k], fmt::format("{}/by/{}", where, k));
        if (!by) return by.error();
        task.by.push_back(by.value());
    }
    task.options = press.options;
    Result<PressMaps> maps = read_scene_maps(scene, press.maps, asset(task.soft), where + "/maps");
    if (!maps) return maps.error();
    task.extras = {std::move(maps).value(), press.detail, press.proxy};
    task.refine = press.refine;
    if (!press.both) return task;
    maps = read_scene_maps(scene, press.both->maps, asset(task.by[0]), where + "/both/maps");
    if (!maps) return maps.error();
    task.both = PressShare{press.both->share, press.both->options.value_or(press.options),
                           std::move(maps).value()};
    return task;
}

/// The worst over the frames of a task.
struct PressPeaks {
    std::int32_t overlaps = 0, zones = 0, fallbacks = 0;
    double displaced_volume = 0.0;  ///< [m^3]
    double volume_share = 0.0;      ///< Change over displaced, at the frame that displaces most.
    std::map<std::string, std::pair<std::int32_t, std::int32_t>> notes;  ///< How often, and first.
};

PressPeaks peaks_of(const TaskPress& task) {
    PressPeaks peaks;
    for (const FramePress& frame : task.frames) {
        const PressReport& r = frame.report;
        peaks.overlaps = std::max(peaks.overlaps, r.overlaps);
        peaks.zones = std::max(peaks.zones, r.zones);
        peaks.fallbacks += r.fallbacks;
        if (std::abs(r.displaced_volume) > peaks.displaced_volume) {
            peaks.displaced_volume = std::abs(r.displaced_volume);
            peaks.volume_share = r.volume_change / peaks.displaced_volume;
        }
        for (const std::string& note : r.notes) {
            auto& entry = peaks.notes.try_emplace(note, 0, frame.frame).first->second;
            ++entry.first;
        }
    }
    return peaks;
}

}  // namespace

std::vector<Error> check_press(const ScenePress& press, const std::string& pointer) {
    std::vector<Error> errors;
    PressTask task;
    task.by.assign(press.by.size(), 0);
    task.options = press.options;
    task.extras = {{}, press.detail, press.proxy};
    task.refine = press.refine;
    if (press.both) {
        task.both = PressShare{press.both->share, press.both->options.value_or(press.options), {}};
    }
    // An empty list is told by whoever knows the names.
    if (const Status fine = check(task); !fine && !press.by.empty()) {
        errors.push_back(
            {fine.error().what, pointer + "/" + fine.error().where, fine.error().hint});
    }
    check_maps(press.maps, pointer + "/maps", errors);
    if (press.both) check_maps(press.both->maps, pointer + "/both/maps", errors);
    return errors;
}

Result<std::vector<TaskPress>> press_scene(const Scene& scene, Recording& recording,
                                           const PressRun& run) {
    std::vector<TaskPress> all;
    const auto count = static_cast<double>(scene.press.size());
    for (std::size_t i = 0; i < scene.press.size(); ++i) {
        // Made when its turn comes: the press before may have made a mesh finer.
        const Result<PressTask> task = task_of(scene, i, recording);
        if (!task) return task.error();
        PressRun one = run;
        if (run.progress) {
            one.progress = [&, i](std::string_view stage, double share) {
                run.progress(stage, (static_cast<double>(i) + share) / count);
            };
        }
        Result<std::vector<TaskPress>> done =
            press_recording(recording, std::span(&task.value(), 1), one);
        if (!done) return done.error();
        std::move(done.value().begin(), done.value().end(), std::back_inserter(all));
    }
    return all;
}

Json press_json(const Recording& recording, std::span<const TaskPress> done) {
    Json all = Json::array();
    for (const TaskPress& task : done) {
        const PressPeaks peaks = peaks_of(task);
        Json entry = {{"soft", recording.bodies[static_cast<std::size_t>(task.soft)].name},
                      {"frames_touched", task.frames.size()},
                      {"most_overlaps", peaks.overlaps},
                      {"most_zones", peaks.zones},
                      {"fallbacks", peaks.fallbacks},
                      {"most_displaced_m3", peaks.displaced_volume},
                      {"volume_change_share", peaks.volume_share}};
        Json& notes = entry["notes"] = Json::array();
        for (const auto& [note, seen] : peaks.notes) {
            notes.push_back({{"what", note}, {"frames", seen.first}, {"first", seen.second}});
        }
        Json& frames = entry["frames"] = Json::array();
        for (const FramePress& frame : task.frames) {
            const PressReport& r = frame.report;
            frames.push_back({{"frame", frame.frame},
                              {"overlaps", r.overlaps},
                              {"zones", r.zones},
                              {"fallbacks", r.fallbacks},
                              {"moved_points", r.moved_points},
                              {"displaced_m3", r.displaced_volume},
                              {"change_m3", r.volume_change}});
        }
        all.push_back(std::move(entry));
    }
    return all;
}

std::vector<std::string> press_words(const Recording& recording, std::span<const TaskPress> done) {
    std::vector<std::string> lines;
    for (const TaskPress& task : done) {
        const PressPeaks peaks = peaks_of(task);
        const std::string& name = recording.bodies[static_cast<std::size_t>(task.soft)].name;
        std::string line = fmt::format("{} is pressed in {} of {} frames", name, task.frames.size(),
                                       recording.frames.size());
        if (!task.frames.empty()) {
            line += fmt::format(
                "; at most {} overlaps and {} zones; {} left as they were; {:.3g} m^3 displaced, "
                "the volume changed by {:.2g} % of it",
                peaks.overlaps, peaks.zones, peaks.fallbacks, peaks.displaced_volume,
                100.0 * peaks.volume_share);
        }
        lines.push_back(std::move(line));
        for (const auto& [note, seen] : peaks.notes) {
            lines.push_back(
                fmt::format("{}, {} frames from {} on: {}", name, seen.first, seen.second, note));
        }
    }
    return lines;
}

}  // namespace ductile
