// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/image.h>

#include <cstdint>
#include <string_view>

namespace ductile {

/// Letters of 5 x 7 dots for legends and captions: those of English and the signs of numbers and
/// paths. Others are drawn as an empty box.
inline constexpr std::int32_t kGlyphWidth = 5;    ///< [dots]
inline constexpr std::int32_t kGlyphHeight = 7;   ///< [dots]
inline constexpr std::int32_t kGlyphAdvance = 6;  ///< From one letter to the next [dots].

/// Dots from the left of the first letter to the right of the last; 0 for no letter.
std::int32_t text_width(std::string_view text);

/// Whether the letters have a form of their own.
bool has_glyphs(std::string_view text);

/// Writes in white from (x, y) on, the upper left corner; a dot is `dot` x `dot` pixels. What falls
/// outside the picture is left out. Requires: dot > 0.
void draw_text(std::string_view text, std::int32_t x, std::int32_t y, std::int32_t dot,
               Image& image);

}  // namespace ductile
