// SPDX-License-Identifier: MIT
#include <ductile/record/framing.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr double kMargin = 1.12;        // room around what is shown
constexpr double kNearest = 0.05;       // of the points' size: no nearer does the eye come
constexpr double kMovedShare = 0.02;    // of its size: by less nobody sees a body move
constexpr double kNearShare = 0.35;     // of the action's size: what stands so near is shown, too
constexpr double kFarShare = 1.5;       // of the size of the place of the hits: beyond, too far
constexpr double kWanderShare = 5.0;    // of the actors' size: over more of it they get small
constexpr double kAroundShare = 0.9;    // of the actors' size: what is shown around them
constexpr double kLeastSize = 1e-3;     // of what a camera frames [m]
constexpr std::size_t kMostLooks = 64;  // frames, and bodies, that are asked about what hides them

/// The boxes of one body: of each of its shapes, and of it in the world.
class BodyBoxes {
public:
    explicit BodyBoxes(const RecordedBody& body) {
        const std::size_t count = std::max<std::size_t>(body.shapes.size(), 1);
        for (std::size_t i = 0; i < count; ++i) {
            shapes_.push_back(body_box(body, static_cast<std::int32_t>(i)));
        }
    }

    /// In the body's frame.
    const Box& shape(const BodyFrame& frame) const {
        const auto shape = static_cast<std::size_t>(std::max(frame.shape, 0));
        return shapes_[std::min(shape, shapes_.size() - 1)];
    }

    Box at(const BodyFrame& frame) const {
        const Box& box = shape(frame);
        return box.is_empty() ? box : moved_box(box, frame.pose_w, 0.0);
    }

private:
    std::vector<Box> shapes_;
};

bool is_drawn(const RecordedBody& body) { return body.asset != nullptr && !body.is_hidden; }

// Whether a body moves by what can be seen, or changes its shape.
bool is_active(const Recording& recording, std::size_t body, const BodyBoxes& boxes) {
    const BodyFrame* first = nullptr;
    for (const Frame& frame : recording.frames) {
        const BodyFrame& at = frame.bodies[body];
        if (!at.is_present) continue;
        if (!first) first = &at;
        const Box from = boxes.at(*first), to = boxes.at(at);
        const double moved = (from.lower - to.lower).norm() + (from.upper - to.upper).norm();
        if (at.shape != first->shape || moved > kMovedShare * from.diagonal()) return true;
    }
    return false;
}

Box grown(const Box& box, double by) {
    return {box.lower - Vec3::Constant(by), box.upper + Vec3::Constant(by)};
}

const Frame& frame_at(const Recording& recording, double time) {
    const auto after =
        std::lower_bound(recording.frames.begin(), recording.frames.end(), time,
                         [](const Frame& frame, double t) { return frame.time < t; });
    return after == recording.frames.end() ? recording.frames.back() : *after;
}

// The drawn bodies that are hit, and those that change their shape without a hit: what is pressed.
struct Deformed {
    std::vector<bool> is_hit, is_pressed;
};
Deformed deformed_bodies(const Recording& recording) {
    Deformed out{std::vector<bool>(recording.bodies.size(), false),
                 std::vector<bool>(recording.bodies.size(), false)};
    for (const RecordedHit& hit : recording.hits) {
        const auto body = static_cast<std::size_t>(hit.body);
        if (body < out.is_hit.size()) out.is_hit[body] = is_drawn(recording.bodies[body]);
    }
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (out.is_hit[b] || !is_drawn(recording.bodies[b])) continue;
        const BodyFrame* first = nullptr;
        for (const Frame& frame : recording.frames) {
            if (!frame.bodies[b].is_present) continue;
            if (!first) first = &frame.bodies[b];
            if (frame.bodies[b].shape != first->shape) out.is_pressed[b] = true;
        }
    }
    return out;
}

// Where bodies are when they are hit or pressed; empty without either.
Box hits_box(const Recording& recording, const std::vector<BodyBoxes>& boxes) {
    Box out;
    const Deformed deformed = deformed_bodies(recording);
    for (const Frame& frame : recording.frames) {
        for (std::size_t b = 0; b < boxes.size(); ++b) {
            if (deformed.is_pressed[b] && frame.bodies[b].is_present) {
                out.add(boxes[b].at(frame.bodies[b]));
            }
        }
    }
    for (const RecordedHit& hit : recording.hits) {
        const auto body = static_cast<std::size_t>(hit.body);
        if (body >= boxes.size() || !is_drawn(recording.bodies[body])) continue;
        const BodyFrame& at = frame_at(recording, hit.time).bodies[body];
        if (at.is_present) out.add(boxes[body].at(at));
    }
    return out;
}

std::vector<BodyBoxes> boxes_of(const Recording& recording) {
    std::vector<BodyBoxes> boxes;
    for (const RecordedBody& body : recording.bodies) boxes.emplace_back(body);
    return boxes;
}

std::vector<bool> active_bodies(const Recording& recording, const std::vector<BodyBoxes>& boxes) {
    std::vector<bool> active;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        active.push_back(is_drawn(recording.bodies[b]) && is_active(recording, b, boxes[b]));
    }
    return active;
}

Box whole_action(const Recording& recording, const std::vector<BodyBoxes>& boxes,
                 const std::vector<bool>& active) {
    const Box hits = hits_box(recording, boxes);
    const Box reach = grown(hits, kFarShare * hits.diagonal());
    Box action = hits;
    const auto add_bodies = [&](bool must_be_active) {
        for (const Frame& frame : recording.frames) {
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                if (!frame.bodies[b].is_present || !is_drawn(recording.bodies[b])) continue;
                const Box box = boxes[b].at(frame.bodies[b]);
                if (must_be_active && (!active[b] || !(hits.is_empty() || reach.overlaps(box)))) {
                    continue;
                }
                action.add(box);
            }
        }
    };
    add_bodies(true);
    if (action.is_empty()) {
        add_bodies(false);
        return action;
    }
    const Box around = grown(action, kNearShare * action.diagonal());
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        if (active[b] || recording.frames.empty() || !is_drawn(recording.bodies[b])) continue;
        const Box still = boxes[b].at(recording.frames.front().bodies[b]);
        const Box near{still.lower.cwiseMax(around.lower), still.upper.cwiseMin(around.upper)};
        if (!near.is_empty()) action.add(near);
    }
    return action;
}

// The bodies that a picture is about: those that are hit or pressed, else those that move.
std::vector<bool> actors(const Recording& recording, const std::vector<bool>& active) {
    const Deformed deformed = deformed_bodies(recording);
    std::vector<bool> out = deformed.is_hit;
    for (std::size_t b = 0; b < out.size(); ++b) out[b] = out[b] || deformed.is_pressed[b];
    return std::find(out.begin(), out.end(), true) == out.end() ? active : out;
}

bool is_crossed(const Box& box, const Vec3& from, const Vec3& to) {
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; ++k) {
        const double way = to[k] - from[k];
        if (way == 0.0) {
            if (from[k] < box.lower[k] || from[k] > box.upper[k]) return false;
            continue;
        }
        const double a = (box.lower[k] - from[k]) / way, b = (box.upper[k] - from[k]) / way;
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
}

}  // namespace

double hidden_share(const Recording& recording, std::span<const Vec3> eyes, std::int32_t followed) {
    const std::vector<BodyBoxes> boxes = boxes_of(recording);
    std::vector<std::size_t> shown;
    if (followed >= 0) {
        shown.push_back(static_cast<std::size_t>(followed));
    } else {
        const std::vector<bool> is_actor = actors(recording, active_bodies(recording, boxes));
        for (std::size_t b = 0; b < boxes.size(); ++b) {
            if (is_actor[b]) shown.push_back(b);
        }
    }
    const std::size_t frame_step = recording.frames.size() / kMostLooks + 1;
    const std::size_t body_step = shown.size() / kMostLooks + 1;
    std::size_t looks = 0, hidden = 0;
    for (std::size_t f = 0; f < recording.frames.size(); f += frame_step) {
        const std::vector<BodyFrame>& bodies = recording.frames[f].bodies;
        for (std::size_t i = 0; i < shown.size(); i += body_step) {
            const std::size_t b = shown[i];
            const Box& box = boxes[b].shape(bodies[b]);
            if (!bodies[b].is_present || box.is_empty()) continue;
            const Vec3 middle = bodies[b].pose_w.point(box.centre());
            const auto hides = [&](std::size_t other) {
                const Box& shape = boxes[other].shape(bodies[other]);
                return other != b && bodies[other].is_present &&
                       is_drawn(recording.bodies[other]) && !shape.is_empty() &&
                       is_crossed(shape, bodies[other].pose_w.inverse_point(middle),
                                  bodies[other].pose_w.inverse_point(eyes[f]));
            };
            ++looks;
            for (std::size_t other = 0; other < boxes.size(); ++other) {
                if (!hides(other)) continue;
                ++hidden;
                break;
            }
        }
    }
    return looks > 0 ? static_cast<double>(hidden) / static_cast<double>(looks) : 0.0;
}

Box body_box(const RecordedBody& body, std::int32_t shape) {
    const auto index = static_cast<std::size_t>(std::max(shape, 0));
    if (index < body.shapes.size() && !body.shapes[index].empty())
        return bounds(body.shapes[index]);
    return body.asset ? bounds(body.asset->render.points) : Box{};
}

Box action_box(const Recording& recording) {
    const std::vector<BodyBoxes> boxes = boxes_of(recording);
    return whole_action(recording, boxes, active_bodies(recording, boxes));
}

Action action_of(const Recording& recording) {
    const std::vector<BodyBoxes> boxes = boxes_of(recording);
    const std::vector<bool> active = active_bodies(recording, boxes);
    const std::vector<bool> is_actor = actors(recording, active);
    Action out{whole_action(recording, boxes, active), {}};
    std::vector<Vec3> way;
    double largest = 0.0;
    for (const Frame& frame : recording.frames) {
        Box box;
        for (std::size_t b = 0; b < boxes.size(); ++b) {
            if (is_actor[b] && frame.bodies[b].is_present) box.add(boxes[b].at(frame.bodies[b]));
        }
        // Nobody there: where they last were.
        if (box.is_empty() && way.empty()) return out;
        way.push_back(box.is_empty() ? way.back() : box.centre());
        largest = std::max(largest, box.diagonal());
    }
    if (!(out.box.diagonal() > kWanderShare * largest)) return out;
    const Vec3 half = Vec3::Constant(0.5 * kAroundShare * largest);
    out.box = {way.front() - half, way.front() + half};
    out.way = std::move(way);
    return out;
}

Vec3 eye_to_see(const Box& box, const Vec3& towards_eye, double field_of_view_deg, double aspect) {
    const Vec3 out = towards_eye.normalized();
    const Vec3 level = std::abs(out.y()) < 0.999 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ());
    const Vec3 right = level.cross(out).normalized(), up = out.cross(right);
    const double tall = std::tan(0.5 * field_of_view_deg * kPi / 180.0), wide = tall * aspect;
    const Vec3 half = 0.5 * kMargin * (box.upper - box.lower).cwiseMax(kLeastSize);
    double distance = 0.0;
    for (int i = 0; i < 8; ++i) {
        const Vec3 corner = half.cwiseProduct(
            Vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1));
        distance = std::max({distance, corner.dot(out) + std::abs(corner.dot(up)) / tall,
                             corner.dot(out) + std::abs(corner.dot(right)) / wide});
    }
    return box.centre() + distance * out;
}

PointView view_of(std::span<const Vec3> points, const Vec3& towards_eye, double field_of_view_deg,
                  double aspect) {
    const Vec3 out = towards_eye.normalized();
    const Vec3 level = std::abs(out.y()) < 0.999 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ());
    const Vec3 right = level.cross(out).normalized(), up = out.cross(right);
    const double tall = std::tan(0.5 * field_of_view_deg * kPi / 180.0), wide = tall * aspect;
    // A point at x to the right and z towards the eye is in the picture if |x - middle| is at most
    // `slope` times its distance from the eye, distance - z: two bounds of the middle, which come
    // towards each other as the distance shrinks.
    const auto range = [&](const Vec3& axis, double slope) {
        Vec2 ends(kInfinity, -kInfinity);
        for (const Vec3& p : points) {
            ends[0] = std::min(ends[0], p.dot(axis) - slope * p.dot(out));
            ends[1] = std::max(ends[1], p.dot(axis) + slope * p.dot(out));
        }
        return ends;
    };
    const Vec2 x = range(right, wide / kMargin), y = range(up, tall / kMargin);
    const Box box = bounds(points);
    double distance = 0.5 * kMargin * std::max((x[1] - x[0]) / wide, (y[1] - y[0]) / tall);
    // What points at the eye is not touched by it.
    for (const Vec3& p : points) {
        distance = std::max(distance, p.dot(out) + kNearest * box.diagonal());
    }
    const Vec3 eye = 0.5 * (x[0] + x[1]) * right + 0.5 * (y[0] + y[1]) * up + distance * out;
    const double depth = distance - box.centre().dot(out);
    return {eye, eye - depth * out};
}

}  // namespace ductile
