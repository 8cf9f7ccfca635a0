// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/track/body_poser.h>
#include <ductile/export/track/body_track.h>
#include <ductile/skin/carry_damage.h>

#include <algorithm>

namespace ductile {

BodyPoser::BodyPoser(const Recording& recording, std::size_t body)
    : recording_(recording),
      body_(body),
      skin_(recording.bodies[body].asset),
      source_(source_frames(recording, body)) {
    DUCTILE_ASSERT(!source_.empty(), "a body that is there at some time");
    normals_.resize(skin_.normals().size());
    for (std::size_t v = 0; v < normals_.size(); ++v) take_normal(v);
    show(0);
}

bool BodyPoser::can_show(const Recording& recording, std::size_t body) {
    return recording.bodies[body].asset &&
           std::any_of(recording.frames.begin(), recording.frames.end(),
                       [&](const Frame& frame) { return frame.bodies[body].is_present; });
}

void BodyPoser::show(std::size_t frame) {
    frame_ = frame;
    const std::int32_t shape = recording_.frames[source_[frame]].bodies[body_].shape;
    if (shape == shape_) return;
    shape_ = shape;
    skin_.update(surface_points());
    for (const std::int32_t v : skin_.changed()) take_normal(static_cast<std::size_t>(v));
}

void BodyPoser::take_normal(std::size_t vertex) {
    // A vertex without a usable face may have none; readers want length 1.
    const Vec3& normal = skin_.normals()[vertex];
    const double length = normal.norm();
    normals_[vertex] = length > 0.5 && length < 2.0 ? normal : Vec3(Vec3::UnitY());
}

bool BodyPoser::is_present() const { return recording_.frames[frame_].bodies[body_].is_present; }

const Transform& BodyPoser::pose_w() const {
    return recording_.frames[source_[frame_]].bodies[body_].pose_w;
}

std::span<const Vec3> BodyPoser::surface_points() const {
    const RecordedBody& body = recording_.bodies[body_];
    return body.shapes.empty() ? body.asset->surface.points : body.shapes[shape_];
}

const DamageMap& BodyPoser::damage() {
    if (damage_shape_ != shape_) {
        const TriMesh& rest = asset().surface;
        damage_ = carry_damage(asset(), damage_map(rest.points, surface_points(), rest.triangles));
        damage_shape_ = shape_;
    }
    return damage_;
}

}  // namespace ductile
