// SPDX-License-Identifier: MIT
#include "press_still.h"

#include <ductile/core/file.h>

#include "interrupt.h"
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ductile::cli {

PaintedMap painted_map_argument(const std::string& text) {
    PaintedMap map;
    const auto names = enum_names(PaintChannel{});
    const auto channel = std::find(names.begin(), names.end(), text);
    if (channel != names.end()) {
        map.colour = static_cast<PaintChannel>(channel - names.begin());
    } else if (text.starts_with('=')) {
        map.formula = text.substr(1);
    } else {
        map.file = text;
    }
    return map;
}

Result<PressTask> press_task(PressSetup setup, const SurfaceAsset& soft,
                             const SurfaceAsset& rigid) {
    const auto read = [](const SurfaceAsset& asset, const char* prefix,
                         PaintedMaps& maps) -> Status {
        const auto text = [](const std::string& name) { return read_file(name, kMostMapBytes); };
        const Status done = read_maps(asset, text, maps);
        if (done) return {};
        // "bulge", or "bulge/formula": the option's name begins with it.
        const Error& error = done.error();
        const std::string map = error.where.substr(0, error.where.find('/'));
        return Error{error.what, fmt::format("--{}{}-map", prefix, map), error.hint};
    };
    if (const Status done = read(soft, "", setup.maps); !done) return done.error();
    PaintedMaps of_rigid = rigid_maps(setup);
    if (const Status done = read(rigid, "rigid-", of_rigid); !done) return done.error();
    setup.rigid_region = std::move(of_rigid.region);
    PressTask task{.soft = 0, .by = {1}, .setup = std::move(setup)};
    if (const Status fine = check(task); !fine) return fine.error();
    return task;
}

Result<PressedStill> press_still(Recording recording, const PressTask& task) {
    const auto before = static_cast<std::size_t>(recording.frames[0].bodies[0].shape);
    PressedStill still;
    const auto keep = [&](std::size_t, const Pressed& pressed) { still.pressed = pressed; };
    const Result<std::vector<PressResult>> done =
        press_recording(recording, std::span(&task, 1), {.may_go_on = go_on, .on_frame = keep});
    if (!done) return done.error();
    const std::int32_t added = done.value()[0].added_points;
    if (added > 0 && task.refines_itself) {
        still.pressed.report.notes.push_back(fmt::format(
            "the soft mesh has {} more points where it was too coarse for this press", added));
    }
    const RecordedBody& other = recording.bodies[1];
    still.soft = recording.bodies[0].asset;
    still.before = recording.bodies[0].shapes[before];
    still.rigid = other.asset;
    still.rigid_points =
        other.shapes[static_cast<std::size_t>(recording.frames[0].bodies[1].shape)];
    return still;
}

}  // namespace ductile::cli
