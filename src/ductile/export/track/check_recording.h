// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>

namespace ductile {

/// Whether an exporter can trust a recording: the first thing every exporter asks.
///
/// Error, naming the body and the frame where there is one: no body or no frame; times that do not
/// rise; counts that do not match; an index out of range; a number that is not finite, does not
/// fit into a float, or a rotation that is not of unit length, in anything that is shown; hits,
/// impacts or energies that make no sense.
/// What is not shown is not read: the pose and shape of an absent body, a shape no frame uses.
/// A body without an asset is fine: it has a pose and nothing to draw.
/// O(points of all shapes), allocates little.
Status check_recording(const Recording& recording);

}  // namespace ductile
