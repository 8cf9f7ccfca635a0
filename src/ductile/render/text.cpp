// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/render/text.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <mutex>

// The bytes of the typeface, as CMake found it.
asm(".section .rodata\n"
    ".balign 16\n"
    "ductile_typeface:\n"
    ".incbin \"" DUCTILE_TYPEFACE
    "\"\n"
    "ductile_typeface_end:\n"
    ".balign 8\n"
    "ductile_typeface_size:\n"
    ".quad ductile_typeface_end - ductile_typeface\n"
    ".previous\n");
extern "C" {
extern const FT_Byte ductile_typeface[];
extern const std::int64_t ductile_typeface_size;
}

namespace ductile {
namespace {

constexpr char32_t kUnknown = 0xFFFD;  // what stands for bytes that are no letter

/// Takes the next letter off a text.
char32_t take_letter(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (first < 0x80) return first;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    if (more == 0 || text.size() < static_cast<std::size_t>(more)) return kUnknown;
    char32_t letter = first & (0x3Fu >> more);
    for (int i = 0; i < more; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80) return kUnknown;
        letter = letter << 6 | (next & 0x3Fu);
    }
    text.remove_prefix(more);
    return letter;
}

/// The typeface in one size at a time. Lengths are in 64ths of a pixel, as FreeType has them.
class Typeface {
public:
    Typeface() {
        [[maybe_unused]] const bool is_open =
            FT_Init_FreeType(&library_) == 0 &&
            FT_New_Memory_Face(library_, ductile_typeface,
                               static_cast<FT_Long>(ductile_typeface_size), 0, &face_) == 0;
        DUCTILE_ASSERT(is_open, "a typeface that FreeType reads");
    }
    ~Typeface() { FT_Done_FreeType(library_); }
    Typeface(const Typeface&) = delete;
    Typeface& operator=(const Typeface&) = delete;

    void set_size(std::int32_t size) {
        DUCTILE_ASSERT(size > 0, "letters have a size");
        FT_Set_Pixel_Sizes(face_, 0, static_cast<FT_UInt>(size));
    }

    /// Whole pixels above and below the line that letters stand on.
    std::int32_t ascent() const { return pixels(face_->ascender); }
    std::int32_t descent() const { return pixels(-face_->descender); }

    /// Calls use(glyph, pen) for every letter of a line; returns where it ends.
    template <class Use>
    FT_Pos set_line(std::string_view text, Use&& use) {
        FT_Pos pen = 0;
        FT_UInt before = 0;
        while (!text.empty()) {
            const FT_UInt index = FT_Get_Char_Index(face_, take_letter(text));
            FT_Vector kerning{0, 0};
            if (before != 0) {
                FT_Get_Kerning(face_, before, index, FT_KERNING_UNFITTED, &kerning);
            }
            before = index;
            // Hints would make forms depend on the place within a pixel.
            if (FT_Load_Glyph(face_, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) continue;
            pen += kerning.x;
            use(*face_->glyph, pen);
            pen += face_->glyph->linearHoriAdvance >> 10;  // of 65,536ths
        }
        return pen;
    }

private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;

    std::int32_t pixels(FT_Long units) const {
        return static_cast<std::int32_t>((FT_MulFix(units, face_->size->metrics.y_scale) + 63) >>
                                         6);
    }
};

/// The one typeface, in a size; FreeType's faces are used by one thread at a time.
class LockedTypeface {
public:
    explicit LockedTypeface(std::int32_t size) : lock_(mutex()), typeface_(typeface()) {
        typeface_.set_size(size);
    }
    Typeface* operator->() const { return &typeface_; }

private:
    std::lock_guard<std::mutex> lock_;
    Typeface& typeface_;

    static std::mutex& mutex() {
        static std::mutex mutex;
        return mutex;
    }
    static Typeface& typeface() {
        static Typeface typeface;
        return typeface;
    }
};

void blend(const FT_Bitmap& letter, std::int32_t left, std::int32_t top, Image& image) {
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(letter.rows); ++row) {
        const std::int32_t y = top + row;
        if (y < 0 || y >= image.height) continue;
        for (std::int32_t column = 0; column < static_cast<std::int32_t>(letter.width); ++column) {
            const std::int32_t x = left + column;
            if (x < 0 || x >= image.width) continue;
            const int cover = letter.buffer[std::ptrdiff_t{row} * letter.pitch + column];
            std::uint8_t* pixel = &image.rgb[3 * (std::size_t(y) * image.width + x)];
            for (int k = 0; k < 3; ++k) {
                pixel[k] = static_cast<std::uint8_t>(pixel[k] + (255 - pixel[k]) * cover / 255);
            }
        }
    }
}

}  // namespace

std::int32_t text_width(std::string_view text, std::int32_t size) {
    const LockedTypeface typeface(size);
    const FT_Pos end = typeface->set_line(text, [](FT_GlyphSlotRec&, FT_Pos) {});
    return static_cast<std::int32_t>((end + 63) >> 6);
}

std::int32_t text_height(std::int32_t size) {
    const LockedTypeface typeface(size);
    return typeface->ascent() + typeface->descent();
}

void draw_text(std::string_view text, std::int32_t x, std::int32_t y, std::int32_t size,
               Image& image) {
    const LockedTypeface typeface(size);
    const std::int32_t baseline = y + typeface->ascent();
    typeface->set_line(text, [&](FT_GlyphSlotRec& glyph, FT_Pos pen) {
        FT_Outline_Translate(&glyph.outline, pen & 63, 0);
        if (FT_Render_Glyph(&glyph, FT_RENDER_MODE_NORMAL) != 0) return;
        const auto column = static_cast<std::int32_t>(pen >> 6);
        blend(glyph.bitmap, x + column + glyph.bitmap_left, baseline - glyph.bitmap_top, image);
    });
}

}  // namespace ductile
