// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/picture_options.h>
#include <ductile/render/shading_math.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ductile {

/// What colours say of damage.
///
/// Depth and strain: dark blue at 0, teal, yellow at `range`; where a surface was raised (depth
/// below 0) from dark blue to pink at -range. Along each of both arms equal steps of the value are
/// steps of colour that look equal, and it gets lighter throughout. Scratch: dark grey at 0; with
/// the length up to `range` more and more the hue of its direction, one for each end of each axis
/// of the body, all equally light. Example: white at rest, and a colour for
/// each pose; what a place has several of is their mean. Values beyond the range get its last
/// colour.
struct DamageScale {
    ColourBy by = ColourBy::Depth;  ///< Not None.
    double range = 1.0;             ///< [m], or strain; > 0.
    bool has_raised = false;        ///< Whether the legend needs the arm below 0.

    std::vector<std::string> poses{};  ///< Of examples, for the legend.

    /// Linear RGB of what is measured: depth or strain in x, the scratch, or tints. Continuous.
    Vec3f colour(const Vec3f& measure) const;
};

}  // namespace ductile
