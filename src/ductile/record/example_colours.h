// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/record/recording.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ductile {

/// Linear RGB of a colour by how it is seen: lightness, green to red, blue to yellow (OKLab). Equal
/// distances there look equally large. May lie outside of [0, 1].
Vec3 linear_from_oklab(const Vec3& lab);

/// How the colour of an example pose differs from that of the rest pose, white, in OKLab: what a
/// place has several of is the sum of these by shares. Poses beyond the eighth have their colours
/// lighter.
Vec3 example_tint(std::size_t pose);

/// Linear RGB in [0, 1] of such a sum; white for none.
Vec3 example_colour(const Vec3& tint);

/// The sums for all surface points of a shape. Empty for one at rest. O(n).
std::vector<Vec3> example_tints(const RecordedBody& body, std::size_t shape);

/// Names of the poses that each colour stands for, with commas between those of bodies that name
/// them otherwise; without such as no place of a body ever has a tenth of: "" if these are all.
std::vector<std::string> example_names(const Recording& recording);

}  // namespace ductile
