// SPDX-License-Identifier: MIT
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/scene/journal_file.h>
#include <ductile/scene/replay.h>
#include <ductile/scene/run_frames.h>

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

/// Where each body is drawn.
std::vector<Transform> replay_poses(const JournalFile& file, std::span<const PreparedBody> bodies,
                                    double time) {
    std::vector<Transform> poses;
    for (const PreparedBody& body : bodies) poses.push_back(body.placement.pose_w);
    const auto keyed = keyed_poses(file.scene, poses, time);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (const BodyJournal& journal : file.bodies) {
            if (journal.name == bodies[i].name) poses[i] = journal.pose_w;
        }
        if (keyed[i]) poses[i] = *keyed[i];
    }
    return poses;
}

}  // namespace

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
