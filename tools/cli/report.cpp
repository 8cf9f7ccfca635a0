// SPDX-License-Identifier: MIT
#include "report.h"

#include <ductile/record/shown_hash.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile::cli {
namespace {

// Measuring a collider takes a tenth of a second: larger scenes go without.
constexpr std::size_t kMostMeasured = 40;

Json vector_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json body_report(const World& world, std::size_t i) {
    const Simulation& sim = *world.simulation;
    Json entry = {{"name", world.bodies[i].name}};
    if (world.bodies[i].placement.motion == Motion::Dynamic) {
        const BodyMotion motion = sim.motion(world.ids[i]);
        entry["mass_kg"] = world.engine->mass(sim.body(world.ids[i])).mass;
        entry["velocity_m_s"] = vector_json(motion.velocity_w);
        entry["spin_rad_s"] = vector_json(motion.spin_w);
    }
    if (!sim.is_deformable(world.ids[i])) return entry;
    const BodyState& state = sim.state(world.ids[i]);
    const BodyShape& shape = state.shape();
    const std::vector<double> moved = displacement(state.unskinned(), shape.rest());
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

}  // namespace

Result<std::string> report_text(const Scene& scene, const World& world, Stopwatch& watch,
                                const RunResult& result, const Checkpoint& checkpoint) {
    Json bodies = Json::array();
    const std::size_t count = world.bodies.size();
    for (std::size_t i = 0; i < count; ++i) {
        bodies.push_back(body_report(world, i));
        const double share = static_cast<double>(i + 1) / static_cast<double>(count);
        if (Status on = checkpoint(share); !on) return on.error();
    }
    watch.lap("report");
    const SimReport& report = world.simulation->report();
    Json json;
    json["scene"] = scene.name;
    json["frames"] = world.recording.frames.size();
    json["steps"] = report.steps;
    json["impacts"] = report.impacts;
    json["hits"] = report.hits;
    json["most_hits_waiting"] = report.most_waiting;
    json["reshapes"] = report.reshapes;
    json["fallbacks"] = report.fallbacks;
    json["hits_cut_by_a_limit"] = report.limited;
    json["state_hash"] = fmt::format("{:016x}", world.simulation->state_hash());
    json["shape_hash"] = fmt::format("{:016x}", world.simulation->shape_hash());
    json["shown_hash"] = fmt::format("{:016x}", shown_hash(world.recording));
    Json& energy = json["energy_joule"] = Json::object();
    visit_entries(world.simulation->ledger(),
                  [&](const char* name, double value) { energy[name] = value; });
    json["energy_withheld_joule"] = world.simulation->ledger().withheld;
    if (!scene.press.empty()) json["press"] = press_json(world.recording, world.pressed);
    json["seconds"] = watch.seconds();
    json["bodies"] = std::move(bodies);
    Json& incidents = json["incidents"] = Json::array();
    for (const Incident& incident : report.incidents) {
        incidents.push_back(
            {{"time", incident.time}, {"body", incident.body}, {"what", incident.what}});
    }
    Json& names = json["files"] = Json::array();
    for (const std::filesystem::path& file : result.files) {
        names.push_back(file.filename().string());
    }
    json["notes"] = result.notes;
    return json_text(json);
}

}  // namespace ductile::cli
