// SPDX-License-Identifier: MIT
#include <ductile/render/text.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace ductile;

namespace {

Image drawn(std::string_view text, std::int32_t size = 12, std::int32_t x = 2, std::int32_t y = 2) {
    Image image{160, 40, std::vector<std::uint8_t>(std::size_t(3) * 160 * 40, 0)};
    draw_text(text, x, y, size, image);
    return image;
}

std::int64_t ink(const Image& image) {
    return std::accumulate(image.rgb.begin(), image.rgb.end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("every letter of English has a form of its own, small and large") {
    for (const std::int32_t size : {9, 11, 20}) {
        std::set<std::vector<std::uint8_t>> forms;
        int count = 0;
        for (char c = '!'; c <= '~'; ++c, ++count) {
            forms.insert(drawn(std::string(1, c), size).rgb);
        }
        CHECK(static_cast<int>(forms.size()) == count);
    }
    CHECK(drawn("\xC3\xA4").rgb != drawn("a").rgb);
    CHECK(drawn("\xCE\xBC").rgb != drawn("u").rgb);
}

TEST_CASE("a line is as wide as its letters, and fills its height") {
    CHECK(text_width("", 12) == 0);
    CHECK(text_width("ww", 12) > text_width("w", 12));
    CHECK(text_width("iiii", 12) < text_width("wwww", 12));
    CHECK(std::abs(text_width("wheel wheel", 24) - 2 * text_width("wheel wheel", 12)) <= 2);
    const std::int32_t width = text_width("Edges fly", 12), height = text_height(12);
    const Image image = drawn("Edges fly", 12);
    for (std::int32_t y = 0; y < image.height; ++y) {
        for (std::int32_t x = 0; x < image.width; ++x) {
            if (image.rgb[3 * (std::size_t(y) * image.width + x)] == 0) continue;
            CHECK(x >= 2);
            CHECK(x < 2 + width + 1);
            CHECK(y >= 2);
            CHECK(y < 2 + height);
        }
    }
    CHECK(ink(image) > 0);
}

TEST_CASE("what falls outside the picture is left out") {
    CHECK(ink(drawn("outside", 12, -500, 0)) == 0);
    CHECK(ink(drawn("outside", 12, 0, 500)) == 0);
    const std::int64_t part = ink(drawn("outside", 12, -20, -4));
    CHECK(part > 0);
    CHECK(part < ink(drawn("outside")));
}

TEST_CASE("bytes that are no letters are drawn as boxes") {
    for (const char* const text : {"\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\x80\x80", "\t"}) {
        CAPTURE(text);
        CHECK(text_width(text, 12) > 0);
        CHECK(ink(drawn(text)) >= 0);
    }
    CHECK(ink(drawn("\xFF")) > 0);
}

TEST_CASE("threads that write at once write the same") {
    const Image alone = drawn("octopus, finger", 13);
    std::vector<Image> images(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < images.size(); ++i) {
        threads.emplace_back([&images, i] {
            for (int k = 0; k < 20; ++k) {
                text_width("another size", 7 + k);
                images[i] = drawn("octopus, finger", 13);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Image& image : images) CHECK(image.rgb == alone.rgb);
}
