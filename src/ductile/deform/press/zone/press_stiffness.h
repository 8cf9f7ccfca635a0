// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/mapping/press_surface.h>

namespace ductile {

/// The radius of the ball that press takes for a body by itself [m]: half of the largest that fits
/// into the body at rest where it is touched, in the median over its surface; at most a quarter of
/// its size, which is what a ball has, and a sheet. Follows from the shape at rest alone, to a few
/// percent of what all its area would give, however finely parts of it are meshed. O(n).
double default_stiffness(const RestSurface& surface);
/// The same where the body is pressed in by `depth` [m], of that at rest. Falls with the depth, to
/// a fifth.
double stiffness_at_depth(double at_rest, double depth);

}  // namespace ductile
