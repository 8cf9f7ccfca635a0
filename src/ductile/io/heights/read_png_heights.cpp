// SPDX-License-Identifier: MIT
#include <ductile/image/png.h>
#include <ductile/io/heights/height_formats.h>

#include <fmt/format.h>

namespace ductile {
namespace {

/// Samples made heights.
class PngHeights {
public:
    explicit PngHeights(const PngSamples& samples)
        : samples_(samples), largest_(samples.largest()) {}

    /// -1 for a pixel that names no colour of the palette.
    double height(std::size_t row, std::size_t column) const {
        const PngHeader& header = samples_.header;
        if (header.has_palette) return palette_height(samples_.sample(row, column));
        const auto channels = static_cast<std::size_t>(header.channels());
        const std::size_t first = column * channels;
        std::array<int, 3> rgb;
        for (std::size_t k = 0; k < 3; ++k) {
            rgb[k] = samples_.sample(row, first + (header.has_colour ? k : 0));
        }
        const int alpha = header.has_alpha ? samples_.sample(row, first + channels - 1)
                          : rgb == samples_.clear_colour ? 0
                                                         : largest_;
        return height_of(rgb, alpha, largest_);
    }

private:
    /// Every product below is a whole number under 2^53, so the division is the only rounding.
    static double height_of(const std::array<int, 3>& rgb, int alpha, int largest) {
        return ten_thousand_luminances(rgb[0], rgb[1], rgb[2]) * alpha /
               (10000.0 * largest * largest);
    }
    double palette_height(int index) const {
        if (static_cast<std::size_t>(index) >= samples_.palette.size()) return -1.0;
        const auto& [red, green, blue, alpha] = samples_.palette[static_cast<std::size_t>(index)];
        return height_of({red, green, blue}, alpha, 255);
    }

    const PngSamples& samples_;
    int largest_;
};

}  // namespace

Result<HeightPicture> read_png_heights(std::span<const std::byte> bytes,
                                       const HeightLimits& limits) {
    const Result<PngHeader> header = read_png_header(bytes);
    if (!header) return header.error();
    const std::uint32_t columns = header.value().columns, rows = header.value().rows;
    if (Status fine = check_height_sides(columns, rows, limits, kPngSizeAt); !fine) {
        return fine.error();
    }
    const Result<PngSamples> samples = read_png_samples(bytes, header.value());
    if (!samples) return samples.error();
    // Only now, since a bit of a file that lies would become eight bytes here.
    HeightPicture picture{static_cast<std::int32_t>(columns), static_cast<std::int32_t>(rows), {}};
    picture.heights.reserve(std::size_t(columns) * rows);
    const PngHeights heights(samples.value());
    for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t i = 0; i < columns; ++i) {
            const double height = heights.height(j, i);
            if (height < 0.0) {
                return Error{fmt::format("is damaged: the pixel in column {} and row {} is of a "
                                         "colour that its palette does not have",
                                         i, j),
                             "", "save the picture again"};
            }
            picture.heights.push_back(height);
        }
    }
    return picture;
}

}  // namespace ductile
