// SPDX-License-Identifier: MIT
// Samples come from libpng's rows with none of its conversions, which would bend numbers; colours
// come from its simplified interface, which knows gamma curves, palettes and colour keys.
#include <ductile/core/assert.h>
#include <ductile/image/png.h>

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <memory>

namespace ductile {
namespace {

// One bit of what deflate packs stands for 129 bytes at most (zlib's technical page).
constexpr std::size_t kMostInflation = 1032;

Error damaged_png(std::string_view message, std::size_t byte) {
    return {fmt::format("is damaged: {}", message), fmt::format("byte {}", byte),
            "save the picture again"};
}

/// Refuses what the file's own length forbids.
Status check_promise(std::span<const std::byte> bytes, const PngHeader& header) {
    DUCTILE_ASSERT(header.columns > 0 && header.rows > 0, "a picture of at least one pixel");
    if (header.row_bytes() <= kMostInflation * bytes.size() / header.rows) return {};
    return Error{fmt::format("promises {} x {} pixels, more than {} bytes can hold", header.columns,
                             header.rows, bytes.size()),
                 fmt::format("byte {}", kPngSizeAt), "save the picture again"};
}

/// libpng at work on bytes in memory.
struct PngDecoder {
    std::span<const std::byte> bytes;
    std::size_t at = 0;
    char message[128] = "no memory for its decoder";
    png_structp png = nullptr;
    png_infop info = nullptr;

    explicit PngDecoder(std::span<const std::byte> file) : bytes(file) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, stop, [](auto, auto) {});
        if (png != nullptr) info = png_create_info_struct(png);
    }
    ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;

    /// Unpacks all rows and looks at what follows them. False, with a message, for what is damaged.
    ///
    /// An error inside libpng jumps back to the top of this function, over no destructor: it must
    /// own nothing itself. Requires: rows of `row_bytes` each, as many as the header says.
    bool unpack(png_bytepp rows, std::size_t row_bytes) {
        if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) return false;
        png_set_read_fn(png, this, read);
        // What libpng would forgive, such as a checksum of the pixels that is wrong, is an error.
        png_set_benign_errors(png, 0);
        // Only what the pixels need is kept: texts and profiles unpack to any size.
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the caller's were looked at
        png_read_info(png, info);
        if (png_get_rowbytes(png, info) != row_bytes) png_error(png, "rows of another length");
        png_set_interlace_handling(png);
        png_read_image(png, rows);
        png_read_end(png, nullptr);
        return true;
    }

    /// What gives the samples their meaning. Requires: unpack was content.
    void describe(PngSamples& out) const {
        png_colorp colours = nullptr;
        png_bytep alphas = nullptr;
        png_color_16p clear = nullptr;
        int colour_count = 0, alpha_count = 0;
        png_get_PLTE(png, info, &colours, &colour_count);
        png_get_tRNS(png, info, &alphas, &alpha_count, &clear);
        if (out.header.has_palette) {
            for (int i = 0; i < colour_count; ++i) {
                const std::uint8_t alpha = alphas && i < alpha_count ? alphas[i] : 255;
                out.palette.push_back({colours[i].red, colours[i].green, colours[i].blue, alpha});
            }
        } else if (clear != nullptr) {
            const bool is_grey = !out.header.has_colour;
            out.clear_colour = {is_grey ? clear->gray : clear->red,
                                is_grey ? clear->gray : clear->green,
                                is_grey ? clear->gray : clear->blue};
        }
    }

private:
    static void stop(png_structp png, png_const_charp text) {
        auto* self = static_cast<PngDecoder*>(png_get_error_ptr(png));
        std::strncpy(self->message, text, sizeof self->message - 1);
        png_longjmp(png, 1);
    }
    static void read(png_structp png, png_bytep out, std::size_t size) {
        auto* self = static_cast<PngDecoder*>(png_get_io_ptr(png));
        if (size > self->bytes.size() - self->at) {
            self->at = self->bytes.size();
            png_error(png, "it ends too early");
        }
        std::memcpy(out, self->bytes.data() + self->at, size);
        self->at += size;
    }
};

}  // namespace

Result<PngHeader> read_png_header(std::span<const std::byte> bytes) {
    constexpr std::size_t kNameAt = 12, kRowsAt = 20, kDepthAt = 24, kKindAt = 25, kEnd = 33;
    if (bytes.size() < kEnd) return damaged_png("it ends within its header", bytes.size());
    if (std::memcmp(bytes.data() + kNameAt, "IHDR", 4) != 0) {
        return damaged_png("it does not begin with a header", kNameAt);
    }
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
        }
        return value;
    };
    PngHeader header{number(kPngSizeAt), number(kRowsAt), std::to_integer<int>(bytes[kDepthAt])};
    const int kind = std::to_integer<int>(bytes[kKindAt]);
    // libpng looks at the rest; no kind of picture has more.
    if (header.depth < 1 || header.depth > 16 || kind > PNG_COLOR_TYPE_RGB_ALPHA) {
        return damaged_png("its header names no kind of picture", kDepthAt);
    }
    header.has_colour = kind & PNG_COLOR_MASK_COLOR;
    header.has_alpha = kind & PNG_COLOR_MASK_ALPHA;
    header.has_palette = kind & PNG_COLOR_MASK_PALETTE;
    return header;
}

Result<PngSamples> read_png_samples(std::span<const std::byte> bytes, const PngHeader& header) {
    if (Status fine = check_promise(bytes, header); !fine) return fine.error();
    const std::size_t row_bytes = header.row_bytes();
    PngSamples samples{header, std::vector<std::uint8_t>(row_bytes * header.rows), {}, {}};
    std::vector<png_bytep> rows;
    for (std::size_t j = 0; j < header.rows; ++j) {
        rows.push_back(samples.packed.data() + j * row_bytes);
    }
    PngDecoder decoder(bytes);
    if (!decoder.unpack(rows.data(), row_bytes)) return damaged_png(decoder.message, decoder.at);
    decoder.describe(samples);
    return samples;
}

Result<std::vector<std::uint8_t>> read_png_rgba(std::span<const std::byte> bytes,
                                                const PngHeader& header) {
    if (Status fine = check_promise(bytes, header); !fine) return fine.error();
    const auto damaged = [](const png_image& image) {
        return Error{fmt::format("is damaged: {}", image.message), "", "save the picture again"};
    };
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> owner(&image, png_image_free);
    if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) {
        return damaged(image);
    }
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // deep pictures, too, unless they say otherwise
    std::vector<std::uint8_t> rgba(PNG_IMAGE_SIZE(image));
    if (!png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr)) return damaged(image);
    return rgba;
}

}  // namespace ductile
