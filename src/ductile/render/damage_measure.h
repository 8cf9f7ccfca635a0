// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/picture_options.h>
#include <ductile/record/recording.h>
#include <ductile/render/shading_math.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// What DamageScale::colour wants, per render vertex of a shape. Requires: as many finite surface
/// points as the asset has; `by` is not None. O(n).
std::vector<Vec3f> measure_damage(const SurfaceAsset& asset, std::span<const Vec3> surface,
                                  ColourBy by);

/// The same for ColourBy::Example: tints by the shares of example poses that a shape has. Empty for
/// one at rest. O(n).
std::vector<Vec3f> measure_examples(const RecordedBody& body, std::size_t shape);

/// The damage in a recording, but for the few places where it is most extreme: a sliver of a
/// triangle or a hidden fold is not to take the colours from all others.
struct DamageExtent {
    double most = 0.0;   ///< Depth [m], strain, or length of scratches [m].
    double least = 0.0;  ///< Of depth: how far raised places are below 0 [m]; else 0.
};

/// Looks at every shape of every body: of its points that were pushed in (strained, scratched) all
/// but one in fifty are within `most`, of those that were raised all but one in fifty above
/// `least`; the widest shape counts. One with another number of points than its asset, or with a
/// point that is not finite, is passed over. On several threads, same result. O(points of all).
DamageExtent damage_extent(const Recording& recording, ColourBy by);

/// A number with few digits that is `value` or up to a third more: people read such numbers, and
/// their halves, off a scale. Requires: value > 0, finite.
double round_up(double value);

}  // namespace ductile
