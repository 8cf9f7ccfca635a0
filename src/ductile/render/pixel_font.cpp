// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/render/pixel_font.h>

#include <algorithm>
#include <array>

namespace ductile {
namespace {

// Seven rows of five dots, top to bottom.
struct Glyph {
    char letter;
    std::array<std::string_view, kGlyphHeight> rows;
};

// clang-format off
constexpr std::array kGlyphs = {
    Glyph{'0', {".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."}},
    Glyph{'1', {"..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."}},
    Glyph{'2', {".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#####"}},
    Glyph{'3', {".###.", "#...#", "....#", "..##.", "....#", "#...#", ".###."}},
    Glyph{'4', {"...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."}},
    Glyph{'5', {"#####", "#....", "####.", "....#", "....#", "#...#", ".###."}},
    Glyph{'6', {".###.", "#....", "#....", "####.", "#...#", "#...#", ".###."}},
    Glyph{'7', {"#####", "....#", "...#.", "..#..", "..#..", ".#...", ".#..."}},
    Glyph{'8', {".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."}},
    Glyph{'9', {".###.", "#...#", "#...#", ".####", "....#", "....#", ".###."}},
    Glyph{'.', {".....", ".....", ".....", ".....", ".....", ".##..", ".##.."}},
    Glyph{'-', {".....", ".....", ".....", ".###.", ".....", ".....", "....."}},
    Glyph{'+', {".....", "..#..", "..#..", "#####", "..#..", "..#..", "....."}},
    Glyph{'%', {"##..#", "##..#", "...#.", "..#..", ".#...", "#..##", "#..##"}},
    Glyph{' ', {".....", ".....", ".....", ".....", ".....", ".....", "....."}},
    Glyph{'A', {".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}},
    Glyph{'C', {".###.", "#...#", "#....", "#....", "#....", "#...#", ".###."}},
    Glyph{'D', {"####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."}},
    Glyph{'E', {"#####", "#....", "#....", "####.", "#....", "#....", "#####"}},
    Glyph{'H', {"#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}},
    Glyph{'I', {".###.", "..#..", "..#..", "..#..", "..#..", "..#..", ".###."}},
    Glyph{'N', {"#...#", "##..#", "#.#.#", "#..##", "#...#", "#...#", "#...#"}},
    Glyph{'P', {"####.", "#...#", "#...#", "####.", "#....", "#....", "#...."}},
    Glyph{'R', {"####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"}},
    Glyph{'S', {".####", "#....", "#....", ".###.", "....#", "....#", "####."}},
    Glyph{'T', {"#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."}},
    Glyph{'X', {"#...#", "#...#", ".#.#.", "..#..", ".#.#.", "#...#", "#...#"}},
    Glyph{'Y', {"#...#", "#...#", ".#.#.", "..#..", "..#..", "..#..", "..#.."}},
    Glyph{'Z', {"#####", "....#", "...#.", "..#..", ".#...", "#....", "#####"}},
    Glyph{'e', {".....", ".....", ".###.", "#...#", "#####", "#....", ".###."}},
    Glyph{'m', {".....", ".....", "##.#.", "#.#.#", "#.#.#", "#.#.#", "#.#.#"}},
};
// clang-format on
constexpr Glyph kUnknown{'?', {"#####", "#...#", "#...#", "#...#", "#...#", "#...#", "#####"}};

const Glyph& glyph_of(char letter) {
    const auto found = std::find_if(kGlyphs.begin(), kGlyphs.end(),
                                    [&](const Glyph& g) { return g.letter == letter; });
    return found == kGlyphs.end() ? kUnknown : *found;
}

}  // namespace

std::int32_t text_width(std::string_view text) {
    const auto count = static_cast<std::int32_t>(text.size());
    return count == 0 ? 0 : count * kGlyphAdvance - (kGlyphAdvance - kGlyphWidth);
}

bool has_glyphs(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return &glyph_of(c) != &kUnknown; });
}

void draw_text(std::string_view text, std::int32_t x, std::int32_t y, std::int32_t dot,
               Image& image) {
    DUCTILE_ASSERT(dot > 0, "dots of some size");
    for (const char letter : text) {
        const Glyph& glyph = glyph_of(letter);
        for (std::int32_t row = 0; row < kGlyphHeight * dot; ++row) {
            for (std::int32_t column = 0; column < kGlyphWidth * dot; ++column) {
                const std::int32_t at_x = x + column, at_y = y + row;
                if (at_x < 0 || at_x >= image.width || at_y < 0 || at_y >= image.height) continue;
                if (glyph.rows[row / dot][column / dot] != '#') continue;
                const std::size_t at = 3 * (std::size_t(at_y) * image.width + at_x);
                std::fill_n(image.rgb.begin() + static_cast<std::ptrdiff_t>(at), 3, 255);
            }
        }
        x += kGlyphAdvance * dot;
    }
}

}  // namespace ductile
