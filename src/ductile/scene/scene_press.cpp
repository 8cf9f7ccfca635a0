// SPDX-License-Identifier: MIT
#include <ductile/scene/scene.h>
#include <ductile/scene/scene_press.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

Result<std::vector<TaskPress>> press_scene(const Scene& scene, Recording& recording,
                                           const PressRun& run) {
    std::vector<PressTask> tasks;
    for (std::size_t i = 0; i < scene.press.size(); ++i) {
        const ScenePress& press = scene.press[i];
        const std::string where = fmt::format("#/press/{}", i);
        PressTask& task = tasks.emplace_back();
        const Result<std::int32_t> soft = recorded_body(recording, press.soft, where + "/soft");
        if (!soft) return soft.error();
        task.soft = soft.value();
        task.options = press.options;
        for (std::size_t k = 0; k < press.by.size(); ++k) {
            const Result<std::int32_t> by =
                recorded_body(recording, press.by[k], fmt::format("{}/by/{}", where, k));
            if (!by) return by.error();
            task.by.push_back(by.value());
        }
    }
    return press_recording(recording, tasks, run);
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
