// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/scene/idle_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace ductile {
namespace {

using Names = std::vector<std::string>;

/// Settings without effect, as notes of one body.
class IdleNotes {
public:
    IdleNotes(const SceneBody& body, std::vector<std::string>& notes)
        : body_(body), notes_(notes) {}
    void add(const Names& settings, std::string_view why) {
        if (settings.empty()) return;
        tell(fmt::format("{} {} no effect: {}", fmt::join(settings, ", "),
                         settings.size() == 1 ? "has" : "have", why));
    }

    void tell(std::string_view what) { notes_.push_back(fmt::format("{}: {}", body_.name, what)); }

private:
    const SceneBody& body_;
    std::vector<std::string>& notes_;
};

/// Fields of options that differ from their defaults, each told once.
class ChangedFields {
public:
    template <class Options>
    ChangedFields(const Options& options, std::string prefix) : prefix_(std::move(prefix)) {
        const Json usual = write_fields(Options{}), own = write_fields(options);
        for (const auto& [name, value] : own.items()) {
            if (!usual.contains(name) || usual[name] != value) changed_.insert(name);
        }
    }
    Names take(std::initializer_list<const char*> names) {
        Names out;
        for (const char* name : names) {
            if (changed_.erase(name) > 0) out.push_back(prefix_ + name);
        }
        return out;
    }

private:
    std::string prefix_;
    std::set<std::string> changed_;
};

void add_coat_notes(const TissueOptions& coat, IdleNotes& notes) {
    ChangedFields changed(coat, "tissue.");
    if (coat.is_rigid) {
        // Of the coat it has the shape and the weight alone.
        notes.add(
            changed.take({"per_edge", "spacing", "layers", "group_size", "flatness", "stiffness",
                          "torsion", "stretch_limit", "yield_strain", "flow", "flow_limit",
                          "groups", "damping", "friction", "touches_itself", "seed"}),
            "it is rigid");
    }
    if (coat.layout == TissueLayout::Box) {
        notes.add(changed.take({"thickness", "spacing", "seed"}),
                  "the box layout goes by extrusion and per_edge");
    } else {
        notes.add(changed.take({"per_edge", "extrusion"}), "only the box layout has them");
    }
    if (coat.layout == TissueLayout::Chain) {
        notes.add(changed.take({"spacing", "seed", "flatness", "group_size"}),
                  "a chain is one row of particles");
    }
    if (coat.layout == TissueLayout::Surface && !coat.skin.empty()) {
        notes.add(changed.take({"thickness"}), "its skin says how thick it is");
    }
    if (coat.mass > 0) notes.add(changed.take({"density"}), "its mass is given");
    if (coat.yield_strain == 0) {
        notes.add(changed.take({"flow", "flow_limit"}), "without yield_strain nothing flows");
    }
}

/// Who moves a driven body along an axis: its phases, unless there is a reason why not.
std::string_view why_not_phases(const DriveOptions& drive, int axis) {
    if (names_axis(drive.free_axes, axis)) return "these axes are free";
    if (!drive.in_step_with.empty() && names_axis(drive.in_step_axes, axis)) {
        return "along these axes it keeps in step";
    }
    return "";
}

void add_phase_notes(const DriveOptions& drive, const DrivePhase& phase, const std::string& place,
                     IdleNotes& notes) {
    if (phase.is_off) {
        ChangedFields changed(phase, place);
        notes.add(changed.take({"velocity", "force", "spin"}), "it is off");
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const std::string_view why = why_not_phases(drive, k);
        const auto named = [&](const char* field) {
            return fmt::format("{}{}.{}", place, field, "xyz"[k]);
        };
        Names settings;
        const bool is_pushed = phase.force[k] != 0;
        if (phase.velocity[k] != 0 && (is_pushed || !why.empty())) {
            settings.push_back(named("velocity"));
        }
        if (is_pushed && !why.empty()) settings.push_back(named("force"));
        notes.add(settings, why.empty() ? "a force pushes along this axis" : why);
    }
    if (phase.spin != Vec3::Zero() && (drive.turns_freely || drive.moment_limit == 0)) {
        notes.add({place + "spin"}, drive.turns_freely ? "it turns freely" : "moment_limit is 0");
    }
}

bool has_push(const DriveOptions& drive) {
    return std::ranges::any_of(drive.phases, [&](const DrivePhase& phase) {
        for (int k = 0; k < 3; ++k) {
            if (!phase.is_off && phase.force[k] != 0 && why_not_phases(drive, k).empty()) {
                return true;
            }
        }
        return false;
    });
}

/// How a body starts, where its drive holds it from then on.
void add_start_notes(const SceneBody& body, IdleNotes& notes) {
    const DriveOptions& drive = *body.drive;
    const bool begins_at_once = !drive.phases.empty() && drive.phases.front().time <= 0;
    const DrivePhase first = begins_at_once ? drive.phases.front() : DrivePhase{};
    if (first.is_off) return;
    Names settings;
    for (int k = 0; k < 3; ++k) {
        const bool is_held = drive.force_limit > 0 && why_not_phases(drive, k).empty() &&
                             first.force[k] == 0 && first.velocity[k] == 0;
        if (is_held && body.velocity[k] != 0) {
            settings.push_back(fmt::format("velocity.{}", "xyz"[k]));
        }
    }
    const bool is_turn_held =
        drive.moment_limit > 0 && !drive.turns_freely && first.spin == Vec3::Zero();
    if (is_turn_held && body.spin != Vec3::Zero()) settings.push_back("spin");
    notes.add(settings, "its drive stops it at once, as far as its limits go");
}

void add_drive_notes(const Scene& scene, const SceneBody& body, IdleNotes& notes) {
    const DriveOptions& drive = *body.drive;
    ChangedFields changed(drive, "drive.");
    if (drive.in_step_with.empty()) {
        notes.add(changed.take({"in_step_axes"}), "it is in step with nobody");
    }
    if (drive.in_step_axes.empty()) {
        notes.add(changed.take({"in_step_with"}), "in_step_axes names none");
    }
    if (drive.turns_freely) notes.add(changed.take({"moment_limit"}), "it turns freely");
    if (!has_push(drive)) notes.add(changed.take({"never_back"}), "no phase pushes with a force");
    bool is_all_free = true;
    for (int k = 0; k < 3; ++k) is_all_free &= names_axis(drive.free_axes, k);
    if (drive.force_limit == 0 && !is_all_free) {
        notes.tell("with a drive.force_limit of 0 nothing holds or moves it but forces of phases");
    }
    for (std::size_t i = 0; i < drive.phases.size(); ++i) {
        const std::string place = fmt::format("drive.phases.{}", i);
        if (drive.phases[i].time >= scene.duration) {
            notes.add({place}, "it begins when the scene has ended");
        } else {
            add_phase_notes(drive, drive.phases[i], place + ".", notes);
        }
    }
    if (body.keys.empty()) add_start_notes(body, notes);
}

}  // namespace

std::vector<std::string> idle_settings(const Scene& scene) {
    std::vector<std::string> out;
    for (const SceneBody& body : scene.bodies) {
        IdleNotes notes(body, out);
        if (body.tissue) add_coat_notes(*body.tissue, notes);
        if (body.drive) add_drive_notes(scene, body, notes);
    }
    return out;
}

}  // namespace ductile
