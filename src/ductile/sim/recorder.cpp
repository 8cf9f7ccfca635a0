// SPDX-License-Identifier: MIT
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/record/refined_shapes.h>
#include <ductile/sim/recorder.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A live shape whose points all moved less than this share of its size is the one before.
constexpr double kStill = 1e-5;

}  // namespace

std::int32_t Recorder::watch(ObjectId object, std::string name,
                             std::shared_ptr<const SurfaceAsset> asset, bool is_static,
                             std::int32_t parent) {
    RecordedBody recorded;
    recorded.name = std::move(name);
    recorded.is_static = is_static;
    recorded.parent = parent;
    recorded.is_hidden = parent >= 0 && recording_.bodies[parent].is_hidden;
    recorded.shapes.push_back(asset->surface.points);
    recorded.asset = asset;
    recording_.bodies.push_back(std::move(recorded));
    watched_.push_back({object, 0, std::move(asset), {}, {}});
    for (Frame& frame : recording_.frames) {
        BodyFrame absent;
        absent.is_present = false;
        if (parent >= 0) absent.pose_w = frame.bodies[static_cast<std::size_t>(parent)].pose_w;
        frame.bodies.push_back(absent);
    }
    return static_cast<std::int32_t>(watched_.size()) - 1;
}

std::int32_t Recorder::index_of(ObjectId id) const {
    const auto found = std::find_if(watched_.begin(), watched_.end(),
                                    [&](const Watched& watched) { return watched.id == id; });
    return found == watched_.end() ? -1 : static_cast<std::int32_t>(found - watched_.begin());
}

void Recorder::watch_births(const Simulation& simulation) {
    const std::span<const Birth> births = simulation.births();
    for (; births_ < births.size(); ++births_) {
        const Birth& birth = births[births_];
        const auto unseen = unseen_.find(birth.parent);
        const std::int32_t parent =
            unseen != unseen_.end() ? unseen->second : index_of(birth.parent);
        if (parent < 0) continue;
        if (!simulation.has(birth.object)) {
            unseen_[birth.object] = parent;
            continue;
        }
        const BodyState& state = simulation.state(birth.object);
        const BodyId body = simulation.body(birth.object);
        watch(birth.object, simulation.name(birth.object),
              painted_as(*recording_.bodies[parent].asset, state.shape().asset),
              !(simulation.engine().mass(body).mass > 0), parent);
        watched_.back().splits = state.shape().splits;
    }
}

void Recorder::note_step(const Simulation& simulation) {
    watch_births(simulation);
    for (const Impact& impact : simulation.impacts()) {
        const ImpactSide& side = impact.sides[0];
        recording_.impacts.push_back(
            {.time = impact.time,
             .bodies = {index_of(simulation.object_of(side.id)),
                        index_of(simulation.object_of(impact.sides[1].id))},
             .position_w = side.pose_w.point(side.point_b),
             .normal_w = side.pose_w.direction(side.normal_b),
             .approach_speed = impact.approach_speed,
             .effective_mass = impact.effective_mass,
             .damage_impulse = impact.damage_impulse});
    }
}

void Recorder::capture(const Simulation& simulation) {
    watch_births(simulation);
    Frame frame;
    frame.time = simulation.time();
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        BodyFrame now;
        const ObjectId id = watched_[i].id;
        now.is_present = simulation.has(id);
        if (now.is_present) {
            now.pose_w = simulation.motion(id).pose_w;
            if (watched_[i].source) {
                capture_source(now.pose_w, i);
            } else if (simulation.is_deformable(id)) {
                capture_shape(simulation.state(id), i);
            }
        } else if (!recording_.frames.empty()) {
            now.pose_w = recording_.frames.back().bodies[i].pose_w;
        }
        now.shape = static_cast<std::int32_t>(recording_.bodies[i].shapes.size()) - 1;
        frame.bodies.push_back(now);
    }
    recording_.frames.push_back(std::move(frame));
    recording_.energy.push_back(simulation.ledger());
}

// A body that was refined since the last frame: shapes before it get the new points, too.
void Recorder::take_mesh(const BodyShape& shape, std::size_t index) {
    Watched& watched = watched_[index];
    if (shape.splits == watched.splits) return;
    RecordedBody& body = recording_.bodies[index];
    const bool is_further =
        shape.splits.size() > watched.splits.size() &&
        std::equal(watched.splits.begin(), watched.splits.end(), shape.splits.begin());
    if (!is_further) {
        // A record was taken out: back to the mesh of before all of them. Its points come first.
        for (auto* shapes : {&body.shapes, &body.unskinned}) {
            for (std::vector<Vec3>& points : *shapes) {
                if (!points.empty()) points.resize(watched.first_asset->surface.points.size());
            }
        }
        body.asset = watched.first_asset;
        watched.splits.clear();
    }
    for (std::size_t s = watched.splits.size(); s < shape.splits.size(); ++s) {
        const MeshSplit& split = shape.splits[s];
        std::vector<PointParents> parents;
        for (const MeshEdge& edge : split) parents.push_back({edge, 0.5});
        refine_shapes(split_asset(body.asset, std::span(&split, 1)), parents, body);
    }
    watched.splits = shape.splits;
}

namespace {

void capture_shares(const BodyState& state, RecordedBody& body) {
    const auto* data = state.shape().data<ExampleData>();
    if (!data || state.rows().empty()) return;
    body.poses.clear();
    for (const RigPose& pose : data->rig().poses) body.poses.push_back(pose.name);
    body.shares.resize(body.shapes.size());
    for (const ExampleRow& row : state.rows()) {
        for (const double share : row.first(data->pose_count())) {
            body.shares.back().push_back(static_cast<std::uint8_t>(std::lround(255.0 * share)));
        }
    }
}

}  // namespace

void Recorder::capture_shape(const BodyState& state, std::size_t index) {
    if (state.revision() == watched_[index].revision) return;
    watched_[index].revision = state.revision();
    take_mesh(state.shape(), index);
    RecordedBody& body = recording_.bodies[index];
    body.shapes.emplace_back(state.points().begin(), state.points().end());
    capture_shares(state, body);
    if (state.frames().empty()) return;
    body.unskinned.resize(body.shapes.size());
    body.unskinned.back().assign(state.unskinned().begin(), state.unskinned().end());
}

void Recorder::capture_source(const Transform& pose_w, std::size_t index) {
    Watched& watched = watched_[index];
    if (watched.source->revision() == watched.revision) return;
    watched.revision = watched.source->revision();
    std::vector<Vec3> points = watched.source->points(pose_w);
    std::vector<std::vector<Vec3>>& shapes = recording_.bodies[index].shapes;
    const double still = kStill * bounds(points).diagonal();
    const bool is_same = std::equal(
        points.begin(), points.end(), shapes.back().begin(), shapes.back().end(),
        [&](const Vec3& a, const Vec3& b) { return (a - b).squaredNorm() <= still * still; });
    if (!is_same) shapes.push_back(std::move(points));
}

Recording Recorder::finish(const Simulation& simulation) && {
    std::map<ObjectId, std::int64_t> inherited;
    for (const Birth& birth : simulation.births()) inherited[birth.object] = birth.inherited;
    const auto take = [&](ObjectId id, const Journal& journal) {
        const std::int32_t index = index_of(id);
        if (index < 0) return;
        for (const Hit& hit : journal.hits()) {
            if (hit.id <= inherited[id]) continue;  // its parent's
            const RecordMark mark = record_mark(hit.record);
            recording_.hits.push_back({hit.time, index, mark.position_b,
                                       std::string(record_name(hit.record)), mark.size,
                                       std::string(mark.unit)});
        }
    };
    for (const PastObject& past : simulation.past()) take(past.id, past.journal);
    for (const Watched& watched : watched_) {
        if (simulation.is_deformable(watched.id)) take(watched.id, simulation.journal(watched.id));
    }
    std::stable_sort(recording_.hits.begin(), recording_.hits.end(),
                     [](const RecordedHit& a, const RecordedHit& b) { return a.time < b.time; });
    return std::move(recording_);
}

}  // namespace ductile
