// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>

#include <doctest/doctest.h>

#include <limits>

using namespace ductile;

TEST_CASE("a range is told by the ends it has") {
    constexpr double none = std::numeric_limits<double>::infinity();
    CHECK(range_text(0, 10, "m") == "0 to 10 m");
    CHECK(range_text(0, none, "kg") == "at least 0 kg");
    CHECK(range_text(-none, 10, "") == "at most 10");
    CHECK(range_text(-none, none, "s") == "any, in s");
    CHECK(range_text(-none, none, "").empty());
}

TEST_CASE("an unknown name brings the nearest one, or else all there are") {
    static constexpr std::string_view known[] = {"mass", "velocity"};
    CHECK(suggestion("mas", known) == "did you mean 'mass'?");
    CHECK(suggestion("colour", known) == "known: mass, velocity");
    CHECK(suggestion("colour", {}) == "there are none");
}

TEST_CASE("a pointer escapes what separates its parts, so that it can be read back") {
    CHECK(pointer_below("/bodies", "a/b~c") == "/bodies/a~1b~0c");
    CHECK(pointer_below("", "mass") == "/mass");
    const Json json = {{"a/b~c", 7}};
    CHECK(json.at(Json::json_pointer(pointer_below("", "a/b~c"))) == 7);
}

TEST_CASE("a long value is shown cut short, never within a character") {
    CHECK(value_text(Json(12.5)) == "12.5");
    for (int length = 50; length < 70; ++length) {
        std::string text(length, 'x');
        for (int i = 0; i < 20; ++i) text += "\xc3\xa4";
        const std::string cut = value_text(Json(text));
        CHECK(cut.size() <= 63);
        CHECK(cut.ends_with("..."));
        // Nothing of a torn character is left before the dots.
        const std::string_view kept = std::string_view(cut).substr(0, cut.size() - 3);
        CHECK((static_cast<unsigned char>(kept.back()) & 0xC0) != 0xC0);
    }
}
