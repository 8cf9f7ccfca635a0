// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/sim/recorder.h>

#include <algorithm>

namespace ductile {

void Recorder::watch(BodyId body, std::string name, std::shared_ptr<const SurfaceAsset> asset,
                     bool is_static) {
    DUCTILE_ASSERT(recording_.frames.empty(), "bodies are named before the first frame");
    RecordedBody recorded;
    recorded.name = std::move(name);
    recorded.is_static = is_static;
    recorded.shapes.push_back(asset->surface.points);
    recorded.asset = std::move(asset);
    recording_.bodies.push_back(std::move(recorded));
    watched_.push_back({body, 0});
}

std::int32_t Recorder::index_of(BodyId id) const {
    const auto found = std::find_if(watched_.begin(), watched_.end(),
                                    [&](const Watched& watched) { return watched.id == id; });
    return found == watched_.end() ? -1 : static_cast<std::int32_t>(found - watched_.begin());
}

void Recorder::note_step(const Simulation& simulation) {
    for (const Impact& impact : simulation.impacts()) {
        const ImpactSide& side = impact.sides[0];
        recording_.impacts.push_back({.time = impact.time,
                                      .bodies = {index_of(side.id), index_of(impact.sides[1].id)},
                                      .position_w = side.pose_w.point(side.point_b),
                                      .normal_w = side.pose_w.direction(side.normal_b),
                                      .approach_speed = impact.approach_speed,
                                      .effective_mass = impact.effective_mass,
                                      .damage_impulse = impact.damage_impulse});
    }
}

void Recorder::capture(const Simulation& simulation) {
    Frame frame;
    frame.time = simulation.time();
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        BodyFrame now;
        const BodyId id = watched_[i].id;
        std::vector<std::vector<Vec3>>& shapes = recording_.bodies[i].shapes;
        now.is_present = simulation.engine().has(id);
        if (now.is_present) {
            now.pose_w = simulation.engine().motion(id).pose_w;
            if (simulation.is_deformable(id) &&
                simulation.state(id).revision() != watched_[i].revision) {
                const BodyState& state = simulation.state(id);
                watched_[i].revision = state.revision();
                shapes.emplace_back(state.points().begin(), state.points().end());
            }
        } else if (!recording_.frames.empty()) {
            now.pose_w = recording_.frames.back().bodies[i].pose_w;
        }
        now.shape = static_cast<std::int32_t>(shapes.size()) - 1;
        frame.bodies.push_back(now);
    }
    recording_.frames.push_back(std::move(frame));
    recording_.energy.push_back(simulation.ledger());
}

Recording Recorder::finish(const Simulation& simulation) && {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        if (!simulation.is_deformable(watched_[i].id)) continue;
        for (const Hit& hit : simulation.journal(watched_[i].id).hits()) {
            std::visit(
                [&](const DentHit& dent) {
                    recording_.hits.push_back(
                        {hit.time, static_cast<std::int32_t>(i), dent.position_b, dent.depth});
                },
                hit.record);
        }
    }
    std::stable_sort(recording_.hits.begin(), recording_.hits.end(),
                     [](const RecordedHit& a, const RecordedHit& b) { return a.time < b.time; });
    return std::move(recording_);
}

}  // namespace ductile
