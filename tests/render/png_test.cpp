// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/rng.h>
#include <ductile/render/image.h>

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

using namespace ductile;

namespace {

/// Rows of different kinds, so that every row filter wins somewhere.
Image motley(std::int32_t width, std::int32_t height) {
    Image image{width, height, {}};
    Rng rng(7);
    for (std::int32_t y = 0; y < height; ++y) {
        for (std::int32_t x = 0; x < 3 * width; ++x) {
            const auto noise = static_cast<std::uint8_t>(rng.next());
            const int smooth = 2 * x + 3 * y;
            image.rgb.push_back(
                y % 3 == 0 ? noise : static_cast<std::uint8_t>(y % 3 == 1 ? smooth : x * y / 3));
        }
    }
    return image;
}

std::filesystem::path scratch(const char* name) {
    return std::filesystem::temp_directory_path() /
           ("ductile_png_" + std::to_string(::getpid()) + "_" + name);
}

}  // namespace

TEST_CASE("a picture written as PNG comes back with every byte") {
    for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {64, 33}, {3, 200}}) {
        const Image image = motley(width, height);
        const Result<Image> back = decode_png(encode_png(image));
        REQUIRE(back.ok());
        CHECK(back.value().width == width);
        CHECK(back.value().height == height);
        CHECK(back.value().rgb == image.rgb);
    }
}

TEST_CASE("a PNG goes through a file, and missing folders are made") {
    const std::filesystem::path folder = scratch("folder");
    const std::filesystem::path path = folder / "deep" / "picture.png";
    REQUIRE(write_png(path, motley(20, 10)).ok());
    const Result<Image> back = read_png(path);
    REQUIRE(back.ok());
    CHECK(back.value().rgb == motley(20, 10).rgb);
    std::filesystem::remove_all(folder);
}

TEST_CASE("a PNG that cannot be written or read says where") {
    const std::filesystem::path file = scratch("file");
    REQUIRE(write_file(file, std::string_view("not a folder")).ok());
    const Status refused = write_png(file / "picture.png", motley(2, 2));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where.find(file.string()) != std::string::npos);
    const Result<Image> unread = read_png(file);
    REQUIRE_FALSE(unread.ok());
    CHECK(unread.error().where == file.string());
    std::filesystem::remove(file);
    CHECK_FALSE(read_png(file).ok());
}

TEST_CASE("a PNG cut short anywhere is refused") {
    const std::string whole = encode_png(motley(9, 9));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CHECK_FALSE(decode_png(std::string_view(whole).substr(0, length)).ok());
    }
}

TEST_CASE("a PNG with any bit turned is refused or gives a picture of the same size") {
    const std::string whole = encode_png(motley(6, 4));
    int refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string bent = whole;
        bent[i] = static_cast<char>(bent[i] ^ (1 << i % 8));
        const Result<Image> image = decode_png(bent);
        if (!image) {
            ++refused;
        } else {
            CHECK(image.value().rgb.size() == 6 * 4 * 3);
        }
    }
    CHECK(refused == static_cast<int>(whole.size()));
}

TEST_CASE("a PNG header that promises the moon is refused before memory is asked for") {
    Image dot{1, 1, {1, 2, 3}};
    std::string bytes = encode_png(dot);
    // Width and height 8192 each, with the checksum that belongs to them.
    const std::string ihdr("IHDR\0\0\x20\0\0\0\x20\0\x08\x02\0\0\0", 17);
    bytes.replace(12, 17, ihdr);
    std::uint32_t crc = ~0U;
    for (unsigned char c : ihdr) {
        crc ^= c;
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0U);
    }
    crc = ~crc;
    for (int k = 0; k < 4; ++k) bytes[29 + k] = static_cast<char>(crc >> (24 - 8 * k));
    const Result<Image> image = decode_png(bytes);
    REQUIRE_FALSE(image.ok());
    CHECK(image.error().what == "ends too early");
}
