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
