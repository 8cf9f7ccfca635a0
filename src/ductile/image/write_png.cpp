// SPDX-License-Identifier: MIT
// Portable Network Graphics, W3C recommendation, second edition (2003): the part that 8-bit RGB
// needs. The row filter is chosen by the smallest sum of absolute differences (its section 12.8).
// By hand and not by libpng, so that the same picture is the same bytes with every version of it.
#include <ductile/core/assert.h>
#include <ductile/image/png.h>

#include <zlib.h>

#include <cstdlib>

namespace ductile {
namespace {

constexpr int kChannels = 3;
constexpr int kFilters = 5;

void put_u32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

void put_chunk(std::string& out, std::string_view name, std::string_view content) {
    put_u32(out, static_cast<std::uint32_t>(content.size()));
    const std::size_t begin = out.size();
    out += name;
    out += content;
    put_u32(out, checksum(std::string_view(out).substr(begin)));
}

int paeth(int left, int up, int corner) {
    const int guess = left + up - corner;
    const int from_left = std::abs(guess - left);
    const int from_up = std::abs(guess - up);
    const int from_corner = std::abs(guess - corner);
    if (from_left <= from_up && from_left <= from_corner) return left;
    return from_up <= from_corner ? up : corner;
}

/// What a filter predicts for a byte from its neighbours; 0 outside the picture.
int predict(int filter, int left, int up, int corner) {
    switch (filter) {
        case 1:
            return left;
        case 2:
            return up;
        case 3:
            return (left + up) / 2;
        case 4:
            return paeth(left, up, corner);
        default:
            return 0;
    }
}

/// One row after filtering, its filter's number first. `above` is null for the first row.
std::string filter_row(int filter, const std::uint8_t* row, const std::uint8_t* above,
                       std::size_t length, std::uint64_t& cost) {
    std::string out(1, static_cast<char>(filter));
    cost = 0;
    for (std::size_t i = 0; i < length; ++i) {
        const int left = i >= kChannels ? row[i - kChannels] : 0;
        const int up = above ? above[i] : 0;
        const int corner = above && i >= kChannels ? above[i - kChannels] : 0;
        const auto byte = static_cast<std::uint8_t>(row[i] - predict(filter, left, up, corner));
        cost += byte < 128 ? byte : 256 - byte;
        out.push_back(static_cast<char>(byte));
    }
    return out;
}

std::string filter_rows(std::int32_t columns, std::int32_t rows,
                        std::span<const std::uint8_t> rgb) {
    const std::size_t length = std::size_t(columns) * kChannels;
    std::string out;
    out.reserve((length + 1) * rows);
    for (std::int32_t y = 0; y < rows; ++y) {
        const std::uint8_t* row = rgb.data() + y * length;
        std::string best;
        std::uint64_t least = ~std::uint64_t{0};
        for (int filter = 0; filter < kFilters; ++filter) {
            std::uint64_t cost = 0;
            std::string tried = filter_row(filter, row, y ? row - length : nullptr, length, cost);
            if (cost >= least) continue;
            least = cost;
            best = std::move(tried);
        }
        out += best;
    }
    return out;
}

}  // namespace

std::string encode_png(std::int32_t columns, std::int32_t rows, std::span<const std::uint8_t> rgb) {
    DUCTILE_ASSERT(columns > 0 && rows > 0, "a picture of at least one pixel");
    DUCTILE_ASSERT(rgb.size() == std::size_t(columns) * rows * kChannels, "three bytes a pixel");
    const std::string filtered = filter_rows(columns, rows, rgb);
    uLongf size = compressBound(static_cast<uLong>(filtered.size()));
    std::string packed(size, '\0');
    const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(filtered.data()),
                               static_cast<uLong>(filtered.size()), Z_DEFAULT_COMPRESSION);
    DUCTILE_ASSERT(code == Z_OK, "compressBound bytes are enough");
    packed.resize(size);

    std::string header;
    put_u32(header, static_cast<std::uint32_t>(columns));
    put_u32(header, static_cast<std::uint32_t>(rows));
    header += std::string_view("\x08\x02\0\0\0", 5);
    std::string out(kPngSignature);
    put_chunk(out, "IHDR", header);
    put_chunk(out, "sRGB", std::string_view("\0", 1));
    put_chunk(out, "IDAT", packed);
    put_chunk(out, "IEND", "");
    return out;
}

}  // namespace ductile
