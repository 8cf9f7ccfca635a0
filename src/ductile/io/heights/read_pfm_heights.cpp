// SPDX-License-Identifier: MIT
// Portable float map (Debevec 2001): "PF" or "Pf", width, height, a scale whose sign is the byte
// order, one white character, then floats row by row from the bottom.
#include <ductile/io/heights/height_formats.h>
#include <ductile/io/text_cursor.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace ductile {
namespace {

class PfmReader {
public:
    PfmReader(std::span<const std::byte> bytes, const HeightLimits& limits)
        : bytes_(bytes),
          at_(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())),
          limits_(limits) {}

    Result<HeightPicture> read_heights() {
        if (Status header = read_header(); !header) return header.error();
        HeightPicture picture{columns_, rows_, std::vector<double>(pixels())};
        const auto is_fine = [](double value) { return value >= 0.0 && std::isfinite(value); };
        const Status read =
            read_pixels(is_fine, "heights are finite and at least 0", [&](auto at, auto& values) {
                const double height =
                    channels_ == 1
                        ? values[0]
                        : ten_thousand_luminances(values[0], values[1], values[2]) / 10000.0;
                picture.heights[at] = height + 0.0;  // -0 is 0
            });
        if (!read) return read.error();
        return picture;
    }

    Result<VectorPicture> read_vectors() {
        if (Status header = read_header(); !header) return header.error();
        if (channels_ != 3) {
            return Error{"is grey, and has no vectors", "byte 0",
                         "a colour PFM begins with PF; red is x, green y, blue goes in"};
        }
        VectorPicture picture{columns_, rows_, std::vector<Vec3>(pixels())};
        const auto is_fine = [](double value) { return std::isfinite(value); };
        const Status read = read_pixels(is_fine, "vectors are finite", [&](auto at, auto& values) {
            picture.vectors[at] = {values[0], values[1], values[2]};
        });
        if (!read) return read.error();
        return picture;
    }

private:
    Error error(std::string what, std::string hint = "") const {
        return {std::move(what), fmt::format("byte {}", at_.byte()), std::move(hint)};
    }

    Status read_header() {
        channels_ = at_.word() == "PF" ? 3 : 1;
        if (at_.byte() != 2) return error("does not begin with PF or Pf alone");
        std::int64_t columns = 0, rows = 0;
        at_.skip_space();
        if (!at_.read(columns) || !at_.is_at_word_end()) return error("the width is missing");
        at_.skip_space();
        if (!at_.read(rows) || !at_.is_at_word_end()) return error("the height is missing");
        if (Status fine = check_height_sides(columns, rows, limits_, at_.byte()); !fine)
            return fine;
        columns_ = static_cast<std::int32_t>(columns);
        rows_ = static_cast<std::int32_t>(rows);
        double scale = 0.0;
        at_.skip_space();
        if (at_.read(scale) != TextCursor::Number::Good || !at_.is_at_word_end() || scale == 0.0) {
            return error("the scale is missing or 0", "-1.0 for little-endian numbers");
        }
        is_little_ = scale < 0.0;
        at_.advance();
        return check_size();
    }

    Status check_size() {
        const std::size_t promised = 4 * static_cast<std::size_t>(channels_) * pixels();
        next_ = at_.byte();
        if (at_.bytes_left() == promised) return {};
        return error(fmt::format("{} x {} pixels take {} bytes, but {} are left", columns_, rows_,
                                 promised, at_.bytes_left()),
                     "the file was cut short, or its header is wrong");
    }

    float take_float() {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const auto byte = std::to_integer<std::uint32_t>(bytes_[next_ + k]);
            bits |= byte << 8 * (is_little_ ? k : 3 - k);
        }
        next_ += 4;
        return std::bit_cast<float>(bits);
    }

    std::size_t pixels() const {
        return static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
    }

    // Hands the values of each pixel, and where it lies counted from the upper left, to `take`.
    template <class IsFine, class Take>
    Status read_pixels(const IsFine& is_fine, const char* law, const Take& take) {
        for (std::int32_t row = rows_ - 1; row >= 0; --row) {
            for (std::int32_t column = 0; column < columns_; ++column) {
                double values[3] = {};
                for (int k = 0; k < channels_; ++k) {
                    values[k] = take_float();
                    if (is_fine(values[k])) continue;
                    return Error{
                        fmt::format("the pixel in column {} and row {} is {}", column, row,
                                    values[k]),
                        fmt::format("byte {}", next_ - 4),
                        fmt::format("{}; columns and rows count from 0 at the upper left", law)};
                }
                take(static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                         static_cast<std::size_t>(column),
                     values);
            }
        }
        return {};
    }

    std::span<const std::byte> bytes_;
    TextCursor at_;
    const HeightLimits& limits_;
    std::int32_t columns_ = 0, rows_ = 0;
    int channels_ = 1;
    bool is_little_ = false;
    std::size_t next_ = 0;
};

}  // namespace

Result<HeightPicture> read_pfm_heights(std::span<const std::byte> bytes,
                                       const HeightLimits& limits) {
    return PfmReader(bytes, limits).read_heights();
}

Result<VectorPicture> read_vectors(std::span<const std::byte> bytes, const HeightLimits& limits) {
    if (bytes.size() > limits.file_bytes) {
        return Error{fmt::format("is larger than the limit of {} bytes", limits.file_bytes), "",
                     "make the picture smaller"};
    }
    return PfmReader(bytes, limits).read_vectors();
}

}  // namespace ductile
