// SPDX-License-Identifier: MIT
#include <ductile/core/directions.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("directions are brought to unit length once, and across each other for good") {
    Rng rng(3);
    const auto vector = [&](double size) {
        return Vec3(size * rng.uniform(-1, 1), size * rng.uniform(-1, 1),
                    size * rng.uniform(-1, 1));
    };
    for (int i = 0; i < 5000; ++i) {
        Vec3 n = vector(std::pow(10.0, rng.uniform(-6.0, 6.0)));
        REQUIRE(make_unit(n));
        CHECK(test::near(n.norm(), 1.0, 1e-12));
        // From far off `n` to all but along it.
        Vec3 v = rng.uniform(-1e6, 1e6) * n + vector(std::pow(10.0, rng.uniform(-8.0, 6.0)));
        if (!make_unit_across(v, n)) continue;
        CHECK(std::abs(v.dot(n)) < 1e-11);
        Vec3 again = v;
        REQUIRE(make_unit_across(again, n));
        CHECK(again == v);
    }
    Vec3 none = Vec3::Zero(), along = Vec3(0, 3, 0);
    CHECK_FALSE(make_unit(none));
    CHECK_FALSE(make_unit_across(along, Vec3::UnitY()));
}
