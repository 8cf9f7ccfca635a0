// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/image/rgba_image.h>

#include <doctest/doctest.h>
#include <support/png_files.h>
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

inline std::vector<std::byte> as_png(const RgbaImage& image) {
    return png_bytes(static_cast<std::uint32_t>(image.width),
                     static_cast<std::uint32_t>(image.height), {PNG_COLOR_TYPE_RGBA}, image.rgba);
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
