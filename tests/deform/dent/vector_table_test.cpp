// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/vector_map.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("a table of vectors is the same in any unit") {
    for (const double unit : {1e-6, 1.0, 1e3}) {
        CAPTURE(unit);
        std::string text = "x;y;dx;dy;dz\n";
        for (const double y : {-0.2, -0.1, 0.2}) {
            for (const double x : {-0.3, 0.0, 0.05, 0.3}) {
                text += fmt::format("{};{};{};{};{}\n", unit * x, unit * y, 0.5 * unit * x,
                                    -unit * y, unit * (1.0 + x));
            }
        }
        const Result<VectorMap> made = vector_table(text, 65);
        REQUIRE(made.ok());
        const VectorMap& map = made.value();
        REQUIRE(map.in.columns == 65);
        REQUIRE(map.in.rows == 45);
        for (const std::int32_t i : {10, 30, 50}) {
            const auto at = static_cast<std::size_t>(20 * map.in.columns + i);
            CHECK(test::near(map.in.depths[at], unit + map.in.x(i), 1e-6));
            CHECK(test::within(map.aside[at].x(), 0.5 * map.in.x(i), 1e-6 * unit));
        }
    }
}
