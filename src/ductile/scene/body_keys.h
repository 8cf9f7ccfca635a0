// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>

#include <span>

namespace ductile {

/// Where a body is at one time.
struct BodyKey {
    double time = 0.0;                 ///< [s]
    Vec3 position = Vec3::Zero();      ///< Of the middle of its box [m], world.
    Quat rotation = Quat::Identity();  ///< From body to world.
};
template <class Visitor>
void visit_fields(BodyKey& k, Visitor&& field) {
    field(Field{"time", "s", 0.0, 1e5, "when it is there"}, k.time);
    field(Field{"position", "m", -1e5, 1e5, "where the middle of its box is"}, k.position);
    field(Field{"rotation", "", 0, 0, "how it is turned"}, k.rotation);
}

/// Where a body with keys is at a time: a smooth way through all of them, at rest before the first
/// and after the last. No coordinate goes beyond those of the two keys around it, so that a
/// body told to stay stays. Turns take the shorter way. Requires: keys by strictly ascending time,
/// at least one.
Transform pose_at(std::span<const BodyKey> keys, double time);

/// The same of a body's frame. `start_w`: where the scene puts the middle of its box, or of the
/// copy's; `pose_w`: its pose there. Copies keep their distance.
Transform keyed_pose(std::span<const BodyKey> keys, const Vec3& start_w, const Transform& pose_w,
                     double time);

}  // namespace ductile
