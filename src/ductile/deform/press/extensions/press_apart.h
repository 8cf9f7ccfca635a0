// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <functional>
#include <span>

namespace ductile {

/// The place out of a rigid body that is nearest to a point: the point itself, if it is outside.
using NearestOutside = std::function<Vec3(const Vec3&)>;

/// Stops parts of a soft surface that bulged into each other where they meet: a point goes as far
/// as it may before it meets what faces it, each on its own straight way, at most, and what lies
/// beside a stopped point by no more than an edge's length further. What still crosses then, and
/// did not before, goes back by tenths of its way, twelve times at most. With `outside` no point
/// comes to lie deeper in the rigid body than it did. Points of contact zones (`zone` >= 0) and
/// those that meet nothing keep every bit. Says how many were stopped.
/// Requires: a point per point, finite; valid indices. O(n log n).
std::int32_t keep_parts_apart(std::span<const Vec3> before, std::span<const Triangle> triangles,
                              std::span<const std::int32_t> zone, std::span<Vec3> pressed,
                              const NearestOutside& outside = {});

/// Measures what was pressed; where it crosses itself, its parts are stopped at each other before,
/// out of the rigid body, unless edges between them would cut deeper through it, or that parts
/// nothing. Adds a note and what that takes of the volume.
void measure_apart(const Presser& presser, std::span<const Vec3> points, const PressRigid& rigid,
                   const Transform& pose, Pressed& pressed);

}  // namespace ductile
