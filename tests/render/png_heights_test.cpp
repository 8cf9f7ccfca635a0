// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/io/heights/read_heights.h>
#include <ductile/render/image.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a picture that ductile writes is read back as the relief that it is") {
    Rng rng(2);
    Image image{31, 17, {}};
    std::vector<double> expected;
    for (int pixel = 0; pixel < 31 * 17; ++pixel) {
        const auto level = static_cast<std::uint8_t>(rng.next());
        image.rgb.insert(image.rgb.end(), 3, level);
        expected.push_back(level / 255.0);
    }
    const std::string png = encode_png(image);
    const Result<HeightPicture> picture = read_heights(std::as_bytes(std::span(png)));
    REQUIRE_MESSAGE(picture.ok(), (picture.ok() ? "" : picture.error().text()));
    CHECK(picture.value().columns == 31);
    CHECK(picture.value().rows == 17);
    CHECK(picture.value().heights == expected);
}
