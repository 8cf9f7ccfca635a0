// SPDX-License-Identifier: MIT
#include "report.h"

#include <ductile/deform/example/example_tuning.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/record/shown_hash.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile::cli {
namespace {

// Measuring a collider takes a tenth of a second: larger scenes go without.
constexpr std::size_t kMostMeasured = 40;

Json vector_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Of all that an object is in the engine: while it bends, its parts move each on its own.
Vec3 mean_velocity(const Engine& engine, std::span<const BodyId> parts) {
    if (parts.size() == 1) return engine.motion(parts[0]).velocity_w;
    double mass = 0.0;
    Vec3 momentum = Vec3::Zero();
    for (const BodyId part : parts) {
        mass += engine.mass(part).mass;
        momentum += engine.mass(part).mass * engine.motion(part).velocity_w;
    }
    return momentum / mass;
}

Json body_report(const World& world, std::size_t i) {
    const Simulation& sim = *world.simulation;
    Json entry = {{"name", world.bodies[i].name}};
    if (!sim.has(world.ids[i])) {
        entry["is_broken"] = true;
        return entry;
    }
    if (world.bodies[i].placement.motion == Motion::Dynamic) {
        entry["mass_kg"] = world.engine->mass(sim.body(world.ids[i])).mass;
        entry["velocity_m_s"] = vector_json(mean_velocity(*world.engine, sim.bodies(world.ids[i])));
        entry["spin_rad_s"] = vector_json(sim.motion(world.ids[i]).spin_w);
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
        const ColliderError error = collider_error(
            shape.pieces, sim.cut(world.ids[i]), state.points(), shape.triangles(), state.frames());
        entry["collider_error_percent"] = 100.0 * error.worst() / shape.size;
    }
    return entry;
}

// What folding did to a body: neither poses nor shells look after it.
Json fold_report(const BodyState& state) {
    const BodyShape& shape = state.shape();
    const double before = volume(shape.rest(), shape.triangles());
    const double after = volume(state.points(), shape.triangles());
    return {{"volume_change_percent", before != 0.0 ? 100.0 * (after / before - 1.0) : 0.0},
            {"self_crossings", count_self_crossings(state.points(), shape.triangles())},
            {"self_crossings_at_rest", count_self_crossings(shape.rest(), shape.triangles())}};
}

// What happened to a body with example poses, and how soft its run's impulses say it should be.
Json example_report(const World& world, std::size_t i, const ExampleOptions& options) {
    const BodyState& state = world.simulation->state(world.ids[i]);
    const BodyShape& shape = state.shape();
    std::vector<double> speeds;
    for (const RecordedImpact& impact : world.recording.impacts) {
        for (const std::int32_t body : impact.bodies) {
            if (body != static_cast<std::int32_t>(i)) continue;
            speeds.push_back(impact.damage_impulse / shape.mass.mass);
        }
    }
    const ExampleTuning tuning = suggest_tuning(speeds, options.reference_time);
    Json out = fold_report(state);
    out["impacts"] = tuning.impacts;
    out["hardest_m_s"] = tuning.hardest;
    out["suggested_yield_speed"] = tuning.yield_speed;
    out["suggested_softness"] = tuning.softness;
    return out;
}

}  // namespace

Result<std::string> report_text(const Scene& scene, const World& world, Stopwatch& watch,
                                const RunResult& result, const Checkpoint& checkpoint) {
    Json bodies = Json::array();
    const std::size_t count = world.bodies.size();
    for (std::size_t i = 0; i < count; ++i) {
        bodies.push_back(body_report(world, i));
        const LayerOptions& layers = scene.bodies[world.bodies[i].scene_body].layers;
        if (world.simulation->has(world.ids[i])) {  // What broke has no state any more.
            if (layers.example) {
                bodies.back()["example"] = example_report(world, i, *layers.example);
            }
            if (layers.shell) {
                bodies.back()["shell"] = fold_report(world.simulation->state(world.ids[i]));
            }
        }
        const double share = static_cast<double>(i + 1) / static_cast<double>(count);
        if (Status on = checkpoint(share); !on) return on.error();
    }
    watch.lap("report");
    const SimReport& report = world.simulation->report();
    Json json;
    json["scene"] = scene.name;
    json["frames"] = world.recording.frames.size();
    json["time_s"] = world.simulation->time();
    json["steps"] = report.steps;  // The engine's: a step of the scene that is cut has several.
    json["impacts"] = report.impacts;
    json["hits"] = report.hits;
    json["refinements"] = report.refinements;
    json["most_hits_waiting"] = report.most_waiting;
    json["reshapes"] = report.reshapes;
    json["light_reshapes"] = report.light_reshapes;
    json["wakings"] = report.wakings;
    json["missed_impacts"] = report.missed_impacts;
    json["self_crossings"] = world.simulation->self_crossings();
    if (report.breaks > 0) {
        json["breaks"] = {{"impacts", report.breaks},
                          {"late", report.late_breaks},
                          {"snaps", report.snaps},
                          {"parts", report.parts},
                          {"vanished", report.vanished},
                          {"area_m2", report.broken_area},
                          {"energy_joule", report.broken_energy}};
    }
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
