// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/track/body_track.h>
#include <ductile/export/track/pick_samples.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Below this a translation or rotation that should not change may have been rounded [m].
constexpr double kRounding = 1e-12;

std::vector<std::size_t> presence_changes(const Recording& r, std::size_t body) {
    std::vector<std::size_t> keys = {0};
    bool now = r.frames[0].bodies[body].is_present;
    const bool at_first = now;
    for (std::size_t f = 1; f < r.frames.size(); ++f) {
        if (r.frames[f].bodies[body].is_present == now) continue;
        now = !now;
        keys.push_back(f);
    }
    if (keys.size() == 1 && at_first) keys.clear();
    return keys;
}

// The furthest any point of any shape lies from the body's origin: what a turn acts on.
double reach(const RecordedBody& body) {
    double reach_sq = 0.0;
    const auto add = [&](const std::vector<Vec3>& points) {
        for (const Vec3& p : points) reach_sq = std::max(reach_sq, p.squaredNorm());
    };
    if (body.asset) add(body.asset->surface.points);
    if (body.asset) add(body.asset->render.points);
    for (const std::vector<Vec3>& shape : body.shapes) add(shape);
    return std::sqrt(reach_sq);
}

// How far apart two rotations take a point at unit distance, at most [m/m].
double turn_distance(const Quat& a, const Quat& b) {
    const double d = std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
    // Half the angle between them is 2 asin(d / 2); the chord of the whole angle follows.
    const double half = 2.0 * std::asin(std::min(1.0, 0.5 * d));
    return 2.0 * std::sin(half);
}

Quat blend_plainly(const Quat& a, const Quat& b, double share) {
    Quat q;
    q.coeffs() = (1.0 - share) * a.coeffs() + share * b.coeffs();
    return q.normalized();
}

struct Sampler {
    const std::vector<Frame>& frames;
    const std::vector<Transform>& poses;

    double share(std::size_t a, std::size_t b, std::size_t f) const {
        return (frames[f].time - frames[a].time) / (frames[b].time - frames[a].time);
    }
    double translation_error(std::size_t a, std::size_t b, std::size_t f) const {
        const double t = share(a, b, f);
        return ((1.0 - t) * poses[a].translation + t * poses[b].translation - poses[f].translation)
            .norm();
    }
    double rotation_error(std::size_t a, std::size_t b, std::size_t f) const {
        const double t = share(a, b, f);
        const Quat& from = poses[a].rotation;
        const Quat& to = poses[b].rotation;
        // The kept keys must face the same way, or readers without a sign test go the long way.
        if (from.dot(to) < 0.0) return 2.0;
        return std::max(turn_distance(from.slerp(t, to), poses[f].rotation),
                        turn_distance(blend_plainly(from, to, t), poses[f].rotation));
    }
};

std::vector<Transform> continuous_poses(const Recording& r, std::size_t body,
                                        const std::vector<std::size_t>& source) {
    std::vector<Transform> poses(source.size());
    for (std::size_t f = 0; f < poses.size(); ++f) {
        poses[f] = r.frames[source[f]].bodies[body].pose_w;
        poses[f].rotation.normalize();
        if (f > 0 && poses[f].rotation.dot(poses[f - 1].rotation) < 0.0) {
            poses[f].rotation.coeffs() *= -1.0;
        }
    }
    return poses;
}

// Keys for one of the two channels; none where the first sample stands for all.
template <class Change, class ErrorAt>
std::vector<std::size_t> keys_of(std::size_t count, double tolerance, Change change_since_first,
                                 ErrorAt error) {
    bool moves = false;
    for (std::size_t f = 1; f < count && !moves; ++f) moves = change_since_first(f) > tolerance;
    if (!moves) return {};
    return pick_samples(count, [&](std::size_t a, std::size_t b) {
        for (std::size_t f = a + 1; f < b; ++f) {
            if (!(error(a, b, f) <= tolerance)) return false;
        }
        return true;
    });
}

}  // namespace

std::vector<std::size_t> source_frames(const Recording& r, std::size_t body) {
    const auto is_present = [&](std::size_t f) { return r.frames[f].bodies[body].is_present; };
    std::size_t first = 0;
    while (first < r.frames.size() && !is_present(first)) ++first;
    if (first == r.frames.size()) return {};
    std::vector<std::size_t> source(r.frames.size(), first);
    for (std::size_t f = first + 1; f < source.size(); ++f) {
        source[f] = is_present(f) ? f : source[f - 1];
    }
    return source;
}

BodyTrack track_body(const Recording& recording, std::size_t body, double tolerance) {
    DUCTILE_ASSERT(tolerance >= 0.0, "a tolerance is a length");
    BodyTrack track;
    track.source = source_frames(recording, body);
    if (track.source.empty()) return track;
    track.poses = continuous_poses(recording, body, track.source);
    track.presence_keys = presence_changes(recording, body);

    // Both channels share the tolerance: what one spends the other may not.
    const double half = 0.5 * tolerance + kRounding;
    const double extent = reach(recording.bodies[body]);
    const double radius = extent > 0.0 ? extent : 1.0;  // nothing to draw: axes a metre long
    const Sampler sampler{recording.frames, track.poses};
    const std::vector<Transform>& poses = track.poses;
    track.translation_keys = keys_of(
        poses.size(), half,
        [&](std::size_t f) { return (poses[f].translation - poses[0].translation).norm(); },
        [&](std::size_t a, std::size_t b, std::size_t f) {
            return sampler.translation_error(a, b, f);
        });
    track.rotation_keys = keys_of(
        poses.size(), half / radius,
        [&](std::size_t f) { return turn_distance(poses[f].rotation, poses[0].rotation); },
        [&](std::size_t a, std::size_t b, std::size_t f) {
            return sampler.rotation_error(a, b, f);
        });
    return track;
}

}  // namespace ductile
