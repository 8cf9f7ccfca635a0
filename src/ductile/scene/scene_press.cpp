// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/scene.h>
#include <ductile/scene/scene_press.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

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

/// An error with its field's path as a JSON pointer.
Error below(const std::string& pointer, const Error& error) {
    return {error.what, pointer + "/" + error.where, error.hint};
}

Status read_scene_maps(const Scene& scene, const SurfaceAsset& asset, const std::string& pointer,
                       PaintedMaps& maps) {
    const auto read = [&](const std::string& name) -> Result<std::string> {
        const Result<std::filesystem::path> path = find_scene_file(scene, name);
        return path ? read_file(path.value(), kMostMapBytes) : path.error();
    };
    const Status done = read_maps(asset, read, maps);
    return done ? done : below(pointer, done.error());
}

/// Whether what is written has the vertices of the meshes' files, to be played on these.
bool keeps_vertices(const SceneOutputs& o) {
    return o.pc2 || o.mdd || o.usd || o.obj_sequence || o.ply || o.ply_sequence;
}

/// A press of a scene on its recording as that now is.
Result<PressTask> task_of(const Scene& scene, std::size_t index, const Recording& recording) {
    const ScenePress& press = scene.press[index];
    const std::string where = fmt::format("#/press/{}", index);
    const auto asset = [&](std::int32_t body) -> const SurfaceAsset& {
        return *recording.bodies[static_cast<std::size_t>(body)].asset;
    };
    PressTask task{.refines_itself = !keeps_vertices(scene.outputs), .setup = press.setup};
    const Result<std::int32_t> soft = recorded_body(recording, press.soft, where + "/soft");
    if (!soft) return soft.error();
    task.soft = soft.value();
    for (std::size_t k = 0; k < press.by.size(); ++k) {
        const Result<std::int32_t> by =
            recorded_body(recording, press.by[k], fmt::format("{}/by/{}", where, k));
        if (!by) return by.error();
        task.by.push_back(by.value());
    }
    PressSetup& setup = task.setup;
    if (const Status read = read_scene_maps(scene, asset(task.soft), where + "/maps", setup.maps);
        !read) {
        return read.error();
    }
    if (setup.rigid_region) {
        PaintedMaps maps = rigid_maps(setup);
        const Status read =
            read_scene_maps(scene, asset(task.by[0]), where + "/rigid_region", maps);
        if (!read) return read.error();
        setup.rigid_region = std::move(maps.region);
    }
    if (!setup.both) return task;
    const Status read =
        read_scene_maps(scene, asset(task.by[0]), where + "/both/maps", setup.both->maps);
    if (!read) return read.error();
    return task;
}

/// In which frames a note was made. Notes that differ by numbers alone are one.
struct NoteFrames {
    std::int32_t count = 0, first = 0;
    std::int32_t shown = 0;  ///< The first frame of those with the largest numbers,
    std::string text;        ///< what it says,
    std::vector<double> numbers{};
    bool has_others = false;  ///< and whether another one says other numbers.
};

/// The worst over the frames of a task.
struct PressPeaks {
    std::int32_t overlaps = 0, zones = 0, fallbacks = 0;
    double displaced_volume = 0.0;  ///< [m^3]
    double volume_share = 0.0;      ///< Change over displaced, at the frame that displaces most.
    PressResiduals left;
    std::map<std::string, NoteFrames> notes;  ///< By their words without numbers.
};

/// A note without its numbers, and these.
std::pair<std::string, std::vector<double>> text_and_numbers(const std::string& note) {
    std::pair<std::string, std::vector<double>> apart;
    for (std::size_t i = 0; i < note.size();) {
        double number = 0.0;
        const char* const begin = note.data() + i;
        const char* const end = note.data() + note.size();
        const bool is_number = note[i] >= '0' && note[i] <= '9';
        const char* const after = is_number ? std::from_chars(begin, end, number).ptr : begin + 1;
        if (is_number) {
            apart.second.push_back(number);
        } else {
            apart.first += note[i];
        }
        i += static_cast<std::size_t>(after - begin);
    }
    return apart;
}

PressPeaks peaks_of(const PressResult& result) {
    PressPeaks peaks;
    for (const FrameReport& frame : result.frames) {
        const PressReport& r = frame.report;
        peaks.overlaps = std::max(peaks.overlaps, r.overlaps);
        peaks.zones = std::max(peaks.zones, r.zones);
        peaks.fallbacks += r.fallbacks;
        if (std::abs(r.displaced_volume) > peaks.displaced_volume) {
            peaks.displaced_volume = std::abs(r.displaced_volume);
            peaks.volume_share = r.volume_change / peaks.displaced_volume;
        }
        if (r.left) {
            peaks.left.depth_left = std::max(peaks.left.depth_left, r.left->depth_left);
            peaks.left.folds = std::max(peaks.left.folds, r.left->folds);
            peaks.left.worst_stretch = std::max(peaks.left.worst_stretch, r.left->worst_stretch);
            peaks.left.self_crossings = std::max(peaks.left.self_crossings, r.left->self_crossings);
        }
        for (const std::string& note : r.notes) {
            auto [pattern, numbers] = text_and_numbers(note);
            auto [at, is_new] = peaks.notes.try_emplace(std::move(pattern));
            NoteFrames& seen = at->second;
            if (is_new) seen = {0, frame.frame, frame.frame, note, numbers};
            ++seen.count;
            seen.has_others = seen.has_others || numbers != seen.numbers;
            if (!(numbers > seen.numbers)) continue;
            seen.shown = frame.frame;
            seen.text = note;
            seen.numbers = std::move(numbers);
        }
    }
    return peaks;
}

/// A field's name with its unit, as reports have it.
std::string report_key(const Field& field) {
    std::string key(field.name);
    if (!field.unit.empty()) key += "_";
    for (const char c : field.unit) {
        if (c != '^') key += c;
    }
    return key;
}

}  // namespace

std::vector<Error> check_press(const ScenePress& press, const std::string& pointer) {
    PressTask task{.setup = press.setup};
    task.by.assign(press.by.size(), 0);
    // An empty list is reported by whoever knows the names.
    const Status fine = press.by.empty() ? check(task.setup) : check(task);
    if (fine) return {};
    return {below(pointer, fine.error())};
}

Result<std::vector<PressResult>> press_scene(const Scene& scene, Recording& recording,
                                             const PressCallbacks& callbacks) {
    std::vector<PressResult> all;
    const auto count = static_cast<double>(scene.press.size());
    for (std::size_t i = 0; i < scene.press.size(); ++i) {
        // Made when its turn comes: the press before may have made a mesh finer.
        const Result<PressTask> task = task_of(scene, i, recording);
        if (!task) return task.error();
        PressCallbacks own = callbacks;
        if (callbacks.progress) {
            own.progress = [&, i](std::string_view stage, double share) {
                callbacks.progress(stage, (static_cast<double>(i) + share) / count);
            };
        }
        Result<std::vector<PressResult>> done =
            press_recording(recording, std::span(&task.value(), 1), own);
        if (!done) return done.error();
        std::move(done.value().begin(), done.value().end(), std::back_inserter(all));
    }
    return all;
}

Json press_report_json(const PressReport& report) {
    Json json;
    PressReport copy = report;
    visit_fields(copy, [&]<class Value>(const Field& field, Value& value) {
        if constexpr (std::is_same_v<Value, std::optional<PressResiduals>>) {
            if (!value) return;
            visit_fields(*value, [&](const Field& own, const auto& number) {
                json[report_key(own)] = number;
            });
        } else {
            json[report_key(field)] = value;
        }
    });
    return json;
}

Json press_json(const Recording& recording, std::span<const PressResult> results) {
    Json all = Json::array();
    for (const PressResult& result : results) {
        const PressPeaks peaks = peaks_of(result);
        Json entry = {{"soft", recording.bodies[static_cast<std::size_t>(result.soft)].name},
                      {"frames_touched", result.frames.size()},
                      {"most_overlaps", peaks.overlaps},
                      {"most_zones", peaks.zones},
                      {"fallbacks", peaks.fallbacks},
                      {"most_displaced_m3", peaks.displaced_volume},
                      {"volume_change_share", peaks.volume_share},
                      {"most_depth_left_m", peaks.left.depth_left},
                      {"most_folds", peaks.left.folds},
                      {"worst_stretch", peaks.left.worst_stretch},
                      {"most_self_crossings", peaks.left.self_crossings},
                      {"added_points", result.added_points}};
        Json& notes = entry["notes"] = Json::array();
        for (const auto& [pattern, seen] : peaks.notes) {
            notes.push_back({{"what", seen.text},
                             {"frames", seen.count},
                             {"first", seen.first},
                             {"shown", seen.shown}});
        }
        Json& frames = entry["frames"] = Json::array();
        for (const FrameReport& frame : result.frames) {
            Json& line = frames.emplace_back(Json{{"frame", frame.frame}});
            line.update(press_report_json(frame.report));
        }
        all.push_back(std::move(entry));
    }
    return all;
}

std::vector<std::string> press_summary(const Recording& recording,
                                       std::span<const PressResult> results) {
    std::vector<std::string> lines;
    for (const PressResult& result : results) {
        const PressPeaks peaks = peaks_of(result);
        const std::string& name = recording.bodies[static_cast<std::size_t>(result.soft)].name;
        std::string line = fmt::format("{} is pressed in {} of {} frames", name,
                                       result.frames.size(), recording.frames.size());
        if (result.frames.empty()) line += ": what presses it overlaps it in none";
        if (!result.frames.empty()) {
            line += fmt::format(
                "; at most {} overlaps and {} zones; {} left as they were; {:.3g} m^3 displaced, "
                "the volume changed by {:.2g} % of it; left: {:.2g} m inside, {} folds, stretched "
                "to {:.1f}, {} self-crossings",
                peaks.overlaps, peaks.zones, peaks.fallbacks, peaks.displaced_volume,
                100.0 * peaks.volume_share, peaks.left.depth_left, peaks.left.folds,
                peaks.left.worst_stretch, peaks.left.self_crossings);
        }
        if (result.added_points > 0) {
            line += fmt::format("; its mesh has {} more points for it", result.added_points);
        }
        lines.push_back(std::move(line));
        for (const auto& [pattern, seen] : peaks.notes) {
            const std::string as_in =
                seen.has_others ? fmt::format(", most in frame {}", seen.shown) : "";
            lines.push_back(fmt::format("{}, {} frames from {} on{}: {}", name, seen.count,
                                        seen.first, as_in, seen.text));
        }
    }
    return lines;
}

}  // namespace ductile
