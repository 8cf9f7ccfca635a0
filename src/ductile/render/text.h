// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/image.h>

#include <cstdint>
#include <string_view>

namespace ductile {

// Letters for legends and captions: DejaVu Sans, which is built in, with smoothed edges. Texts are
// UTF-8; a letter that the typeface does not have is an empty box. `size` is that of the type [em,
// pixels], above 0.

/// From the left of the first letter to the right of the last [pixels]; 0 for no letter.
std::int32_t text_width(std::string_view text, std::int32_t size);

/// From the top of the tallest letters to the bottom of the lowest [pixels].
std::int32_t text_height(std::int32_t size);

/// Writes a line in white, its upper left corner at (x, y). What falls outside the picture is left
/// out.
void draw_text(std::string_view text, std::int32_t x, std::int32_t y, std::int32_t size,
               Image& image);

}  // namespace ductile
