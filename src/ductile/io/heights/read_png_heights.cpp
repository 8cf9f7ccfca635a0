// SPDX-License-Identifier: MIT
// libpng unpacks the rows and nothing else. Its conversions would bend numbers: the reader that
// pictures for drawing use (render/decode_picture.h) takes 16 bits through a gamma curve.
#include <ductile/io/heights/height_formats.h>

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {
namespace {

/// The header chunk, which every PNG file begins with after its eight-byte signature.
struct PngHeader {
    std::uint32_t columns = 0, rows = 0;
    int depth = 0;  // bits a sample
    int kind = 0;   // PNG_COLOR_TYPE_...

    int channels() const {
        const int colours = kind & PNG_COLOR_MASK_COLOR && kind != PNG_COLOR_TYPE_PALETTE ? 3 : 1;
        return colours + (kind & PNG_COLOR_MASK_ALPHA ? 1 : 0);
    }
    std::size_t row_bytes() const {
        return (std::size_t(columns) * std::size_t(channels()) * std::size_t(depth) + 7) / 8;
    }
};

Error damaged_png(std::string_view words, std::size_t byte) {
    return {fmt::format("is damaged: {}", words), fmt::format("byte {}", byte),
            "save the picture again"};
}

/// Refuses before anything is allocated what the limits or the file's own length forbid.
Result<PngHeader> read_png_header(std::span<const std::byte> bytes, const HeightLimits& limits) {
    constexpr std::size_t kNameAt = 12, kColumnsAt = 16, kRowsAt = 20, kDepthAt = 24, kKindAt = 25;
    constexpr std::size_t kEnd = 33;
    // One bit of what deflate packs stands for 129 bytes at most (zlib's technical page).
    constexpr std::size_t kMostInflation = 1032;
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
    const PngHeader header{number(kColumnsAt), number(kRowsAt),
                           std::to_integer<int>(bytes[kDepthAt]),
                           std::to_integer<int>(bytes[kKindAt])};
    if (Status fine = check_height_sides(header.columns, header.rows, limits, kColumnsAt); !fine) {
        return fine.error();
    }
    // libpng looks at the rest; no kind of picture has more.
    if (header.depth < 1 || header.depth > 16 || header.kind > PNG_COLOR_TYPE_RGB_ALPHA) {
        return damaged_png("its header names no kind of picture", kDepthAt);
    }
    if (header.row_bytes() * header.rows > kMostInflation * bytes.size()) {
        return Error{fmt::format("promises {} x {} pixels, more than {} bytes can hold",
                                 header.columns, header.rows, bytes.size()),
                     fmt::format("byte {}", kColumnsAt), "save the picture again"};
    }
    return header;
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
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // ours have been looked at
        png_read_info(png, info);
        if (png_get_rowbytes(png, info) != row_bytes) png_error(png, "rows of another length");
        png_set_interlace_handling(png);
        png_read_image(png, rows);
        png_read_end(png, nullptr);
        return true;
    }

private:
    static void stop(png_structp png, png_const_charp words) {
        auto* self = static_cast<PngDecoder*>(png_get_error_ptr(png));
        std::strncpy(self->message, words, sizeof self->message - 1);
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

/// Rows as the file stores them, made heights.
class PngHeights {
public:
    PngHeights(const PngHeader& header, PngDecoder& decoder)
        : header_(header), largest_((1 << header.depth) - 1) {
        png_get_PLTE(decoder.png, decoder.info, &palette_, &palette_count_);
        png_get_tRNS(decoder.png, decoder.info, &alphas_, &alpha_count_, &clear_);
    }

    /// -1 for a pixel that names no colour of the palette.
    double height(const std::uint8_t* row, std::size_t column) const {
        if (header_.kind == PNG_COLOR_TYPE_PALETTE) return palette_height(sample(row, column));
        const auto channels = static_cast<std::size_t>(header_.channels());
        const std::size_t first = column * channels;
        int rgb[3];
        const bool is_colour = header_.kind & PNG_COLOR_MASK_COLOR;
        for (std::size_t k = 0; k < 3; ++k) rgb[k] = sample(row, first + (is_colour ? k : 0));
        const int alpha = header_.kind & PNG_COLOR_MASK_ALPHA ? sample(row, first + channels - 1)
                          : is_clear(rgb)                     ? 0
                                                              : largest_;
        return height_of(rgb, alpha, largest_);
    }

private:
    /// Every product below is a whole number under 2^53, so the division is the only rounding.
    static double height_of(const int* rgb, int alpha, int largest) {
        return ten_thousand_luminances(rgb[0], rgb[1], rgb[2]) * alpha /
               (10000.0 * largest * largest);
    }
    double palette_height(int index) const {
        if (index >= palette_count_) return -1.0;
        const png_color& colour = palette_[index];
        const int rgb[] = {colour.red, colour.green, colour.blue};
        return height_of(rgb, index < alpha_count_ && alphas_ ? alphas_[index] : 255, 255);
    }
    int sample(const std::uint8_t* row, std::size_t index) const {
        if (header_.depth == 16) return row[2 * index] << 8 | row[2 * index + 1];
        if (header_.depth == 8) return row[index];
        const std::size_t bit = index * static_cast<std::size_t>(header_.depth);
        return row[bit / 8] >> (8 - header_.depth - static_cast<int>(bit % 8)) & largest_;
    }
    /// Whether this is the one colour that a file without alpha calls see-through.
    bool is_clear(const int* rgb) const {
        if (clear_ == nullptr) return false;
        if (header_.kind == PNG_COLOR_TYPE_GRAY) return rgb[0] == clear_->gray;
        return rgb[0] == clear_->red && rgb[1] == clear_->green && rgb[2] == clear_->blue;
    }

    const PngHeader& header_;
    int largest_;
    png_colorp palette_ = nullptr;
    int palette_count_ = 0;
    png_bytep alphas_ = nullptr;
    int alpha_count_ = 0;
    png_color_16p clear_ = nullptr;
};

}  // namespace

Result<HeightPicture> read_png_heights(std::span<const std::byte> bytes,
                                       const HeightLimits& limits) {
    const Result<PngHeader> found = read_png_header(bytes, limits);
    if (!found) return found.error();
    const PngHeader& header = found.value();
    const std::size_t row_bytes = header.row_bytes();
    std::vector<std::uint8_t> packed(row_bytes * header.rows);
    std::vector<png_bytep> rows;
    for (std::size_t j = 0; j < header.rows; ++j) rows.push_back(packed.data() + j * row_bytes);
    PngDecoder decoder(bytes);
    if (!decoder.unpack(rows.data(), row_bytes)) return damaged_png(decoder.message, decoder.at);
    // Only now, since a bit of a file that lies would become eight bytes here.
    HeightPicture picture{
        static_cast<std::int32_t>(header.columns), static_cast<std::int32_t>(header.rows), {}};
    picture.heights.reserve(std::size_t(header.columns) * header.rows);
    const PngHeights heights(header, decoder);
    for (std::size_t j = 0; j < header.rows; ++j) {
        for (std::size_t i = 0; i < header.columns; ++i) {
            const double height = heights.height(rows[j], i);
            if (height < 0.0) {
                return damaged_png(fmt::format("the pixel in column {} and row {} is of a colour "
                                               "that its palette does not have",
                                               i, j),
                                   decoder.at);
            }
            picture.heights.push_back(height);
        }
    }
    return picture;
}

}  // namespace ductile
