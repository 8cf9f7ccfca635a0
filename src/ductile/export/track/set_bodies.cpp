// SPDX-License-Identifier: MIT
#include <ductile/export/track/set_bodies.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace ductile {
namespace {

// Half the side of the ground: sizes of what happens on it, and at least so much [m].
constexpr double kGroundReach = 4.0, kLeastGround = 5.0;
constexpr double kGroundRoughness = 0.9;

/// Where bodies that can be seen are, at any frame.
Box room_of(const Recording& recording) {
    Box room;
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (!recording.bodies[b].asset) continue;
        const Box own = bounds(recording.bodies[b].asset->surface.points);
        const Vec3 reach = Vec3::Constant(0.5 * own.diagonal());
        for (const Frame& frame : recording.frames) {
            if (!frame.bodies[b].is_present) continue;
            const Vec3 middle = frame.bodies[b].pose_w.point(own.centre());
            room.add(middle - reach);
            room.add(middle + reach);
        }
    }
    return room;
}

std::shared_ptr<const SurfaceAsset> square(const FilmSet::Ground& ground, const Box& room) {
    const Vec3 middle = room.is_empty() ? Vec3(0, 0, 0) : room.centre();
    const double size = room.is_empty() ? 0.0
                                        : std::max(room.upper.x() - room.lower.x(),
                                                   room.upper.z() - room.lower.z());
    const double half = std::max(kLeastGround, kGroundReach * size);
    auto asset = std::make_shared<SurfaceAsset>();
    for (const auto& [x, z] : {std::pair{-1, -1}, {-1, 1}, {1, 1}, {1, -1}}) {
        asset->surface.points.emplace_back(middle.x() + x * half, ground.height,
                                           middle.z() + z * half);
    }
    asset->surface.triangles = {{0, 1, 2}, {0, 2, 3}};
    RenderMesh& mesh = asset->render;
    mesh.points = asset->surface.points;
    mesh.triangles = asset->surface.triangles;
    mesh.normals.assign(4, Vec3::UnitY());
    mesh.triangle_looks.assign(2, 0);
    Look& look = mesh.looks.emplace_back();
    look.name = "ground";
    look.base_colour = ground.colour;
    look.roughness = kGroundRoughness;
    look.is_two_sided = true;
    for (std::int32_t v = 0; v < 4; ++v) asset->anchors.push_back(SurfaceAnchor::on_point(v));
    return asset;
}

}  // namespace

Status check_set(const FilmSet& set, const Recording& recording) {
    if (set.ground && (!std::isfinite(set.ground->height) || !set.ground->colour.allFinite())) {
        return Error{"the ground's height or colour is not finite", "ground", ""};
    }
    if (set.camera) {
        const FilmSet::Camera& camera = *set.camera;
        const std::size_t count = camera.poses_w.size();
        if (count != 1 && count != recording.frames.size()) {
            return Error{"the camera needs one pose, or one per frame", "camera", ""};
        }
        const bool is_good = std::all_of(camera.poses_w.begin(), camera.poses_w.end(),
                                         [](const Transform& t) { return is_finite(t); });
        if (!is_good || !(camera.field_of_view_deg > 0 && camera.field_of_view_deg < 180) ||
            !(camera.aspect > 0 && std::isfinite(camera.aspect))) {
            return Error{"the camera has a pose or a view that is none", "camera", ""};
        }
    }
    if (set.sun && (!(set.sun->direction_w.norm() > 0) || !set.sun->direction_w.allFinite() ||
                    !(set.sun->strength >= 0 && std::isfinite(set.sun->strength)))) {
        return Error{"the sun has no direction or strength", "sun", ""};
    }
    return {};
}

Recording ground_recording(const FilmSet& set, const Recording& recording) {
    Recording out;
    out.frame_rate = recording.frame_rate;
    RecordedBody& body = out.bodies.emplace_back();
    body.name = "ground";
    body.is_static = true;
    body.asset = square(*set.ground, room_of(recording));
    body.shapes.push_back(body.asset->surface.points);
    for (const Frame& frame : recording.frames) out.frames.push_back({frame.time, {BodyFrame{}}});
    return out;
}

BodyTrack camera_track(const FilmSet& set, const Recording& recording) {
    BodyTrack track;
    track.source.resize(recording.frames.size());
    std::iota(track.source.begin(), track.source.end(), 0);
    track.poses = set.camera->poses_w;
    track.poses.resize(recording.frames.size(), set.camera->poses_w.back());
    for (std::size_t f = 1; f < track.poses.size(); ++f) {
        Quat& turn = track.poses[f].rotation;
        if (turn.dot(track.poses[f - 1].rotation) < 0) turn.coeffs() *= -1.0;
    }
    const bool moves = std::any_of(track.poses.begin(), track.poses.end(), [&](const Transform& t) {
        return t.translation != track.poses[0].translation ||
               t.rotation.coeffs() != track.poses[0].rotation.coeffs();
    });
    if (moves) track.translation_keys = track.rotation_keys = track.source;
    return track;
}

Transform sun_pose(const FilmSet& set) {
    const Vec3 towards = set.sun->direction_w.normalized();
    Transform pose = looking_pose(towards, Vec3::Zero());
    pose.translation = Vec3::Zero();
    return pose;
}

}  // namespace ductile
