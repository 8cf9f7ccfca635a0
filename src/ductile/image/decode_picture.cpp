// SPDX-License-Identifier: MIT
#include <ductile/image/decode_picture.h>
#include <ductile/image/png.h>

#include <fmt/format.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

namespace ductile {
namespace {

constexpr std::int64_t kPixelBytes = 4;
// A Huffman code has at least one bit, and a block of 8 x 8 pixels at least one code.
constexpr std::int64_t kMostJpegPixelsPerByte = 8 * 64;
constexpr std::int64_t kJpegPadding = 16 * 16;  // pixels of a block that stick out of the picture
constexpr std::string_view kJpegSignature("\xff\xd8\xff", 3);

bool begins_with(std::span<const std::byte> bytes, std::string_view signature) {
    return bytes.size() >= signature.size() &&
           std::memcmp(bytes.data(), signature.data(), signature.size()) == 0;
}

Status check_size(std::int64_t width, std::int64_t height, const PictureLimits& limits) {
    if (width < 1 || height < 1) return Error{"is a picture without pixels", "", ""};
    if (width > limits.side || height > limits.side ||
        width * height * kPixelBytes > limits.bytes) {
        return Error{
            fmt::format("is a picture of {} x {} pixels, too large to draw", width, height), "",
            fmt::format("at most {} pixels a side and {} in all", limits.side,
                        limits.bytes / kPixelBytes)};
    }
    return {};
}

Error damaged(std::string_view message) {
    return {fmt::format("is damaged: {}", message), "", "save the picture again"};
}

Result<RgbaImage> decode_png_file(std::span<const std::byte> bytes, const PictureLimits& limits) {
    // Whoever asked knows which picture it is; a byte within it would only hide that.
    const auto unplaced = [](const Error& error) { return Error{error.what, "", error.hint}; };
    const Result<PngHeader> header = read_png_header(bytes);
    if (!header) return unplaced(header.error());
    const std::int64_t width = header.value().columns, height = header.value().rows;
    if (Status fine = check_size(width, height, limits); !fine) return fine.error();
    Result<std::vector<std::uint8_t>> rgba = read_png_rgba(bytes, header.value());
    if (!rgba) return unplaced(rgba.error());
    return RgbaImage{static_cast<std::int32_t>(width), static_cast<std::int32_t>(height),
                     std::move(rgba).value()};
}

struct CloseJpeg {
    void operator()(void* handle) const { tjDestroy(handle); }
};

/// How often the decoder itself should halve a picture: it can do so three times.
int jpeg_halvings(std::int32_t side, std::int32_t kept_side) {
    int count = 0;
    while (count < 3 && (side + (1 << count) - 1) >> count > kept_side) ++count;
    return count;
}

Result<RgbaImage> decode_jpeg_file(std::span<const std::byte> bytes, const PictureLimits& limits) {
    const std::unique_ptr<void, CloseJpeg> decoder(tjInitDecompress());
    if (!decoder) return Error{"cannot be decoded: no memory for it", "", ""};
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    int width = 0, height = 0, subsampling = 0, colours = 0;
    if (tjDecompressHeader3(decoder.get(), data, bytes.size(), &width, &height, &subsampling,
                            &colours) != 0) {
        return damaged(tjGetErrorStr2(decoder.get()));
    }
    if (Status fine = check_size(width, height, limits); !fine) return fine.error();
    const std::int64_t pixels = std::int64_t(width) * height;
    if (pixels > kMostJpegPixelsPerByte * static_cast<std::int64_t>(bytes.size()) + kJpegPadding) {
        return Error{fmt::format("promises {} x {} pixels, more than {} bytes can hold", width,
                                 height, bytes.size()),
                     "", "save the picture again"};
    }
    if (colours == TJCS_CMYK || colours == TJCS_YCCK) {
        return Error{"is a JPEG for printing (CMYK)", "", "save it as RGB"};
    }
    const tjscalingfactor scale{1, 1 << jpeg_halvings(std::max(width, height), limits.kept_side)};
    RgbaImage image{TJSCALED(width, scale), TJSCALED(height, scale), {}};
    image.rgba.resize(std::size_t(kPixelBytes) * image.width * image.height);
    // A file cut short is only a warning to the decoder, and thousands of empty scans are none.
    if (tjDecompress2(decoder.get(), data, bytes.size(), image.rgba.data(), image.width, 0,
                      image.height, TJPF_RGBA,
                      TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS) != 0) {
        return damaged(tjGetErrorStr2(decoder.get()));
    }
    return image;
}

}  // namespace

Result<RgbaImage> decode_picture(std::span<const std::byte> bytes, const PictureLimits& limits) {
    const bool is_png = begins_with(bytes, kPngSignature);
    if (!is_png && !begins_with(bytes, kJpegSignature)) {
        return Error{"is neither PNG nor JPEG", "", "save the picture as one of them"};
    }
    Result<RgbaImage> image =
        is_png ? decode_png_file(bytes, limits) : decode_jpeg_file(bytes, limits);
    if (!image) return image;
    const std::int32_t least = std::max(1, limits.kept_side);
    while (std::max(image.value().width, image.value().height) > least) {
        image = halved(image.value());
    }
    return image;
}

}  // namespace ductile
