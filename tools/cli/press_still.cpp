// SPDX-License-Identifier: MIT
#include "press_still.h"

#include <ductile/core/file.h>

#include "interrupt.h"

#include <algorithm>
#include <utility>

namespace ductile::cli {
namespace {

std::optional<PaintChannel> channel_named(const std::string& name) {
    const auto names = enum_names(PaintChannel{});
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<PaintChannel>(found - names.begin());
}

bool is_map_file(const std::string& name) {
    return !name.empty() && name[0] != '=' && !channel_named(name);
}

Result<std::vector<double>> read_map(const std::string& name, const SurfaceAsset& soft) {
    const auto named = [&](Result<std::vector<double>> map) -> Result<std::vector<double>> {
        if (map) return map;
        const Error& error = map.error();
        return Error{error.what, error.where.empty() ? name : name + ": " + error.where,
                     error.hint};
    };
    if (name.empty()) return std::vector<double>();
    if (name[0] == '=') return named(map_from_formula(name.substr(1), soft.surface.points));
    if (const auto channel = channel_named(name)) return named(map_from_colours(soft, *channel));
    const Result<std::string> text = read_file(name, kMostMapBytes);
    if (!text) return text.error();
    return named(map_from_text(text.value(), soft));
}

}  // namespace

std::vector<std::filesystem::path> PressWays::files() const {
    std::vector<std::filesystem::path> out;
    if (is_map_file(stiffness_map)) out.emplace_back(stiffness_map);
    if (is_map_file(bulge_map)) out.emplace_back(bulge_map);
    return out;
}

Result<PressTask> press_task(const PressWays& ways, const SurfaceAsset& soft,
                             const PressOptions& options) {
    PressTask task{.soft = 0, .by = {1}, .options = options};
    PressMaps& maps = task.extras.maps;
    Result<std::vector<double>> stiffness = read_map(ways.stiffness_map, soft);
    if (!stiffness) return stiffness.error();
    Result<std::vector<double>> bulge = read_map(ways.bulge_map, soft);
    if (!bulge) return bulge.error();
    maps.stiffness = std::move(stiffness).value();
    maps.bulge = std::move(bulge).value();
    if (const Status fine = check(maps, soft.surface.points.size()); !fine) return fine.error();
    if (ways.detail > 0) task.extras.detail = PressDetailOptions{.rounds = ways.detail};
    if (ways.uses_proxy) task.extras.proxy = PressProxyOptions{};
    if (!ways.proxy_way.empty()) {
        task.extras.proxy =
            PressProxyOptions{Vec3(ways.proxy_way[0], ways.proxy_way[1], ways.proxy_way[2])};
    }
    if (ways.refines) task.refine = PressRefineOptions{};
    if (ways.share) task.both = PressShare{*ways.share, options, {}};
    if (const Status fine = check(task); !fine) {
        return Error{fine.error().what, "press", fine.error().hint};
    }
    return task;
}

Result<PressedStill> press_still(Recording recording, const PressTask& task) {
    const auto before = static_cast<std::size_t>(recording.frames[0].bodies[0].shape);
    PressedStill still;
    const auto keep = [&](std::size_t, const Pressed& pressed) { still.pressed = pressed; };
    const Result<std::vector<TaskPress>> done =
        press_recording(recording, std::span(&task, 1), {.may_go_on = go_on, .see = keep});
    if (!done) return done.error();
    const RecordedBody& other = recording.bodies[1];
    still.soft = recording.bodies[0].asset;
    still.before = recording.bodies[0].shapes[before];
    still.rigid = other.asset;
    still.rigid_points =
        other.shapes[static_cast<std::size_t>(recording.frames[0].bodies[1].shape)];
    return still;
}

}  // namespace ductile::cli
