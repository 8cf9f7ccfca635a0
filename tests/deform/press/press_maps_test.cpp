// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_maps.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("maps fit a body by their length and range, and empty ones always do") {
    CHECK(check(PressMaps{}, 7).ok());
    CHECK(check({.stiffness = {1, 2, 100}, .bulge = {0, 1, 20}}, 3).ok());
    CHECK_FALSE(check({.stiffness = {1, 2}, .bulge = {}}, 3).ok());
    const Status low = check({.stiffness = {1, 0.001, 1}, .bulge = {}}, 3);
    REQUIRE_FALSE(low.ok());
    CHECK(low.error().text().find("stiffness") != std::string::npos);
    CHECK_FALSE(check({.stiffness = {}, .bulge = {1, 1, 21}}, 3).ok());
}

TEST_CASE("a map's text may have any separators and comments, but just as many numbers") {
    const Result<std::vector<double>> map =
        map_from_text("1, 2;3\n# all of it\n 4e0", std::size_t(4));
    REQUIRE(map.ok());
    CHECK(map.value() == std::vector<double>{1, 2, 3, 4});
    CHECK_FALSE(map_from_text("1 2 3", std::size_t(4)).ok());
    CHECK_FALSE(map_from_text("1 2 three 4", std::size_t(4)).ok());
}

TEST_CASE("a map's formula sees each point's place") {
    const std::vector<Vec3> points = {Vec3(-1, 0, 0), Vec3(1, 2, 3)};
    const Result<std::vector<double>> map = map_from_formula("1 + 3 * (x > 0) + z", points);
    REQUIRE(map.ok());
    CHECK(map.value() == std::vector<double>{1, 7});
    CHECK_FALSE(map_from_formula("1 +", points).ok());
    CHECK_FALSE(map_from_formula("w", points).ok());
}
