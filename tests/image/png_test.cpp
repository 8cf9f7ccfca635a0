// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/image/png.h>

#include <doctest/doctest.h>
#include <support/png_files.h>

using namespace ductile;

namespace {

using Bytes = std::vector<std::byte>;
using Pixels = std::vector<std::uint8_t>;

/// Rows of different kinds, so that every row filter wins somewhere.
Pixels motley(std::int32_t columns, std::int32_t rows) {
    Pixels rgb;
    Rng rng(7);
    for (std::int32_t y = 0; y < rows; ++y) {
        for (std::int32_t x = 0; x < 3 * columns; ++x) {
            const auto noise = static_cast<std::uint8_t>(rng.next());
            const int smooth = 2 * x + 3 * y;
            rgb.push_back(y % 3 == 0 ? noise
                                     : static_cast<std::uint8_t>(y % 3 == 1 ? smooth : x * y / 3));
        }
    }
    return rgb;
}

Bytes encoded(std::int32_t columns, std::int32_t rows) {
    const std::string png = encode_png(columns, rows, motley(columns, rows));
    const auto bytes = std::as_bytes(std::span(png));
    return {bytes.begin(), bytes.end()};
}

Result<PngSamples> samples_of(const Bytes& bytes) {
    const Result<PngHeader> header = read_png_header(bytes);
    if (!header) return header.error();
    if (header.value().columns == 0 || header.value().rows == 0) return Error{"no pixel", "", ""};
    return read_png_samples(bytes, header.value());
}

Result<Pixels> rgba_of(const Bytes& bytes) {
    const Result<PngHeader> header = read_png_header(bytes);
    if (!header) return header.error();
    if (header.value().columns == 0 || header.value().rows == 0) return Error{"no pixel", "", ""};
    return read_png_rgba(bytes, header.value());
}

Bytes with_size(Bytes png, std::uint32_t columns, std::uint32_t rows) {
    for (std::size_t k = 0; k < 4; ++k) {
        png[16 + k] = static_cast<std::byte>(columns >> (24 - 8 * k));
        png[20 + k] = static_cast<std::byte>(rows >> (24 - 8 * k));
    }
    test::mend_checksums(png);
    return png;
}

}  // namespace

TEST_CASE("a picture written as PNG comes back with every byte, as numbers and as colours") {
    for (const auto& [columns, rows] : {std::pair{1, 1}, {7, 5}, {64, 33}, {3, 200}}) {
        const Pixels rgb = motley(columns, rows);
        const Bytes png = encoded(columns, rows);
        const Result<PngSamples> samples = samples_of(png);
        REQUIRE(samples.ok());
        CHECK(samples.value().header.columns == static_cast<std::uint32_t>(columns));
        CHECK(samples.value().header.rows == static_cast<std::uint32_t>(rows));
        CHECK(samples.value().packed == rgb);
        Pixels rgba;
        for (std::size_t i = 0; i < rgb.size(); ++i) {
            rgba.push_back(rgb[i]);
            if (i % 3 == 2) rgba.push_back(255);
        }
        const Result<Pixels> colours = rgba_of(png);
        REQUIRE(colours.ok());
        CHECK(colours.value() == rgba);
    }
}

TEST_CASE("samples of every depth are the numbers that were stored") {
    for (const int depth : {1, 2, 4, 8, 16}) {
        const int largest = (1 << depth) - 1;
        Pixels packed(static_cast<std::size_t>((5 * depth + 7) / 8), 0);
        std::vector<int> wanted;
        for (int i = 0; i < 5; ++i) {
            const int value = (i * 7919 + 3) & largest;
            wanted.push_back(value);
            for (int bit = 0; bit < depth; ++bit) {
                const int at = i * depth + bit;
                const int set = value >> (depth - 1 - bit) & 1;
                packed[static_cast<std::size_t>(at / 8)] |=
                    static_cast<std::uint8_t>(set << (7 - at % 8));
            }
        }
        const Result<PngSamples> samples =
            samples_of(test::png_bytes(5, 1, {PNG_COLOR_TYPE_GRAY, depth}, packed));
        REQUIRE(samples.ok());
        CHECK(samples.value().largest() == largest);
        for (std::size_t i = 0; i < 5; ++i) CHECK(samples.value().sample(0, i) == wanted[i]);
    }
}

TEST_CASE("a palette comes with its alphas, a file without alpha with its clear colour") {
    const test::PngLayout palette{
        PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE, {{1, 2, 3}, {4, 5, 6}}, {51}};
    const Result<PngSamples> indexed = samples_of(test::png_bytes(2, 1, palette, {1, 0}));
    REQUIRE(indexed.ok());
    CHECK(indexed.value().header.has_palette);
    CHECK(indexed.value().header.channels() == 1);
    CHECK(indexed.value().palette ==
          std::vector<std::array<std::uint8_t, 4>>{{1, 2, 3, 51}, {4, 5, 6, 255}});
    test::PngLayout grey{PNG_COLOR_TYPE_GRAY, 16};
    grey.has_clear_colour = true;
    grey.clear_colour.gray = 515;
    const Result<PngSamples> clear = samples_of(test::png_bytes(1, 1, grey, {2, 3}));
    REQUIRE(clear.ok());
    CHECK(clear.value().clear_colour == std::array{515, 515, 515});
    CHECK_FALSE(
        samples_of(test::png_bytes(1, 1, {PNG_COLOR_TYPE_GRAY, 16}, {2, 3})).value().clear_colour);
}

TEST_CASE("a PNG cut short anywhere is refused") {
    const Bytes whole = encoded(9, 9);
    for (std::size_t length = kPngSignature.size(); length < whole.size(); ++length) {
        const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        CHECK_FALSE(samples_of(part).ok());
        // What closes the file comes after the last pixel, and colours do not need it.
        constexpr std::size_t kLastChunk = 16;
        if (length + kLastChunk < whole.size()) CHECK_FALSE(rgba_of(part).ok());
    }
}

TEST_CASE("a PNG with any bit turned is refused or gives the same pixels") {
    const Bytes whole = encoded(6, 4);
    const Pixels pixels = samples_of(whole).value().packed;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        Bytes bent = whole;
        bent[i] ^= static_cast<std::byte>(1 << i % 8);
        const Result<PngSamples> samples = samples_of(bent);
        if (!samples) ++refused;
        if (samples) CHECK(samples.value().packed == pixels);
        (void)rgba_of(bent);
    }
    CHECK(refused > whole.size() * 3 / 4);
}

TEST_CASE("a PNG header that promises the moon is refused before memory is asked for") {
    const Bytes dot = encoded(1, 1);
    for (const auto& [columns, rows] :
         {std::pair{8192U, 8192U}, {0x7fffffffU, 0x7fffffffU}, {0xffffffffU, 0xffffffffU}}) {
        const Bytes bent = with_size(dot, columns, rows);
        const Result<PngSamples> samples = samples_of(bent);
        REQUIRE_FALSE(samples.ok());
        CHECK(samples.error().what.find("bytes can hold") != std::string::npos);
        CHECK(samples.error().where == "byte 16");
        CHECK(rgba_of(bent).error().what == samples.error().what);
    }
}

TEST_CASE("what begins as a PNG and goes on as something else is refused with its byte") {
    Bytes noise(200, std::byte{'x'});
    std::memcpy(noise.data(), kPngSignature.data(), kPngSignature.size());
    CHECK(read_png_header(noise).error().where == "byte 12");
    CHECK(read_png_header(std::span(noise).first(20)).error().where == "byte 20");
    Bytes kind = encoded(2, 2);
    kind[25] = std::byte{77};
    CHECK(read_png_header(kind).error().where == "byte 24");
}
