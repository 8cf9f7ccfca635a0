// SPDX-License-Identifier: MIT
// While example poses come in, the collider's points follow; the rest follows from time to time.
#include <ductile/sim/simulation_object.h>

namespace ductile {
namespace {

// What is seen of a body, and weighed, may wait until something has moved this far, in shares of
// the fill tolerance: so much later a piece is replaced that no longer fits.
constexpr double kLateShare = 0.5;

}  // namespace

bool Simulation::is_fading(const Object& o) const {
    if (o.is_due_whole || o.bend || o.is_split() || o.change.is_new_mesh) return false;
    bool is_any = false;
    for (const Hit& hit : o.journal.hits()) {
        if (time_ >= hit.time + hit.duration) continue;
        if (record_stage(hit.record) != Stage::Blend) return false;
        is_any = true;
    }
    const auto is_under_way = [&](const Repair& r) { return time_ < r.time + r.duration; };
    return is_any &&
           std::none_of(o.journal.repairs().begin(), o.journal.repairs().end(), is_under_way);
}

bool Simulation::follow_fade(Object& o) const {
    if (!is_fading(o)) return false;
    if (!o.note_levels(time_) && !o.has_new_hit) return true;
    const std::vector<std::int32_t>& tracked = o.tracked_points();
    const double limit = kLateShare * options_.fill_tolerance * o.shape->size;
    const auto way = [&](std::size_t i, std::int32_t v) {
        return (o.peeked.points[i] - o.followed_points[v]).norm();
    };
    // What went furthest so far most often tells by itself that the whole has to follow.
    if (std::binary_search(tracked.begin(), tracked.end(), o.furthest)) {
        if (!o.state->peek(o.journal, time_, std::span(&o.furthest, 1), o.peeked)) return false;
        if (way(0, o.furthest) > limit) return false;
    }
    if (!o.state->peek(o.journal, time_, tracked, o.peeked)) return false;
    double furthest = 0.0;
    std::vector<std::int32_t> moved;
    for (std::size_t i = 0; i < tracked.size(); ++i) {
        const Vec3& now = o.peeked.points[i];
        if (now == o.engine_points[tracked[i]]) continue;
        moved.push_back(tracked[i]);
        const double gone = way(i, tracked[i]);
        if (gone > furthest) o.furthest = tracked[i];
        furthest = std::max(furthest, gone);
    }
    if (furthest > limit) return false;
    o.late_shape = time_;
    o.has_new_hit = false;
    if (moved.empty()) return true;
    o.peeked_frames.resize(o.engine_points.size());
    for (std::size_t i = 0; i < tracked.size(); ++i) {
        o.engine_points[tracked[i]] = o.peeked.points[i];
        o.peeked_frames[tracked[i]] = o.peeked.frames[i];
    }
    o.change = {};
    for (const std::int32_t piece : o.pieces_tracking(moved)) {
        o.change.moved.push_back({piece, {}});
        piece_points(o.shape->pieces.pieces[piece], o.engine_points, o.change.moved.back().points,
                     o.peeked_frames);
    }
    o.change.is_due = o.is_ahead = true;
    return true;
}

}  // namespace ductile
