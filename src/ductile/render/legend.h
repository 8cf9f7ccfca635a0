// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/colour_scale.h>
#include <ductile/render/image.h>

namespace ductile {

/// Draws what the colours mean into the lower left corner: the scale with numbers in millimetres or
/// percent, or the six directions with their lengths. Grows with the
/// picture; a picture too small for it gets none, and is not touched.
void draw_legend(const DamageScale& scale, Image& image);

}  // namespace ductile
