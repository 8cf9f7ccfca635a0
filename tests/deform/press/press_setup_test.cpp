// SPDX-License-Identifier: MIT
#include <ductile/core/json_fields.h>
#include <ductile/deform/press/press_setup.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

using namespace ductile;

TEST_CASE("options that cannot be are refused by name") {
    CHECK(check(PressOptions{}).ok());
    PressOptions o;
    o.bulge = std::nan("");
    CHECK(check(o).error().where == "bulge");
    o = {};
    o.fade_from = 0.25;
    CHECK(check(o).error().where == "fade_from");
    o = {};
    o.extent = -1.0;
    CHECK(check(o).error().where == "extent");
}

TEST_CASE("a setup is refused by the path of its first bad field") {
    CHECK(check(PressSetup{}).ok());
    const auto refused_at = [](const PressSetup& setup) {
        const Status fine = check(setup);
        return fine ? std::string("nowhere") : fine.error().where;
    };
    CHECK(refused_at({.options = {.fade_from = 0.25}}) == "options/fade_from");
    CHECK(refused_at({.detail = PressDetailOptions{.rounds = 0}}) == "detail/rounds");
    CHECK(refused_at({.refine = PressRefineOptions{.growth = 0.5}}) == "refine/growth");
    CHECK(refused_at({.proxy = PressProxyOptions{Vec3(0, std::nan(""), 0)}}) == "proxy/direction");
    CHECK(refused_at({.both = PressOtherBody{.share = 1.5}}) == "both/share");
    CHECK(refused_at({.both = PressOtherBody{.options = PressOptions{.bulge = -1.0}}}) ==
          "both/options/bulge");
    PressSetup painted{.maps = {.bulge = PaintedMap{}}};
    CHECK(refused_at(painted) == "maps/bulge");
    painted.maps.bulge->formula = "1 + w";
    CHECK(refused_at(painted) == "maps/bulge/formula");
    painted.maps.bulge->formula = "1 + x";
    CHECK(refused_at(painted) == "nowhere");
    painted.maps.bulge->values = {1.0};
    CHECK(refused_at(painted) == "maps/bulge");
}

TEST_CASE("parts of a setup that do not go together are refused") {
    const PressDetailOptions detail;
    const PressRefineOptions refine;
    const PressOtherBody both;
    CHECK(check(PressSetup{.detail = detail, .proxy = PressProxyOptions{}}));
    CHECK_FALSE(check(PressSetup{.detail = detail, .refine = refine}));
    CHECK_FALSE(check(PressSetup{.detail = detail, .both = both}));
    CHECK_FALSE(check(PressSetup{.refine = refine, .both = both}));
    CHECK_FALSE(check(PressSetup{.proxy = PressProxyOptions{}, .both = both}));
}

TEST_CASE("another body without options of its own gives way as the first one") {
    PressSetup setup{.options = {.bulge = 0.5}, .both = PressOtherBody{}};
    CHECK(setup_of_other(setup).options.bulge == 0.5);
    setup.both->options = PressOptions{.bulge = 2.0};
    CHECK(setup_of_other(setup).options.bulge == 2.0);
    CHECK_FALSE(setup_of_other(setup).both);
}

TEST_CASE("a setup written as JSON reads back the same") {
    PressSetup setup{.options = {.stiffness = 0.1},
                     .maps = {.bulge = PaintedMap{.formula = "1 + x"}},
                     .detail = PressDetailOptions{.rounds = 3}};
    const Json written = write_fields(setup);
    PressSetup read;
    std::vector<Error> errors;
    read_fields(written, read, "", errors);
    CHECK(errors.empty());
    CHECK(json_text(write_fields(read)) == json_text(written));
    CHECK(read.maps.bulge->formula == "1 + x");
    CHECK(map_files(read).empty());
}

TEST_CASE("keys change the options that they name, evenly, and nothing else") {
    const PressSetup plain{.options = {.stiffness = 0.3, .bulge = 0.5}};
    CHECK(options_at(plain, 7.0).bulge == 0.5);
    PressSetup setup = plain;
    setup.keys = {
        {.time = 1.0, .bulge = 1.0}, {.time = 2.0, .wrinkles = 0.2}, {.time = 3.0, .bulge = 2.0}};
    REQUIRE(check(setup).ok());
    CHECK(options_at(setup, 0.0).bulge == 1.0);
    CHECK(test::near(options_at(setup, 2.0).bulge, 1.5));
    CHECK(options_at(setup, 9.0).bulge == 2.0);
    CHECK(options_at(setup, 0.0).wrinkles == 0.2);
    CHECK(options_at(setup, 2.0).stiffness == 0.3);
}

TEST_CASE("every number of the options has a key") {
    std::vector<std::string> numbers, keys;
    PressOptions options;
    visit_fields(options, [&]<class Value>(const Field& field, const Value&) {
        if constexpr (std::is_same_v<Value, double>) numbers.emplace_back(field.name);
    });
    PressKey key;
    visit_fields(key, [&]<class Value>(const Field& field, const Value&) {
        if constexpr (!std::is_same_v<Value, double>) keys.emplace_back(field.name);
    });
    std::sort(numbers.begin(), numbers.end());
    std::sort(keys.begin(), keys.end());
    CHECK(numbers == keys);
}

TEST_CASE("keys that cannot be are refused by their place") {
    const auto refused_at = [](std::vector<PressKey> keys) {
        const Status fine = check(PressSetup{.keys = std::move(keys)});
        return fine ? std::string("nowhere") : fine.error().where;
    };
    CHECK(refused_at({{.time = 1.0}}) == "keys/0");
    CHECK(refused_at({{.time = 1.0, .bulge = 1.0}, {.time = 1.0, .bulge = 2.0}}) == "keys/1/time");
    CHECK(refused_at({{.time = 1.0, .bulge = -1.0}}) == "keys/0/bulge");
    CHECK(refused_at({{.time = 0.0, .stiffness = 0.0}}) == "keys/0/stiffness");
    CHECK(refused_at({{.time = 0.0, .fade_from = 0.25}}) == "keys/0/fade_from");
    CHECK(refused_at({{.time = 0.0, .wall = 0.1}}) == "keys");
    CHECK(refused_at({{.time = 0.0, .bulge = 1.0}, {.time = 1.0, .bulge = 2.0}}) == "nowhere");
}
