// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/run_frames.h>

#include <fmt/format.h>

#include <map>

namespace ductile {
namespace {

/// As Simulation::shape_hash.
std::uint64_t shape_hash(std::span<const PreparedBody> bodies,
                         std::span<const std::vector<Vec3>> surfaces) {
    Hasher hasher;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].shape()) hasher.add(std::span<const Vec3>(surfaces[i]));
    }
    return hasher.value();
}

const BodyJournal* find_journal(const JournalFile& file, const std::string& name) {
    for (const BodyJournal& body : file.bodies) {
        if (body.name == name) return &body;
    }
    return nullptr;
}

/// Where each body is drawn.
std::vector<Transform> replay_poses(const JournalFile& file, std::span<const PreparedBody> bodies,
                                    double time) {
    std::map<std::string, std::size_t> place;
    std::vector<Transform> poses;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyJournal* journal = find_journal(file, bodies[i].name);
        poses.push_back(journal ? journal->pose_w : bodies[i].placement.pose_w);
        place[bodies[i].name] = i;
    }
    const std::vector<PlacedBody> placed = place_bodies(file.scene);
    std::vector<Transform> starts(placed.size());
    for (std::size_t k = 0; k < placed.size(); ++k) {
        const auto at = place.find(placed[k].name);
        if (at != place.end()) starts[k] = bodies[at->second].placement.pose_w;
    }
    const auto keyed = keyed_poses(file.scene, starts, time);
    for (std::size_t k = 0; k < placed.size(); ++k) {
        const auto at = place.find(placed[k].name);
        if (at != place.end() && keyed[k]) poses[at->second] = *keyed[k];
    }
    return poses;
}

/// A part of a body that broke.
PreparedBody part_of(const PreparedBody& whole, std::string name,
                     std::shared_ptr<const BodyShape> shape) {
    PreparedBody part = whole;
    part.name = part.placement.name = std::move(name);
    part.notes.clear();
    part.model.asset = painted_as(*whole.asset(), shape->asset);
    part.model.mass = shape->mass;
    part.model.size = shape->size;
    part.model.shape = std::move(shape);
    return part;
}

/// By the numbers that parts have.
using PartsByNumber = std::map<std::int32_t, PreparedBody>;

// A body, or what it broke into, or what that did.
Status add_present(const JournalFile& file, const PreparedBody& body, const std::string& whole,
                   double time, PresentBodies& out, PartsByNumber& parts, std::int32_t number) {
    const BodyJournal* known = find_journal(file, body.name);
    if (!known) return Error{"is missing in the journal", "body " + body.name, ""};
    std::shared_ptr<const BodyShape> scored = body.shape();
    if (const auto centre = break_centre(known->journal); centre && scored) {
        auto made = centred_shape(scored, *centre);
        if (!made) return Error{made.error().what, "body " + body.name, made.error().hint};
        scored = std::move(made).value();
    }
    const auto* data = scored ? scored->data<FractureData>() : nullptr;
    if (data) {
        if (const Status fits = check_journal_fits(known->journal, *scored); !fits) {
            return Error{fits.error().what, "body " + body.name + fits.error().where,
                         fits.error().hint};
        }
        if (has_vanished(known->journal, time)) return {};
    }
    const auto division = data ? data->division(known->journal, time) : std::nullopt;
    if (!division) {
        if (number > 0) {
            parts.insert_or_assign(number, body);
        } else {
            out.bodies.push_back(body);
        }
        return {};
    }
    for (std::size_t k = 0; k < division->parts.size(); ++k) {
        auto shape = data->part_shape(division->parts[k], scored);
        if (!shape) return Error{shape.error().what, "body " + body.name, shape.error().hint};
        const auto own = division->first_part + static_cast<std::int32_t>(k);
        const PreparedBody part =
            part_of(body, fmt::format("{}.{}", whole, own), std::move(shape).value());
        if (own <= number) return Error{"parts are numbered in order", "body " + body.name, ""};
        const Status added = add_present(file, part, whole, time, out, parts, own);
        if (!added) return added;
    }
    return {};
}

}  // namespace

Result<PresentBodies> bodies_at(const JournalFile& file, std::span<const PreparedBody> bodies,
                                double time) {
    PresentBodies out;
    PartsByNumber parts;
    for (const PreparedBody& body : bodies) {
        const Status added = add_present(file, body, body.name, time, out, parts, 0);
        if (!added) return added.error();
    }
    for (auto& [number, part] : parts) out.bodies.push_back(std::move(part));
    return out;
}

PresentBodies present_bodies(std::span<const PreparedBody> bodies, std::span<const ObjectId> ids,
                             const Simulation& simulation) {
    PresentBodies out;
    std::map<ObjectId, std::size_t> whole_of;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        whole_of[ids[i]] = i;
        if (!simulation.has(ids[i])) continue;
        out.bodies.push_back(bodies[i]);
        out.ids.push_back(ids[i]);
    }
    for (const Birth& birth : simulation.births()) {
        const auto whole = whole_of.find(birth.parent);
        if (whole == whole_of.end()) continue;
        whole_of[birth.object] = whole->second;
        if (!simulation.has(birth.object)) continue;
        out.bodies.push_back(part_of(bodies[whole->second], simulation.name(birth.object),
                                     simulation.state(birth.object).shared_shape()));
        out.ids.push_back(birth.object);
    }
    return out;
}

Result<ReplayedShapes> replay_shapes(const JournalFile& file, std::span<const PreparedBody> bodies,
                                     double time) {
    ReplayedShapes out;
    out.surfaces.resize(bodies.size());
    out.assets.resize(bodies.size());
    std::vector<Status> problems(bodies.size());
    parallel_for(bodies.size(), 1, [&](std::size_t i) {
        out.assets[i] = bodies[i].asset();
        out.surfaces[i] = bodies[i].asset()->surface.points;
        if (!bodies[i].shape()) return;
        for (const BodyJournal& body : file.bodies) {
            if (body.name != bodies[i].name) continue;
            const auto shape = refined_shape(bodies[i].shape(), body.journal);
            if (!shape) {
                problems[i] = Error{shape.error().what, "body " + body.name, shape.error().hint};
                return;
            }
            if (const Status fits = check_journal_fits(body.journal, *shape.value()); !fits) {
                problems[i] = Error{fits.error().what, "body " + body.name + fits.error().where,
                                    fits.error().hint};
                return;
            }
            out.assets[i] = split_asset(bodies[i].asset(), shape.value()->splits);
            out.surfaces[i] = shape_at(*shape.value(), body.journal, time);
        }
    });
    for (const Status& problem : problems) {
        if (!problem) return problem.error();
    }
    out.shape_hash = shape_hash(bodies, out.surfaces);
    return out;
}

ReplayedShapes simulated_shapes(std::span<const PreparedBody> bodies, std::span<const ObjectId> ids,
                                const Simulation& simulation) {
    ReplayedShapes out;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!simulation.is_deformable(ids[i])) {
            out.assets.push_back(bodies[i].asset());
            out.surfaces.push_back(bodies[i].asset()->surface.points);
            continue;
        }
        const BodyState& state = simulation.state(ids[i]);
        out.assets.push_back(split_asset(bodies[i].asset(), state.shape().splits));
        out.surfaces.emplace_back(state.points().begin(), state.points().end());
    }
    out.shape_hash = shape_hash(bodies, out.surfaces);
    return out;
}

Result<Recording> replay_still(const JournalFile& file, std::span<const PreparedBody> bodies,
                               ReplayedShapes shapes, double time,
                               const PressCallbacks& callbacks) {
    Recording recording;
    recording.frame_rate = file.scene.frame_rate;
    const std::vector<Transform> poses = replay_poses(file, bodies, time);
    Frame& frame = recording.frames.emplace_back();
    frame.time = time;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        RecordedBody& body = recording.bodies.emplace_back();
        body.name = bodies[i].name;
        body.asset = shapes.assets[i];
        body.is_static = true;
        body.is_hidden = bodies[i].is_hidden;
        body.shapes = {body.asset->surface.points, std::move(shapes.surfaces[i])};
        frame.bodies.push_back({poses[i], 1});
    }
    if (const auto pressed = press_scene(file.scene, recording, callbacks); !pressed) {
        return pressed.error();
    }
    return recording;
}

}  // namespace ductile
