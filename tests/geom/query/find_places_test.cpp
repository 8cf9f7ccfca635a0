// SPDX-License-Identifier: MIT
#include <ductile/geom/query/find_places.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a place is found as the same float first, else as the nearest within reach") {
    const std::vector<Vec3> places = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0.001),
                                      Vec3(1, 0, 0)};
    const std::vector<Vec3> wanted = {Vec3(1, 0, 0), Vec3(1, 1e-12, 0.0009), Vec3(0.9999, 0, 0),
                                      Vec3(5, 0, 0)};
    const std::vector<std::int32_t> found = find_places(wanted, places, 0.01);
    CHECK(found == std::vector<std::int32_t>{1, 2, 1, -1});
    CHECK(find_places(wanted, {}, 1.0) == std::vector<std::int32_t>(4, -1));
}
