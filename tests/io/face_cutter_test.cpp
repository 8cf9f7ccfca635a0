// SPDX-License-Identifier: MIT
#include <ductile/io/face_cutter.h>

#include <doctest/doctest.h>

#include <vector>

using namespace ductile;

TEST_CASE("a face that runs around more than once is no face, and triangles have three corners") {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}};
    FaceCutter cutter;
    const auto count = [&](std::vector<std::int32_t> corners) {
        return cutter.cut(points, corners).size();
    };
    CHECK(count({0, 1, 2}) == 1);
    CHECK(count({0, 1, 2, 0, 1, 2}) == 0);
    CHECK(count({0, 1, 1, 2, 2, 0}) == 1);
    CHECK(count({0, 1, 0}) == 0);
    CHECK(count({0}) == 0);
    CHECK(count({}) == 0);
    CHECK(count({0, 1, 3, 2}) == 2);
    CHECK(cutter.dropped().faces == 4);
    CHECK(cutter.dropped().first == 1);
}
