// SPDX-License-Identifier: MIT
#include "patch_motions.h"

#include <ductile/deform/shell/shell_rig.h>
#include <ductile/geom/skin_frame.h>

#include "mark_mesh.h"
#include "picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile::cli {
namespace {

// What cannot be seen: of a patch's size, and [rad].
constexpr double kLeastShift = 0.01, kLeastTurn = 0.02;
// Marks, in sizes of a patch: how thick they are, and how far an arc lies from the middle.
constexpr double kBarRadius = 0.035, kArcRadius = 0.3;
// Arcs shorter than this have no room for a head [rad].
constexpr double kLeastArc = 0.1;

std::span<const Vec3> last_shape(const FilmedBody& filmed) {
    const RecordedBody& body = filmed.recording.bodies[filmed.at];
    const std::int32_t last = filmed.recording.frames.back().bodies[filmed.at].shape;
    return body.shapes[static_cast<std::size_t>(last)];
}

Vec3 mean_of(std::span<const Vec3> points, std::span<const std::int32_t> of) {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : of) sum += points[static_cast<std::size_t>(v)];
    return sum / static_cast<double>(of.size());
}

PatchMotion motion_of(std::span<const Vec3> rest, std::span<const Vec3> now,
                      std::span<const std::int32_t> points, double size) {
    PatchMotion out;
    out.middle_b = mean_of(rest, points);
    const Vec3 end = mean_of(now, points);
    Mat3 moment = Mat3::Zero();
    for (const std::int32_t v : points) {
        const auto at = static_cast<std::size_t>(v);
        moment += (now[at] - end) * (rest[at] - out.middle_b).transpose();
    }
    const Eigen::AngleAxisd turn(nearest_rotation(moment));
    out.shift_b = end - out.middle_b;
    out.turn_b = turn.angle() * turn.axis();
    out.has_moved = out.shift_b.norm() > kLeastShift * size || turn.angle() > kLeastTurn;
    return out;
}

}  // namespace

Result<std::vector<PatchMotion>> patch_motions(const FilmedBody& filmed) {
    const BodyShape* shape = filmed.prepared.shape().get();
    const auto* rig = shape ? shape->data<ShellRig>() : nullptr;
    if (!rig) {
        return Error{"the body has no patches that could move", filmed.prepared.name,
                     "give it the layer `shell`, or leave out --body to cut up a mesh"};
    }
    std::vector<std::vector<std::int32_t>> points(rig->shells.size());
    for (std::size_t v = 0; v < rig->shell_of.size(); ++v) {
        const std::int32_t patch = rig->shell_of[v];
        if (patch >= 0) points[static_cast<std::size_t>(patch)].push_back(std::int32_t(v));
    }
    std::vector<PatchMotion> out;
    for (std::size_t patch = 0; patch < points.size(); ++patch) {
        if (points[patch].empty()) continue;
        out.push_back(motion_of(shape->rest(), last_shape(filmed), points[patch], rig->shell_size));
        out.back().patch = static_cast<std::int32_t>(patch);
    }
    return out;
}

Recording draw_patch_motions(const FilmedBody& filmed, std::span<const PatchMotion> motions) {
    const BodyShape& shape = *filmed.prepared.shape();
    const auto& rig = *shape.data<ShellRig>();
    const std::span<const Vec3> now = last_shape(filmed);
    std::vector<std::uint8_t> has_moved(rig.shells.size(), 0);
    for (const PatchMotion& m : motions) {
        if (m.has_moved) has_moved[static_cast<std::size_t>(m.patch)] = 1;
    }
    Look clear = plain_look("glass", Vec3::Ones());
    clear.opacity = 0.3;
    const Vec3 pale(0.75, 0.8, 0.85), dark(0.12, 0.12, 0.13);
    MarkMesh glass(clear), patches("patches"), arrows("arrows");
    for (std::size_t f = 0; f < rig.face_shell.size(); ++f) {
        const Triangle& t = shape.triangles()[f];
        const auto patch = static_cast<std::size_t>(std::max(rig.face_shell[f], 0));
        glass.add_triangle(shape.rest(), t, pale);
        if (rig.face_shell[f] >= 0 && has_moved[patch]) {
            patches.add_triangle(now, t, distinct_colour(patch, 0.3));
        }
    }
    const double bar = kBarRadius * rig.shell_size;
    for (const PatchMotion& m : motions) {
        if (!m.has_moved) continue;
        const Vec3 end = m.middle_b + m.shift_b;
        arrows.add_arrow(m.middle_b, end, bar, dark);
        const double angle = m.turn_b.norm();
        if (angle < kLeastArc) continue;
        const Vec3 axis = m.turn_b / angle;
        const Vec3 up = any_perpendicular(axis);
        arrows.add_arc(end, axis, kArcRadius * rig.shell_size * up, angle, 0.6 * bar, dark);
    }
    Recording out;
    out.bodies.push_back(std::move(glass).body("rest"));
    if (!patches.is_empty()) out.bodies.push_back(std::move(patches).body("patches"));
    if (!arrows.is_empty()) out.bodies.push_back(std::move(arrows).body("arrows"));
    Box box;
    for (const RecordedBody& body : out.bodies) box.add(bounds(body.shapes[0]));
    Transform pose;
    pose.translation = Vec3(-box.centre().x(), -box.lower.y(), -box.centre().z());
    out.frames.emplace_back().bodies.assign(out.bodies.size(), BodyFrame{pose, 0, true});
    return out;
}

}  // namespace ductile::cli
