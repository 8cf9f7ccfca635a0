// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/damage_map.h>
#include <ductile/record/recording.h>

#include <cstddef>
#include <vector>

namespace ductile {

/// The surface that a body ended with: that of the last frame at which it is present. Null if it
/// has no asset, is never present, or ended as it was at rest, bit for bit.
/// Requires: check_recording is content.
const std::vector<Vec3>* damaged_surface(const Recording& recording, std::size_t body);

/// What was done to that surface, per render vertex. Requires: damaged_surface is not null.
DamageMap final_damage(const Recording& recording, std::size_t body);

/// The colours of the example poses that it ended with (record/example_colours.h), linear RGB per
/// render vertex. Empty if it has none, or no place has any of them.
std::vector<Vec3> final_pose_colours(const Recording& recording, std::size_t body);

}  // namespace ductile
