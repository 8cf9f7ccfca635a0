// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/render/rgba_image.h>

#include <doctest/doctest.h>
#include <png.h>
#include <turbojpeg.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile::test {

/// A picture whose pixels `paint(x, y)` names as {red, green, blue, alpha}.
template <class Paint>
RgbaImage picture(std::int32_t width, std::int32_t height, const Paint& paint) {
    RgbaImage image{width, height, {}};
    for (std::int32_t y = 0; y < height; ++y) {
        for (std::int32_t x = 0; x < width; ++x) {
            for (const int level : paint(x, y)) {
                image.rgba.push_back(static_cast<std::uint8_t>(level));
            }
        }
    }
    return image;
}

/// How a PNG file stores its pixels.
struct PngKind {
    int type = PNG_COLOR_TYPE_RGBA;
    int depth = 8;
    int interlace = PNG_INTERLACE_NONE;
    std::vector<png_color> palette = {};
    std::vector<png_byte> palette_alpha = {};
};

/// A PNG file of packed rows.
inline std::vector<std::byte> png_file(std::int32_t width, std::int32_t height, PngKind kind,
                                       std::vector<std::uint8_t> rows) {
    std::vector<std::byte> out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp writer, png_bytep data, std::size_t size) {
            auto* bytes = static_cast<std::vector<std::byte>*>(png_get_io_ptr(writer));
            const auto* first = reinterpret_cast<const std::byte*>(data);
            bytes->insert(bytes->end(), first, first + size);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                 kind.depth, kind.type, kind.interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!kind.palette.empty()) {
        png_set_PLTE(png, info, kind.palette.data(), static_cast<int>(kind.palette.size()));
        png_set_tRNS(png, info, kind.palette_alpha.data(),
                     static_cast<int>(kind.palette_alpha.size()), nullptr);
    }
    std::vector<png_bytep> pointers;
    const std::size_t stride = rows.size() / static_cast<std::size_t>(height);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
        pointers.push_back(rows.data() + y * stride);
    }
    png_set_rows(png, info, pointers.data());
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    png_destroy_write_struct(&png, &info);
    return out;
}

inline std::vector<std::byte> as_png(const RgbaImage& image) {
    return png_file(image.width, image.height, {}, image.rgba);
}

inline std::vector<std::byte> as_jpeg(const RgbaImage& image, int quality) {
    unsigned char* data = nullptr;
    unsigned long size = 0;
    const tjhandle encoder = tjInitCompress();
    REQUIRE(tjCompress2(encoder, image.rgba.data(), image.width, 0, image.height, TJPF_RGBA, &data,
                        &size, TJSAMP_444, quality, TJFLAG_ACCURATEDCT) == 0);
    const auto* first = reinterpret_cast<const std::byte*>(data);
    std::vector<std::byte> out(first, first + size);
    tjFree(data);
    tjDestroy(encoder);
    return out;
}

inline std::shared_ptr<const Texture> texture_of(std::vector<std::byte> bytes) {
    return std::make_shared<const Texture>(Texture{"paint.png", "image/png", std::move(bytes)});
}

}  // namespace ductile::test
