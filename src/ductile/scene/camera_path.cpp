// SPDX-License-Identifier: MIT
#include <ductile/record/framing.h>
#include <ductile/scene/camera_path.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Catmull and Rom's tangent for uneven times; zero at both ends, where the camera rests.
Vec3 tangent(const std::vector<CameraKey>& keys, std::size_t i, Vec3 CameraKey::*what) {
    if (i == 0 || i + 1 == keys.size()) return Vec3::Zero();
    return (keys[i + 1].*what - keys[i - 1].*what) / (keys[i + 1].time - keys[i - 1].time);
}

Vec3 between(const std::vector<CameraKey>& keys, std::size_t i, double time,
             Vec3 CameraKey::*what) {
    const double span = keys[i + 1].time - keys[i].time;
    const double t = (time - keys[i].time) / span;
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * keys[i].*what + (3 * t2 - 2 * t3) * keys[i + 1].*what +
           (t3 - 2 * t2 + t) * span * tangent(keys, i, what) +
           (t3 - t2) * span * tangent(keys, i + 1, what);
}

// How long the camera takes to notice what a body does [s].
constexpr double kFollowTime = 0.2;
// How far what is followed may get from the middle of what is shown, as a share of its diagonal.
constexpr double kRoom = 0.15;
constexpr int kMostHalvings = 6;

CameraKey key_at(const SceneCamera& camera, double time) {
    const std::vector<CameraKey>& keys = camera.keys;
    if (keys.empty()) {
        const CameraKey usual;
        return {time, camera.eye_w.value_or(usual.eye_w), camera.target_w.value_or(usual.target_w)};
    }
    CameraKey out = time <= keys.front().time ? keys.front() : keys.back();
    out.time = time;
    if (time <= keys.front().time || time >= keys.back().time) return out;
    std::size_t i = 0;
    while (keys[i + 1].time <= time) ++i;
    out.eye_w = between(keys, i, time, &CameraKey::eye_w);
    out.target_w = between(keys, i, time, &CameraKey::target_w);
    return out;
}

// Where the body is at each frame; while it is not there, where it last was or first will be.
std::vector<Vec3> way_of(const Recording& recording, std::size_t body) {
    std::vector<Vec3> way(recording.frames.size());
    std::size_t seen = recording.frames.size();
    for (std::size_t f = 0; f < way.size(); ++f) {
        const BodyFrame& at = recording.frames[f].bodies[body];
        if (at.is_present) {
            const Box box = body_box(recording.bodies[body], at.shape);
            way[f] = at.pose_w.point(box.is_empty() ? Vec3(Vec3::Zero()) : box.centre());
            if (seen == way.size()) std::fill(way.begin(), way.begin() + f, way[f]);
            seen = f;
        } else if (seen < way.size()) {
            way[f] = way[seen];
        }
    }
    return way;
}

// Weighted means over the frames around each one: a Gaussian in time, of this width [s].
std::vector<Vec3> smoothed(const std::vector<double>& times, const std::vector<Vec3>& way,
                           double width) {
    std::vector<Vec3> out(way.size());
    for (std::size_t f = 0; f < way.size(); ++f) {
        Vec3 sum = Vec3::Zero();
        double weights = 0.0;
        const auto add = [&](std::size_t g) {
            const double apart = (times[g] - times[f]) / width;
            const double weight = std::exp(-0.5 * apart * apart);
            sum += weight * way[g];
            weights += weight;
            return weight > 1e-4;
        };
        for (std::size_t g = f; g < way.size() && add(g); ++g) {
        }
        for (std::size_t g = f; g-- > 0 && add(g);) {
        }
        out[f] = sum / weights;
    }
    return out;
}

double farthest_apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double farthest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) farthest = std::max(farthest, (a[i] - b[i]).norm());
    return farthest;
}

// What a camera that follows a body shows: that body where it is at first, and as much again on
// each side.
Box followed_box(const Recording& recording, std::size_t body) {
    for (const Frame& frame : recording.frames) {
        const BodyFrame& at = frame.bodies[body];
        const Box box = body_box(recording.bodies[body], at.shape);
        if (at.is_present && !box.is_empty()) {
            return moved_box(box, at.pose_w, 0.5 * box.diagonal());
        }
    }
    return action_box(recording);
}

// The sides from which a camera that nobody placed may look, the usual one first.
const Vec3 kSides[] = {kFromTheFront, Vec3(-0.5, 0.35, 0.8), Vec3(0.5, 0.35, -0.8),
                       Vec3(-0.5, 0.35, -0.8), Vec3(0.25, 1.0, 0.4)};
// So much more has to be in sight from another side than the usual one.
constexpr double kClearlyMore = 0.05;

// Gives the camera the eye and the target that it lacks, so that it sees the box.
void place(const Box& box, const Vec3& side, double aspect, SceneCamera& camera) {
    if (box.is_empty()) return;
    if (!camera.target_w) camera.target_w = box.centre();
    if (camera.eye_w) return;
    // Around the target that was asked for, as large as the action seen from there.
    const Vec3 half = (box.upper - *camera.target_w).cwiseMax(*camera.target_w - box.lower);
    camera.eye_w = eye_to_see({*camera.target_w - half, *camera.target_w + half}, side,
                              camera.field_of_view_deg, aspect);
}

}  // namespace

CameraKey turned(CameraKey key, double angle) {
    key.eye_w = key.target_w + Eigen::AngleAxisd(angle, Vec3::UnitY()) * (key.eye_w - key.target_w);
    return key;
}

CameraKey camera_at(const SceneCamera& camera, double time) {
    const CameraKey key = key_at(camera, time);
    // More turns than a number can hold are none that could be seen.
    const double angle = 2.0 * kPi * time / camera.turn_time;
    return camera.turn_time > 0 && std::isfinite(angle) ? turned(key, angle) : key;
}

CameraPath::CameraPath(const SceneCamera& camera, const Recording& recording, double aspect)
    : camera_(camera) {
    const auto body = std::find_if(recording.bodies.begin(), recording.bodies.end(),
                                   [&](const RecordedBody& b) { return b.name == camera.follow; });
    const bool is_placed = !camera.keys.empty() || (camera.eye_w && camera.target_w);
    const bool is_free = !camera.eye_w && !camera.target_w && camera.keys.empty();
    std::int32_t followed = -1;
    std::vector<Vec3> way;
    Box box;  // That the camera was placed for, if by itself.
    if (!camera.follow.empty() && body != recording.bodies.end()) {
        followed = static_cast<std::int32_t>(body - recording.bodies.begin());
        way = way_of(recording, followed);
        if (!is_placed) box = followed_box(recording, followed);
    } else if (is_free) {
        Action action = action_of(recording);
        way = std::move(action.way);
        box = action.box;
    } else if (!is_placed) {
        // Who says where the camera stands, or looks, wants it to stay.
        box = action_box(recording);
    }
    if (!way.empty()) {
        for (const Frame& frame : recording.frames) times_.push_back(frame.time);
        go_along(way, is_free ? box : Box{});
    }
    place(box, kFromTheFront, aspect, camera_);
    if (box.is_empty() || camera.eye_w || camera.turn_time > 0) return;
    double least_hidden = kInfinity;
    SceneCamera best = camera_;
    for (const Vec3& side : kSides) {
        camera_ = camera;
        place(box, side, aspect, camera_);
        std::vector<Vec3> eyes;
        for (const Frame& frame : recording.frames) eyes.push_back(at(frame.time).eye_w);
        const double hidden = hidden_share(recording, eyes, followed);
        if (!(hidden < least_hidden - kClearlyMore)) continue;
        least_hidden = hidden;
        best = camera_;
    }
    camera_ = best;
}

void CameraPath::go_along(const std::vector<Vec3>& way, const Box& box) {
    shifts_ = smoothed(times_, way, kFollowTime);
    Vec3 first = shifts_.front();
    if (!box.is_empty()) {
        // What is small and fast would be gone from the picture before the camera has caught up.
        double width = kFollowTime;
        for (int i = 0; i < kMostHalvings && farthest_apart(shifts_, way) > kRoom * box.diagonal();
             ++i) {
            width *= 0.5;
            shifts_ = smoothed(times_, way, width);
        }
        first = way.front();  // The box is around it.
    }
    for (Vec3& shift : shifts_) shift -= first;
}

CameraKey CameraPath::at(double time) const {
    CameraKey key = camera_at(camera_, time);
    if (shifts_.empty()) return key;
    const auto after = std::upper_bound(times_.begin(), times_.end(), time);
    const std::size_t next = std::min<std::size_t>(after - times_.begin(), times_.size() - 1);
    const std::size_t last = after == times_.begin() ? 0 : after - times_.begin() - 1;
    const double span = times_[next] - times_[last];
    const double share = span > 0 ? (time - times_[last]) / span : 0.0;
    const Vec3 shift = shifts_[last] + share * (shifts_[next] - shifts_[last]);
    key.eye_w += shift;
    key.target_w += shift;
    return key;
}

}  // namespace ductile
