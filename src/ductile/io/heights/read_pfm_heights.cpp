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

    Result<HeightPicture> read() {
        if (Status header = read_header(); !header) return header.error();
        picture_.heights.resize(static_cast<std::size_t>(picture_.columns) *
                                static_cast<std::size_t>(picture_.rows));
        for (std::int32_t row = picture_.rows - 1; row >= 0; --row) {
            if (Status read = read_row(row); !read) return read.error();
        }
        return std::move(picture_);
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
        picture_.columns = static_cast<std::int32_t>(columns);
        picture_.rows = static_cast<std::int32_t>(rows);
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
        const std::size_t promised = std::size_t(4) * static_cast<std::size_t>(channels_) *
                                     static_cast<std::size_t>(picture_.columns) *
                                     static_cast<std::size_t>(picture_.rows);
        next_ = at_.byte();
        if (at_.bytes_left() == promised) return {};
        return error(fmt::format("{} x {} pixels take {} bytes, but {} are left", picture_.columns,
                                 picture_.rows, promised, at_.bytes_left()),
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

    Status read_row(std::int32_t row) {
        double* out = picture_.heights.data() + std::ptrdiff_t(row) * picture_.columns;
        for (std::int32_t column = 0; column < picture_.columns; ++column) {
            double values[3] = {};
            for (int k = 0; k < channels_; ++k) {
                values[k] = take_float();
                if (values[k] >= 0.0 && std::isfinite(values[k])) continue;
                return Error{
                    fmt::format("the pixel in column {} and row {} is {}", column, row, values[k]),
                    fmt::format("byte {}", next_ - 4),
                    "heights are finite and at least 0; columns and rows count from 0 at "
                    "the upper left"};
            }
            const double height =
                channels_ == 1 ? values[0]
                               : ten_thousand_luminances(values[0], values[1], values[2]) / 10000.0;
            out[column] = height + 0.0;  // -0 is 0
        }
        return {};
    }

    std::span<const std::byte> bytes_;
    TextCursor at_;
    const HeightLimits& limits_;
    HeightPicture picture_;
    int channels_ = 1;
    bool is_little_ = false;
    std::size_t next_ = 0;
};

}  // namespace

Result<HeightPicture> read_pfm_heights(std::span<const std::byte> bytes,
                                       const HeightLimits& limits) {
    return PfmReader(bytes, limits).read();
}

}  // namespace ductile
