// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/image/decode_picture.h>

#include <doctest/doctest.h>
#include <image/test_pictures.h>
#include <support/near.h>

#include <array>
#include <cstdlib>
#include <cstring>

using namespace ductile;
using namespace ductile::test;

namespace {

using Bytes = std::vector<std::byte>;

RgbaImage gradient(std::int32_t side) {
    return picture(side, side, [&](int x, int y) {
        return std::array{255 * x / (side - 1), 255 * y / (side - 1), 128, 255};
    });
}

RgbaImage decoded(const Bytes& bytes, const PictureLimits& limits = {}) {
    Result<RgbaImage> image = decode_picture(bytes, limits);
    REQUIRE_MESSAGE(image.ok(), (image.ok() ? "" : image.error().text()));
    return std::move(image).value();
}

void check_refused(const Bytes& bytes, const char* message, const PictureLimits& limits = {}) {
    const Result<RgbaImage> image = decode_picture(bytes, limits);
    REQUIRE_FALSE(image.ok());
    CHECK_MESSAGE(image.error().text().find(message) != std::string::npos, image.error().text());
}

void put_big_endian(Bytes& bytes, std::size_t at, std::uint32_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        bytes[at + i] = static_cast<std::byte>(value >> (8 * (count - 1 - i)));
    }
}

/// Gives a PNG file another size in its header, with the checksum that belongs to it.
Bytes with_png_size(Bytes bytes, std::uint32_t width, std::uint32_t height) {
    put_big_endian(bytes, 16, width, 4);
    put_big_endian(bytes, 20, height, 4);
    std::uint32_t crc = ~0U;
    for (std::size_t i = 12; i < 29; ++i) {
        crc ^= std::to_integer<std::uint32_t>(bytes[i]);
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0U);
    }
    put_big_endian(bytes, 29, ~crc, 4);
    return bytes;
}

/// Gives a baseline JPEG file another size in its frame header.
Bytes with_jpeg_size(Bytes bytes, std::uint32_t width, std::uint32_t height) {
    std::size_t at = 0;
    while (bytes[at] != std::byte{0xff} || bytes[at + 1] != std::byte{0xc0}) ++at;
    put_big_endian(bytes, at + 5, height, 2);
    put_big_endian(bytes, at + 7, width, 2);
    return bytes;
}

}  // namespace

TEST_CASE("a PNG gives back every level of colour and alpha, interlaced or not") {
    const RgbaImage image = picture(33, 17, [](int x, int y) {
        return std::array{7 * x, 15 * y, x * y / 3, 255 - x};
    });
    CHECK(decoded(as_png(image)).rgba == image.rgba);
    const PngLayout interlaced{PNG_COLOR_TYPE_RGBA, 8, PNG_INTERLACE_ADAM7};
    CHECK(decoded(png_bytes(33, 17, interlaced, image.rgba)).rgba == image.rgba);
}

TEST_CASE("PNG pictures of every kind say the same pixels") {
    const std::vector<std::uint8_t> wanted = {0, 0, 0, 255, 255, 255, 255, 255};
    CHECK(decoded(png_bytes(2, 1, {PNG_COLOR_TYPE_GRAY, 1}, {0x40})).rgba == wanted);
    CHECK(decoded(png_bytes(2, 1, {PNG_COLOR_TYPE_GRAY, 8}, {0, 255})).rgba == wanted);
    CHECK(decoded(png_bytes(2, 1, {PNG_COLOR_TYPE_GRAY, 16}, {0, 0, 255, 255})).rgba == wanted);
    CHECK(decoded(png_bytes(2, 1, {PNG_COLOR_TYPE_GA, 8}, {0, 255, 255, 255})).rgba == wanted);
    CHECK(decoded(png_bytes(2, 1, {PNG_COLOR_TYPE_RGB, 8}, {0, 0, 0, 255, 255, 255})).rgba ==
          wanted);
    const PngLayout palette{
        PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE, {{10, 20, 30}, {200, 100, 50}}, {255, 64}};
    CHECK(decoded(png_bytes(2, 1, palette, {1, 0})).rgba ==
          std::vector<std::uint8_t>{200, 100, 50, 64, 10, 20, 30, 255});
}

TEST_CASE("16 bits that name no colour space are sRGB, as 8 bits are") {
    const RgbaImage image =
        decoded(png_bytes(1, 1, {PNG_COLOR_TYPE_RGB, 16}, {0x40, 0x40, 0x80, 0x80, 0xc0, 0xc0}));
    const int wanted[] = {0x40, 0x80, 0xc0};
    for (int k = 0; k < 3; ++k) CHECK(std::abs(image.rgba[k] - wanted[k]) <= 1);
}

TEST_CASE("a JPEG and a PNG of one picture agree within a few levels") {
    const RgbaImage image = gradient(64);
    const RgbaImage png = decoded(as_png(image)), jpeg = decoded(as_jpeg(image, 95));
    REQUIRE(jpeg.rgba.size() == png.rgba.size());
    int worst = 0;
    for (std::size_t i = 0; i < png.rgba.size(); ++i) {
        worst = std::max(worst, std::abs(png.rgba[i] - jpeg.rgba[i]));
    }
    CHECK(worst <= 4);
}

TEST_CASE("pictures larger than is kept are halved until they fit, and keep their colours") {
    const PictureLimits small{.kept_side = 20};
    for (const Bytes& bytes : {as_png(gradient(64)), as_jpeg(gradient(64), 95)}) {
        const RgbaImage image = decoded(bytes, small);
        CHECK(image.width == 16);
        CHECK(image.height == 16);
        const std::uint8_t* middle = &image.rgba[4 * (8 * 16 + 8)];
        CHECK(std::abs(middle[0] - 136) <= 4);  // the middle of pixel 8 of 16, of 256 levels
        CHECK(std::abs(middle[1] - 136) <= 4);
    }
}

TEST_CASE("a picture cut short anywhere is refused") {
    const RgbaImage image = gradient(16);
    for (const Bytes& whole : {as_png(image), as_jpeg(image, 80)}) {
        // The last bytes of a JPEG may be padding; those of a PNG close the file.
        for (std::size_t length = 0; length + 16 < whole.size(); ++length) {
            const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
            CHECK_FALSE(decode_picture(part).ok());
        }
    }
}

TEST_CASE("a picture with bits turned is refused or keeps its promise of size") {
    Rng rng(3);
    for (const Bytes& whole : {as_png(gradient(16)), as_jpeg(gradient(16), 80)}) {
        for (int trial = 0; trial < 2000; ++trial) {
            Bytes bent = whole;
            for (int k = 0; k < 3; ++k) {
                bent[rng.next() % bent.size()] ^= static_cast<std::byte>(1 << rng.next() % 8);
            }
            const Result<RgbaImage> image = decode_picture(bent);
            if (!image) continue;
            const RgbaImage& got = image.value();
            CHECK(got.rgba.size() == std::size_t(4) * got.width * got.height);
            CHECK(got.rgba.size() <= 33'000 * bent.size());
        }
    }
}

TEST_CASE("a header that lies about its size is refused before memory is asked for") {
    const Bytes png = as_png(gradient(16)), jpeg = as_jpeg(gradient(16), 80);
    check_refused(with_png_size(png, 8000, 8000), "bytes can hold");
    check_refused(with_png_size(png, 16000, 16000), "too large");
    check_refused(with_png_size(png, 100000, 1), "too large");
    check_refused(with_png_size(png, 17, 16), "damaged");
    check_refused(with_jpeg_size(jpeg, 8000, 8000), "bytes can hold");
    check_refused(with_jpeg_size(jpeg, 65000, 65000), "too large");
    check_refused(with_jpeg_size(jpeg, 64, 64), "damaged");
}

TEST_CASE("what is no picture is refused with a message") {
    check_refused({}, "neither PNG nor JPEG");
    check_refused(Bytes(1000, std::byte{'x'}), "neither PNG nor JPEG");
    Bytes noise(4096);
    Rng rng(1);
    for (std::byte& b : noise) b = static_cast<std::byte>(rng.next());
    std::memcpy(noise.data(), "\x89PNG\r\n\x1a\n", 8);
    check_refused(noise, "damaged");
    std::memcpy(noise.data(), "\xff\xd8\xff", 3);
    check_refused(noise, "damaged");
}

TEST_CASE("halving keeps the mean light of a picture of any size") {
    const std::span<const float> levels = linear_levels();
    for (const auto& [width, height] : {std::pair{8, 8}, {5, 3}, {7, 1}, {1, 9}, {13, 6}}) {
        Rng rng(5);
        RgbaImage image = picture(width, height, [&](int, int) {
            return std::array{int(rng.next() % 256), 128, 0, 255};
        });
        double mean = 0.0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) mean += levels[image.rgba[i]];
        mean /= double(width) * height;
        while (image.width > 1 || image.height > 1) image = halved(image);
        CHECK(test::near(levels[image.rgba[0]], mean, 0.03));
        CHECK(image.rgba[1] == 128);
        CHECK(image.rgba[3] == 255);
    }
}

TEST_CASE("what is cut away does not bleed into what stays") {
    const RgbaImage half = halved(picture(2, 2, [](int x, int) {
        return x == 0 ? std::array{200, 100, 50, 255} : std::array{0, 255, 0, 0};
    }));
    CHECK(half.rgba == std::vector<std::uint8_t>{200, 100, 50, 128});
}
