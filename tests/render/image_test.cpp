// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/image/decode_picture.h>
#include <ductile/render/image.h>

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

using namespace ductile;

namespace {

std::filesystem::path scratch(const char* name) {
    return std::filesystem::temp_directory_path() /
           ("ductile_png_" + std::to_string(::getpid()) + "_" + name);
}

}  // namespace

TEST_CASE("a picture goes through a file, and missing folders are made") {
    const std::filesystem::path folder = scratch("folder");
    const std::filesystem::path path = folder / "deep" / "picture.png";
    const Image image{2, 1, {10, 20, 30, 40, 50, 60}};
    REQUIRE(write_png(path, image).ok());
    const Result<std::string> bytes = read_file(path);
    REQUIRE(bytes.ok());
    CHECK(bytes.value() == encode_png(image));
    const Result<RgbaImage> back = decode_picture(std::as_bytes(std::span(bytes.value())));
    REQUIRE(back.ok());
    CHECK(back.value().rgba == std::vector<std::uint8_t>{10, 20, 30, 255, 40, 50, 60, 255});
    std::filesystem::remove_all(folder);
}

TEST_CASE("a picture that cannot be written says where") {
    const std::filesystem::path file = scratch("file");
    REQUIRE(write_file(file, std::string_view("not a folder")).ok());
    const Status refused = write_png(file / "picture.png", {1, 1, {1, 2, 3}});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where.find(file.string()) != std::string::npos);
    std::filesystem::remove(file);
}
