// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/io/heights/height_formats.h>
#include <ductile/io/heights/read_heights.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <io/test_files.h>
#include <support/png_files.h>
#include <support/sanitized.h>
#include <support/skip.h>
#include <sys/resource.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

using namespace ductile;
using namespace ductile::test;

namespace {

using Bytes = std::vector<std::byte>;

std::vector<double> heights_in(const Bytes& bytes) {
    Result<HeightPicture> picture = read_heights(bytes);
    REQUIRE_MESSAGE(picture.ok(), picture.error().text());
    CHECK(picture.value().heights.size() ==
          std::size_t(picture.value().columns) * std::size_t(picture.value().rows));
    return std::move(picture).value().heights;
}

void check_refused(const Bytes& bytes, const char* message, const char* where,
                   const HeightLimits& limits = {}) {
    const Result<HeightPicture> picture = read_heights(bytes, limits);
    REQUIRE_MESSAGE(!picture.ok(), message);
    CHECK_MESSAGE(picture.error().text().find(message) != std::string::npos,
                  picture.error().text());
    CHECK_MESSAGE(picture.error().where == where, picture.error().text());
}

Bytes with(std::string_view header, const std::vector<float>& values, std::endian order) {
    Bytes out;
    for (const char c : header) out.push_back(static_cast<std::byte>(c));
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (int k = 0; k < 4; ++k) {
            const int shift = order == std::endian::little ? 8 * k : 24 - 8 * k;
            out.push_back(static_cast<std::byte>(bits >> shift));
        }
    }
    return out;
}

Bytes as_bytes_of(std::string_view text) { return with(text, {}, std::endian::little); }

Bytes with_size(Bytes png, std::uint32_t columns, std::uint32_t rows) {
    for (std::size_t k = 0; k < 4; ++k) {
        png[16 + k] = static_cast<std::byte>(columns >> (24 - 8 * k));
        png[20 + k] = static_cast<std::byte>(rows >> (24 - 8 * k));
    }
    mend_checksums(png);
    return png;
}

Bytes noisy_png(std::uint32_t side) {
    Rng rng(7);
    std::vector<std::uint8_t> packed(std::size_t(2) * side * side);
    for (std::uint8_t& b : packed) b = static_cast<std::uint8_t>(rng.next());
    return png_bytes(side, side, {PNG_COLOR_TYPE_GRAY, 16}, packed);
}

}  // namespace

TEST_CASE("each of the 65536 values of a 16-bit PNG is exactly its part of 65535") {
    std::vector<std::uint8_t> packed;
    for (int value = 0; value < 65536; ++value) {
        packed.push_back(static_cast<std::uint8_t>(value >> 8));
        packed.push_back(static_cast<std::uint8_t>(value));
    }
    for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
        const std::vector<double> heights =
            heights_in(png_bytes(256, 256, {PNG_COLOR_TYPE_GRAY, 16, interlace}, packed));
        std::size_t wrong = 0;
        for (std::size_t value = 0; value < 65536; ++value) {
            wrong += heights[value] != double(value) / 65535.0;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("a grey is the same height in every kind of PNG, to the last bit") {
    for (int v = 0; v < 256; ++v) {
        const auto grey = static_cast<std::uint8_t>(v);
        const std::vector<double> expected = {v / 255.0};
        const std::uint8_t full = 255;
        CHECK(heights_in(png_bytes(1, 1, {PNG_COLOR_TYPE_GRAY, 8}, {grey})) == expected);
        CHECK(heights_in(png_bytes(1, 1, {PNG_COLOR_TYPE_GRAY, 16}, {grey, grey})) == expected);
        CHECK(heights_in(png_bytes(1, 1, {PNG_COLOR_TYPE_GA, 8}, {grey, full})) == expected);
        CHECK(heights_in(png_bytes(1, 1, {PNG_COLOR_TYPE_RGB, 8}, {grey, grey, grey})) == expected);
        CHECK(heights_in(png_bytes(1, 1, {PNG_COLOR_TYPE_RGBA, 16},
                                   {grey, grey, grey, grey, grey, grey, full, full})) == expected);
        const PngLayout palette{
            PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE, {{0, 9, 0}, {grey, grey, grey}}};
        CHECK(heights_in(png_bytes(1, 1, palette, {1})) == expected);
    }
    // Samples of less than a byte, rows that end within one.
    CHECK(heights_in(png_bytes(3, 2, {PNG_COLOR_TYPE_GRAY, 1}, {0xa0, 0x40})) ==
          std::vector<double>{1, 0, 1, 0, 1, 0});
    CHECK(heights_in(png_bytes(3, 1, {PNG_COLOR_TYPE_GRAY, 2}, {0b00011100})) ==
          std::vector<double>{0, 1.0 / 3.0, 1});
    CHECK(heights_in(png_bytes(3, 1, {PNG_COLOR_TYPE_GRAY, 4}, {0x0f, 0x50})) ==
          std::vector<double>{0, 1, 1.0 / 3.0});
}

TEST_CASE("colours count by their luminance, and alpha takes its part") {
    const auto rgb =
        heights_in(png_bytes(3, 1, {PNG_COLOR_TYPE_RGB, 8}, {255, 0, 0, 0, 255, 0, 0, 0, 255}));
    CHECK(rgb == std::vector<double>{0.2126, 0.7152, 0.0722});
    const auto half = heights_in(png_bytes(2, 1, {PNG_COLOR_TYPE_GA, 8}, {255, 51, 102, 51}));
    CHECK(half == std::vector<double>{0.2, 0.08});
    const PngLayout palette{PNG_COLOR_TYPE_PALETTE,
                            4,
                            PNG_INTERLACE_NONE,
                            {{255, 255, 255}, {255, 0, 0}, {255, 255, 255}},
                            {51, 0}};
    CHECK(heights_in(png_bytes(3, 1, palette, {0x01, 0x20})) == std::vector<double>{0.2, 0, 1});
    PngLayout grey{PNG_COLOR_TYPE_GRAY, 16};
    grey.has_clear_colour = true;
    grey.clear_colour.gray = 0xffff;
    CHECK(heights_in(png_bytes(2, 1, grey, {0xff, 0xff, 0x33, 0x33})) ==
          std::vector<double>{0, 0.2});
    PngLayout colour{PNG_COLOR_TYPE_RGB, 8};
    colour.has_clear_colour = true;
    colour.clear_colour.red = 255;
    CHECK(heights_in(png_bytes(2, 1, colour, {255, 0, 0, 255, 255, 255})) ==
          std::vector<double>{0, 1});
}

TEST_CASE("PFM heights are as they were, in both byte orders, the last row of the file on top") {
    const std::vector<float> values = {0.0F, 1.5F, 1e-30F, 3e38F, 0.1F, 7.0F};
    for (const auto& [scale, order] :
         {std::pair{"-1.0", std::endian::little}, std::pair{"2", std::endian::big}}) {
        const Bytes bytes = with(fmt::format("Pf\n3 2\n{}\n", scale), values, order);
        const Result<HeightPicture> picture = read_heights(bytes);
        REQUIRE_MESSAGE(picture.ok(), picture.error().text());
        CHECK(picture.value().columns == 3);
        CHECK(picture.value().rows == 2);
        CHECK(picture.value().heights ==
              std::vector<double>{3e38F, 0.1F, 7.0F, 0.0F, 1.5F, 1e-30F});
    }
    const std::vector<float> colours = {0.3F, 0.3F, 0.3F, 10000.0F, 0.0F, 0.0F};
    CHECK(heights_in(with("PF 2 1 -1\n", colours, std::endian::little)) ==
          std::vector<double>{0.3F, 2126.0});
    const auto zero = heights_in(with("Pf 1 1 -1\n", {-0.0F}, std::endian::little));
    CHECK_FALSE(std::signbit(zero[0]));
}

TEST_CASE("a PFM height that is negative or not finite is refused with its pixel") {
    const float infinite = std::numeric_limits<float>::infinity();
    for (const float bad : {-1e-20F, infinite, -infinite, std::nanf("")}) {
        std::vector<float> values(12, 1.0F);
        values[5] = bad;  // the second row from below
        check_refused(with("Pf\n4 3\n-1\n", values, std::endian::little),
                      "the pixel in column 1 and row 1 is", "byte 30");
        check_refused(with("PF\n4 1\n-1\n", values, std::endian::little),
                      "the pixel in column 1 and row 0 is", "byte 30");
    }
}

TEST_CASE("a colour PFM is read as vectors of any sign, its last row on top") {
    const std::vector<float> values = {1, -2, 3, 4, 5, -6, 0, 0.5F, 0, -1, 0, 1e-30F};
    for (const auto& [scale, order] :
         {std::pair{"-1.0", std::endian::little}, std::pair{"2", std::endian::big}}) {
        const Result<VectorPicture> picture =
            read_vectors(with(fmt::format("PF\n2 2\n{}\n", scale), values, order));
        REQUIRE_MESSAGE(picture.ok(), picture.error().text());
        CHECK(picture.value().columns == 2);
        CHECK(picture.value().rows == 2);
        CHECK(picture.value().vectors == std::vector<Vec3>{Vec3(0, 0.5, 0), Vec3(-1, 0, 1e-30F),
                                                           Vec3(1, -2, 3), Vec3(4, 5, -6)});
    }
    for (const Bytes& bad : {with("Pf\n2 2\n-1\n", {0, 0, 0, 0}, std::endian::little),
                             with("PF\n2 2\n-1\n", {0, 0, 0, 0}, std::endian::little),
                             as_bytes_of(""), as_bytes_of("hello"),
                             with("PF\n1 1\n-1\n", {0, std::nanf(""), 0}, std::endian::little)}) {
        CHECK_FALSE(read_vectors(bad).ok());
    }
    HeightLimits small;
    small.side = 1;
    CHECK_FALSE(read_vectors(with("PF\n2 2\n-1\n", values, std::endian::little), small).ok());
    small = {};
    small.file_bytes = 20;
    CHECK_FALSE(read_vectors(with("PF\n2 2\n-1\n", values, std::endian::little), small).ok());
}

TEST_CASE("a file cut short anywhere is refused, and says so") {
    const std::vector<float> values(9, 0.5F);
    const Bytes files[] = {noisy_png(6), with("Pf\n3 3\n-1.0\n", values, std::endian::little)};
    for (const Bytes& whole : files) {
        CHECK(read_heights(whole).ok());
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const Bytes part(whole.begin(), whole.begin() + std::ptrdiff_t(length));
            const Result<HeightPicture> picture = read_heights(part);
            REQUIRE_FALSE(picture.ok());
            CHECK((length == 0 || picture.error().where.starts_with("byte ")));
        }
    }
    Bytes png = noisy_png(6);
    const std::string end = fmt::format("byte {}", png.size() - 20);
    png.resize(png.size() - 20);
    check_refused(png, "ends too early", end.c_str());
}

TEST_CASE("a damaged PNG is refused, or keeps to its size where a bit does not matter") {
    const Bytes whole = noisy_png(5);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const bool mended : {false, true}) {
            Bytes bent = whole;
            bent[i] ^= std::byte{0x10};
            if (mended) mend_checksums(bent);
            const Result<HeightPicture> picture = read_heights(bent);
            if (!mended) CHECK_FALSE(picture.ok());
            if (!picture) continue;
            CHECK(picture.value().heights.size() ==
                  std::size_t(picture.value().columns) * std::size_t(picture.value().rows));
        }
    }
    const PngLayout palette{PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE, {{1, 2, 3}}};
    const Result<HeightPicture> picture = read_heights(png_bytes(2, 1, palette, {0, 1}));
    REQUIRE_FALSE(picture.ok());
    CHECK(picture.error().what.find("palette") != std::string::npos);
}

TEST_CASE("a header that lies is refused before memory is asked for") {
    const Bytes png = noisy_png(8);
    check_refused(with_size(png, 4096, 4096), "bytes can hold", "byte 16");
    check_refused(with_size(png, 4097, 1), "1 to 4096 pixels", "byte 16");
    check_refused(with_size(png, 0, 8), "1 to 4096 pixels", "byte 16");
    check_refused(with_size(png, 0xffffffffU, 0xffffffffU), "1 to 4096 pixels", "byte 16");
    check_refused(png, "1 to 7 pixels", "byte 16", {.side = 7});
    check_refused(png, "larger than the limit of 100 bytes", "", {.file_bytes = 100});
    check_refused(as_bytes_of("Pf\n4096 4096\n-1.0\nabcd"), "take 67108864 bytes, but 4 are left",
                  "byte 18");
    check_refused(as_bytes_of("PF\n4097 1\n-1.0\nabcd"), "1 to 4096 pixels", "byte 9");
    check_refused(as_bytes_of("Pf\n99999999999999999999 -1\n-1.0\n"), "1 to 4096 pixels",
                  "byte 26");
    check_refused(with("Pf 1 1 -1\n", {1.0F, 2.0F}, std::endian::little),
                  "take 4 bytes, but 8 are left", "byte 10");
}

TEST_CASE("a kilobyte that promises a large picture costs no memory for it") {
    if (kIsSanitized) DUCTILE_SKIP("a sanitizer takes addresses as it likes");
    // Broken, yet not too large for its length: one bit a pixel, packed by 1000 to 1.
    Bytes png = png_bytes(2048, 2048, {PNG_COLOR_TYPE_GRAY, 1},
                          std::vector<std::uint8_t>(std::size_t(2048) * 256));
    REQUIRE(png.size() < 1024);
    png[png.size() - 20] ^= std::byte{0xff};  // in the pixels' own checksum
    mend_checksums(png);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    REQUIRE(pages > 0);
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    rlimit tight = before;
    tight.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) +
                     (std::size_t(8) << 20);  // a map of doubles would be 32 MB
    REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
    bool is_refused = false;
    std::string message;
    try {
        const Result<HeightPicture> picture = read_heights(png);
        is_refused = !picture.ok();
        if (is_refused) message = picture.error().what;
    } catch (const std::bad_alloc&) {
        message = "asked for too much memory";
    }
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK_MESSAGE(is_refused, message);
    CHECK_MESSAGE(message.starts_with("is damaged"), message);
}

TEST_CASE("what is no picture of heights is refused with a message") {
    check_refused({}, "is empty", "");
    check_refused(as_bytes_of("hello"), "neither PNG nor PFM", "byte 0");
    check_refused(as_bytes_of("\xff\xd8\xff\xe0 and so on"), "a JPEG", "byte 0");
    check_refused(as_bytes_of("PFM 1 1 -1\n"), "PF or Pf alone", "byte 3");
    check_refused(as_bytes_of("Pf"), "the width is missing", "byte 2");
    check_refused(as_bytes_of("Pf\nx 2\n"), "the width is missing", "byte 3");
    check_refused(as_bytes_of("Pf\n2.5 2\n"), "the width is missing", "byte 4");
    check_refused(as_bytes_of("Pf\n2\n"), "the height is missing", "byte 5");
    check_refused(as_bytes_of("Pf\n2 2\n"), "the scale is missing or 0", "byte 7");
    check_refused(as_bytes_of("Pf\n2 2\n0.0\n"), "the scale is missing or 0", "byte 10");
    check_refused(as_bytes_of("Pf\n2 2\nnan\n"), "the scale is missing or 0", "byte 7");
    const std::string signature = "\x89PNG\r\n\x1a\n";
    check_refused(as_bytes_of(signature), "ends within its header", "byte 8");
    check_refused(as_bytes_of(signature + std::string(100, 'x')), "does not begin with a header",
                  "byte 12");
    Bytes kind = noisy_png(4);
    kind[25] = std::byte{77};
    mend_checksums(kind);
    check_refused(kind, "names no kind of picture", "byte 24");
}

TEST_CASE("a file of heights is read by its content, and an error begins with its name") {
    const TempFolder folder;
    const Bytes pfm = with("Pf 2 1 -1\n", {0.25F, 0.5F}, std::endian::little);
    const auto text = [](const Bytes& bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    folder.write("called.png", text(pfm));
    const Result<HeightPicture> picture = read_heights(folder.path / "called.png");
    REQUIRE(picture.ok());
    CHECK(picture.value().heights == std::vector<double>{0.25, 0.5});
    folder.write("cut.pfm", text(pfm).substr(0, 12));
    const std::string cut = (folder.path / "cut.pfm").string();
    const Result<HeightPicture> broken = read_heights(std::filesystem::path(cut));
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().where == cut + ": byte 10");
    const Result<HeightPicture> large = read_heights(folder.path / "called.png", {.file_bytes = 9});
    REQUIRE_FALSE(large.ok());
    CHECK(large.error().text().find("limit of 9 bytes") != std::string::npos);
    CHECK_FALSE(read_heights(folder.path / "none.png").ok());
}

TEST_CASE("a grey is as bright as it is, exactly, and sides have their limits") {
    for (const double grey : {0.0, 1.0, 255.0, 65535.0, 123456789.0}) {
        CHECK(ten_thousand_luminances(grey, grey, grey) == 10000.0 * grey);
    }
    const HeightLimits limits;
    CHECK(check_height_sides(1, 1, limits, 0).ok());
    CHECK_FALSE(check_height_sides(0, 5, limits, 0).ok());
    CHECK_FALSE(check_height_sides(5, std::int64_t(1) << 40, limits, 0).ok());
}
