// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/colour_scale.h>
#include <ductile/render/image.h>

namespace ductile {

/// Draws what the colours mean into a corner: the scale with numbers in millimetres or percent, the
/// six directions with their lengths, or a line per example pose, as wide as the longest name.
/// Grows with the picture; a picture too small for it gets none, and is not touched.
void draw_legend(const DamageScale& scale, LegendPlace place, Image& image);

}  // namespace ductile
