// SPDX-License-Identifier: MIT
#include <ductile/render/contact_sheet.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace ductile;

namespace {

Image plain(std::int32_t width, std::int32_t height, int shade) {
    return {width, height,
            std::vector<std::uint8_t>(std::size_t(3) * width * height,
                                      static_cast<std::uint8_t>(shade))};
}

std::size_t count_of(const Image& image, int shade) {
    return static_cast<std::size_t>(
        std::count(image.rgb.begin(), image.rgb.end(), static_cast<std::uint8_t>(shade)));
}

}  // namespace

TEST_CASE("a sheet holds every picture whole, in rows") {
    const std::vector<Image> pictures = {plain(40, 30, 100), plain(40, 30, 120),
                                         plain(40, 30, 140)};
    const Result<Image> bare = contact_sheet(pictures, std::vector<std::string>(3), 2);
    const Result<Image> sheet = contact_sheet(pictures, std::vector<std::string>{"a", "b", "c"}, 2);
    REQUIRE(bare.ok());
    REQUIRE(sheet.ok());
    for (const int shade : {100, 120, 140}) CHECK(count_of(bare.value(), shade) == 3 * 40 * 30);
    CHECK(sheet.value().width > 80);
    CHECK(sheet.value().width < 100);
    CHECK(sheet.value().height > 60);
    const auto at = [&](std::int32_t x, std::int32_t y) {
        return sheet.value().rgb[3 * (std::size_t(y) * sheet.value().width + x)];
    };
    CHECK(at(20, 25) == 100);
    CHECK(at(60, 25) == 120);
    CHECK(at(20, 85) == 140);
    CHECK(std::any_of(sheet.value().rgb.begin(), sheet.value().rgb.end(),
                      [](std::uint8_t shade) { return shade > 200; }));  // letters
}

TEST_CASE("a caption wider than its picture is cut short and stays above it") {
    const std::vector<Image> pictures = {plain(60, 20, 100), plain(60, 20, 100)};
    const std::vector<std::string> captions = {std::string(200, 'w'), ""};
    const Result<Image> sheet = contact_sheet(pictures, captions, 2);
    REQUIRE(sheet.ok());
    for (std::int32_t y = 0; y < sheet.value().height; ++y) {
        for (std::int32_t x = 62; x < sheet.value().width; ++x) {
            const int shade = sheet.value().rgb[3 * (std::size_t(y) * sheet.value().width + x)];
            CHECK((shade == 24 || shade == 100));
        }
    }
}

TEST_CASE("pictures that do not make a sheet are refused") {
    const std::vector<std::string> two = {"a", "b"};
    CHECK_FALSE(contact_sheet({}, {}, 1).ok());
    CHECK_FALSE(contact_sheet(std::vector{plain(4, 4, 0), plain(5, 4, 0)}, two, 2).ok());
    CHECK_FALSE(contact_sheet(std::vector{plain(4, 4, 0)}, two, 1).ok());
    CHECK_FALSE(contact_sheet(std::vector{plain(4, 4, 0), plain(4, 4, 0)}, two, 0).ok());
    const std::vector<Image> broken = {{4, 4, {}}, {4, 4, {}}};
    CHECK_FALSE(contact_sheet(broken, two, 2).ok());
}
