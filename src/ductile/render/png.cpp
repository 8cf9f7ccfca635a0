// SPDX-License-Identifier: MIT
// Portable Network Graphics, W3C recommendation, second edition (2003): the part that 8-bit RGB
// needs. The row filter is chosen by the smallest sum of absolute differences (its section 12.8).
#include <ductile/core/file.h>
#include <ductile/render/image.h>

#include <zlib.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace ductile {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26;
constexpr int kChannels = 3;
constexpr int kFilters = 5;

void put_u32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

std::uint32_t take_u32(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
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

std::string filter_rows(const Image& image) {
    const std::size_t length = std::size_t(image.width) * kChannels;
    std::string out;
    out.reserve((length + 1) * image.height);
    for (std::int32_t y = 0; y < image.height; ++y) {
        const std::uint8_t* row = image.rgb.data() + y * length;
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

Status unfilter_rows(std::string& rows, Image& image) {
    const std::size_t length = std::size_t(image.width) * kChannels;
    image.rgb.resize(length * image.height);
    for (std::int32_t y = 0; y < image.height; ++y) {
        const auto* in = reinterpret_cast<const std::uint8_t*>(rows.data()) + y * (length + 1);
        const int filter = *in++;
        if (filter >= kFilters) return Error{"names an unknown row filter", "", ""};
        std::uint8_t* row = image.rgb.data() + y * length;
        const std::uint8_t* above = y ? row - length : nullptr;
        for (std::size_t i = 0; i < length; ++i) {
            const int left = i >= kChannels ? row[i - kChannels] : 0;
            const int up = above ? above[i] : 0;
            const int corner = above && i >= kChannels ? above[i - kChannels] : 0;
            row[i] = static_cast<std::uint8_t>(in[i] + predict(filter, left, up, corner));
        }
    }
    return {};
}

Status read_header(std::string_view content, Image& image) {
    if (content.size() != 13) return Error{"has a damaged header", "", ""};
    const std::uint32_t width = take_u32(content, 0);
    const std::uint32_t height = take_u32(content, 4);
    if (width == 0 || height == 0 || std::uint64_t{width} * height > kMostPixels) {
        return Error{"has a size out of range", "", "1 pixel up to 2^26"};
    }
    if (content.substr(8) != std::string_view("\x08\x02\0\0\0", 5)) {
        return Error{"is not an 8-bit RGB picture without interlacing", "", ""};
    }
    image.width = static_cast<std::int32_t>(width);
    image.height = static_cast<std::int32_t>(height);
    return {};
}

/// Walks the chunks: fills the header into `image` and returns the packed rows.
Result<std::string> read_chunks(std::string_view bytes, Image& image) {
    std::string packed;
    std::size_t at = kSignature.size();
    for (bool is_first = true; bytes.size() - at >= 12; is_first = false) {
        const std::size_t length = take_u32(bytes, at);
        if (length > bytes.size() - at - 12) break;
        const std::string_view named = bytes.substr(at + 4, length + 4);
        const std::string_view name = named.substr(0, 4);
        if (checksum(named) != take_u32(bytes, at + 8 + length)) {
            return Error{"is damaged: a checksum does not match", "", ""};
        }
        at += length + 12;
        if (is_first != (name == "IHDR")) return Error{"does not begin with its header", "", ""};
        if (name == "IEND") return packed;
        if (name == "IHDR") {
            if (Status read = read_header(named.substr(4), image); !read) return read.error();
        } else if (name == "IDAT") {
            packed += named.substr(4);
        } else if (!(name[0] & 0x20)) {
            return Error{"needs something unknown: " + std::string(name), "", ""};
        }
    }
    return Error{"ends too early", "", ""};
}

}  // namespace

std::string encode_png(const Image& image) {
    DUCTILE_ASSERT(image.width > 0 && image.height > 0, "a picture of at least one pixel");
    DUCTILE_ASSERT(image.rgb.size() == std::size_t(image.width) * image.height * kChannels,
                   "three bytes a pixel");
    const std::string rows = filter_rows(image);
    uLongf size = compressBound(static_cast<uLong>(rows.size()));
    std::string packed(size, '\0');
    const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(rows.data()),
                               static_cast<uLong>(rows.size()), Z_DEFAULT_COMPRESSION);
    DUCTILE_ASSERT(code == Z_OK, "compressBound bytes are enough");
    packed.resize(size);

    std::string header;
    put_u32(header, static_cast<std::uint32_t>(image.width));
    put_u32(header, static_cast<std::uint32_t>(image.height));
    header += std::string_view("\x08\x02\0\0\0", 5);
    std::string out(kSignature);
    put_chunk(out, "IHDR", header);
    put_chunk(out, "sRGB", std::string_view("\0", 1));
    put_chunk(out, "IDAT", packed);
    put_chunk(out, "IEND", "");
    return out;
}

Result<Image> decode_png(std::string_view bytes) {
    if (!bytes.starts_with(kSignature)) return Error{"is not a PNG file", "", ""};
    Image image;
    Result<std::string> packed = read_chunks(bytes, image);
    if (!packed) return packed.error();
    const std::size_t expected = (std::size_t(image.width) * kChannels + 1) * image.height;
    // A row of zeros packs about 1000 to 1; a header that promises more than that lies, and is
    // refused before memory is asked for.
    if (expected / 1100 > packed.value().size()) return Error{"ends too early", "", ""};
    std::string rows(expected, '\0');
    uLongf size = static_cast<uLongf>(expected);
    const int code = uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.value().data()),
                                static_cast<uLong>(packed.value().size()));
    if (code != Z_OK || size != expected) return Error{"holds damaged rows", "", ""};
    if (Status done = unfilter_rows(rows, image); !done) return done.error();
    return image;
}

Status write_png(const std::filesystem::path& path, const Image& image) {
    return write_file(path, encode_png(image));
}

Result<Image> read_png(const std::filesystem::path& path) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    Result<Image> image = decode_png(bytes.value());
    if (!image) return Error{image.error().what, path.string(), image.error().hint};
    return image;
}

}  // namespace ductile
