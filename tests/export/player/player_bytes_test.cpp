// SPDX-License-Identifier: MIT
#include <ductile/export/player/player_bytes.h>
#include <ductile/export/player/player_page.h>

#include <doctest/doctest.h>
#include <zlib.h>

#include <limits>

using namespace ductile;

namespace {

std::uint32_t read_number(const std::string& bytes, std::size_t& at) {
    std::uint32_t value = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.at(at++));
        value |= static_cast<std::uint32_t>(byte & 127) << shift;
        if (byte < 128) return value;
    }
}

}  // namespace

TEST_CASE("numbers come back, those of either sign too, small ones in one byte") {
    std::string bytes;
    const std::vector<std::uint32_t> numbers = {0, 1, 127, 128, 16383, 16384, 0xffffffff};
    for (const std::uint32_t n : numbers) append_number(bytes, n);
    std::size_t at = 0;
    for (const std::uint32_t n : numbers) CHECK(read_number(bytes, at) == n);
    CHECK(at == bytes.size());
    using Limits = std::numeric_limits<std::int32_t>;
    for (const std::int32_t n : {0, -1, 1, -63, 64, Limits::min(), Limits::max()}) {
        std::string one;
        append_signed(one, n);
        std::size_t begin = 0;
        const std::uint32_t code = read_number(one, begin);
        CHECK(static_cast<std::int32_t>((code >> 1) ^ (0u - (code & 1))) == n);
        if (n >= -64 && n < 64) CHECK(one.size() == 1);
    }
}

TEST_CASE("arrays begin at multiples of four") {
    std::string bytes = "abc";
    CHECK(append_array(bytes, std::vector<std::uint16_t>{1}) == 4);
    CHECK(append_array(bytes, std::vector<float>{2.0f}) == 8);
    CHECK(bytes.size() == 12);
}

TEST_CASE("what is deflated inflates to the same, and base64 is as in its RFC") {
    const std::string text(5000, 'x');
    const std::string packed = deflated(text);
    CHECK(packed.size() < 100);
    std::string back(text.size(), '\0');
    uLongf size = back.size();
    CHECK(uncompress(reinterpret_cast<Bytef*>(back.data()), &size,
                     reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
    CHECK(back == text);
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe") == "//4=");
}

TEST_CASE("the player's own parts hold nothing that would end them early") {
    CHECK(player_template().find("{{") != std::string_view::npos);
    CHECK(player_style().find("</style") == std::string_view::npos);
    CHECK(player_script().find("</script") == std::string_view::npos);
    CHECK_FALSE(player_script().empty());
}
