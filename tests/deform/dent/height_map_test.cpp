// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/height_map.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace ductile;

namespace {

DentMap made(std::int32_t columns, std::int32_t rows, const std::vector<double>& heights,
             double width, double depth, std::int32_t side = kHeightMapSide) {
    Result<DentMap> map = heights_map(columns, rows, heights, width, depth, side);
    REQUIRE_MESSAGE(map.ok(), map.error().text());
    CHECK(check_map(map.value()).ok());
    return std::move(map).value();
}

std::vector<double> random_heights(std::int32_t columns, std::int32_t rows, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<double> heights(std::size_t(columns) * rows);
    for (double& z : heights) z = rng.uniform(0.0, 7.0);
    return heights;
}

double volume_of(const DentMap& map) {
    double sum = 0.0;
    for (const double z : map.depths) sum += z;
    return sum * map.cell * map.cell;
}

DentMap formed(std::string_view text, std::int32_t side, double radius, double depth) {
    const Result<Expression> formula = parse_expression(text, kDentVariables);
    REQUIRE_MESSAGE(formula.ok(), formula.error().text());
    Result<DentMap> map = formula_map(formula.value(), side, radius, depth);
    REQUIRE_MESSAGE(map.ok(), map.error().text());
    CHECK(check_map(map.value()).ok());
    return std::move(map).value();
}

void check_refused(const Result<DentMap>& map, const char* message) {
    REQUIRE_FALSE(map.ok());
    CHECK_MESSAGE(map.error().text().find(message) != std::string::npos, map.error().text());
}

}  // namespace

TEST_CASE("a small picture is its own dent: every pixel a sample, the top at +y, zeros around") {
    const std::int32_t columns = 5, rows = 3;
    const std::vector<double> heights = random_heights(columns, rows, 3);
    const double highest = *std::max_element(heights.begin(), heights.end());
    const double width = 0.4, depth = 0.03;
    const DentMap map = made(columns, rows, heights, width, depth);
    CHECK(map.columns == columns + 2);
    CHECK(map.rows == rows + 2);
    CHECK(test::near(map.cell, width / columns));
    CHECK(map.deepest() == depth);
    for (std::int32_t j = 0; j < rows; ++j) {
        for (std::int32_t i = 0; i < columns; ++i) {
            const double x = ((i + 0.5) / columns - 0.5) * width;
            const double y = -((j + 0.5) - 0.5 * rows) * width / columns;
            CHECK(test::near(map.depth(x, y), depth * heights[j * columns + i] / highest, 1e-12));
        }
    }
    for (std::int32_t i = 0; i < map.columns; ++i) {
        CHECK(map.at(i, 0) == 0.0);
        CHECK(map.at(i, map.rows - 1) == 0.0);
    }
    for (std::int32_t j = 0; j < map.rows; ++j) {
        CHECK(map.at(0, j) == 0.0);
        CHECK(map.at(map.columns - 1, j) == 0.0);
    }
}

TEST_CASE("a large picture is averaged over squares that cover it, and keeps its volume") {
    struct Case {
        std::int32_t columns, rows, side;
    };
    for (const Case& c : {Case{60, 60, 20}, Case{61, 43, 20}, Case{43, 61, 20}, Case{200, 3, 20},
                          Case{3, 200, 20}, Case{500, 1, 7}, Case{21, 20, 20}, Case{64, 64, 1}}) {
        CAPTURE(c.columns);
        CAPTURE(c.rows);
        const std::vector<double> heights = random_heights(c.columns, c.rows, 8);
        const double width = 0.5, pixel = width / c.columns;
        const DentMap map = made(c.columns, c.rows, heights, width, 1.0, c.side);
        CHECK(std::max(map.columns, map.rows) == c.side + 2);
        CHECK(test::near(map.cell * c.side, std::max(c.columns, c.rows) * pixel));
        CHECK(map.deepest() == 1.0);
        // The part of [-1/2, 1/2] cells around `place` that lies in a pixel's row or column.
        const auto overlap = [&](double place, std::int32_t k, std::int32_t count) {
            const double from = (k - 0.5 * count) * pixel, to = from + pixel;
            return std::max(
                0.0, std::min(to, place + 0.5 * map.cell) - std::max(from, place - 0.5 * map.cell));
        };
        std::vector<double> volumes;
        for (std::int32_t j = 0; j < map.rows; ++j) {
            for (std::int32_t i = 0; i < map.columns; ++i) {
                double& volume = volumes.emplace_back(0.0);
                for (std::int32_t l = 0; l < c.rows; ++l) {
                    const double high = overlap(-map.y(j), l, c.rows);
                    for (std::int32_t k = 0; high > 0.0 && k < c.columns; ++k) {
                        volume += high * overlap(map.x(i), k, c.columns) *
                                  heights[std::size_t(l) * c.columns + k];
                    }
                }
            }
        }
        const double largest = *std::max_element(volumes.begin(), volumes.end());
        double worst = 0.0, sum = 0.0, expected = 0.0;
        for (std::size_t i = 0; i < volumes.size(); ++i) {
            worst = std::max(worst, std::abs(map.depths[i] - volumes[i] / largest));
            sum += map.depths[i] * largest;
        }
        CHECK(worst <= 1e-12);
        for (const double z : heights) expected += z * pixel * pixel;
        CHECK(test::near(sum, expected, 1e-12));
    }
}

TEST_CASE("halving a picture is the mean of four pixels, to rounding") {
    const std::int32_t side = 12;
    const std::vector<double> heights = random_heights(2 * side, 2 * side, 21);
    const DentMap map = made(2 * side, 2 * side, heights, 1.0, 1.0, side);
    std::vector<double> means;
    for (std::int32_t j = 0; j < side; ++j) {
        for (std::int32_t i = 0; i < side; ++i) {
            const double* p = heights.data() + 4 * j * side + 2 * i;
            means.push_back(0.25 * (p[0] + p[1] + p[2 * side] + p[2 * side + 1]));
        }
    }
    const double highest = *std::max_element(means.begin(), means.end());
    for (std::int32_t j = 0; j < side; ++j) {
        for (std::int32_t i = 0; i < side; ++i) {
            CHECK(test::near(map.at(i + 1, side - j), means[j * side + i] / highest, 1e-13));
        }
    }
}

TEST_CASE("a mirrored picture gives the mirrored dent, at any size") {
    for (const std::int32_t columns : {30, 333}) {
        const std::int32_t rows = 41;
        const std::vector<double> heights = random_heights(columns, rows, 6);
        std::vector<double> mirrored = heights;
        for (std::int32_t j = 0; j < rows; ++j) {
            std::reverse(mirrored.begin() + std::ptrdiff_t(j) * columns,
                         mirrored.begin() + std::ptrdiff_t(j + 1) * columns);
        }
        const DentMap a = made(columns, rows, heights, 0.3, 0.02);
        const DentMap b = made(columns, rows, mirrored, 0.3, 0.02);
        double worst = 0.0;
        for (std::int32_t j = 0; j < a.rows; ++j) {
            for (std::int32_t i = 0; i < a.columns; ++i) {
                worst = std::max(worst, std::abs(a.at(i, j) - b.at(a.columns - 1 - i, j)));
            }
        }
        CHECK(worst <= 1e-15);
    }
}

TEST_CASE("a picture that is no dent is refused with the pixel or the reason") {
    std::vector<double> heights(12, 0.5);
    check_refused(heights_map(4, 4, heights, 1.0, 1.0), "12 heights for 4 x 4 pixels");
    check_refused(heights_map(0, 4, {}, 1.0, 1.0), "1 to 4096 pixels");
    check_refused(heights_map(-3, -4, heights, 1.0, 1.0), "1 to 4096 pixels");
    check_refused(heights_map(5000, 1, std::vector<double>(5000, 1.0), 1.0, 1.0), "1 to 4096");
    for (const double bad : {-1e-9, std::nan(""), kInfinity}) {
        heights[7] = bad;
        check_refused(heights_map(4, 3, heights, 1.0, 1.0), "column 3, row 1");
    }
    check_refused(heights_map(4, 3, std::vector<double>(12, 0.0), 1.0, 1.0), "black everywhere");
}

TEST_CASE("a formula is the dent that it says, in units of the radius and the depth") {
    const double radius = 0.15, depth = 0.02;
    const DentMap cosine = formed("(1 + cos(pi * r)) / 2", 101, radius, depth);
    const DentMap known = cosine_map(101, radius, depth);
    CHECK(cosine.cell == known.cell);
    for (std::size_t i = 0; i < known.depths.size(); ++i) {
        CHECK(test::within(cosine.depths[i], known.depths[i], 1e-12 * depth));
    }
    const DentMap paraboloid = formed("1 - r^2", 201, radius, depth);
    CHECK(test::near(paraboloid.deepest(), depth));
    CHECK(test::near(volume_of(paraboloid), 0.5 * kPi * radius * radius * depth, 1e-3));
    // x and y are what they are called: deep at +x, deeper at +y.
    const DentMap tilted = formed("2 + x + 1.5 * y", 101, radius, depth);
    CHECK(test::near(tilted.depth(0.5 * radius, 0.0), 2.5 * depth));
    CHECK(test::near(tilted.depth(0.0, 0.5 * radius), 2.75 * depth));
    CHECK(test::near(tilted.depth(-0.5 * radius, -0.5 * radius), 0.75 * depth));
}

TEST_CASE("a formula counts only inside its radius, and only where it is a positive number") {
    const DentMap full = formed("1", 61, 0.3, 0.01);
    for (std::int32_t j = 0; j < full.rows; ++j) {
        for (std::int32_t i = 0; i < full.columns; ++i) {
            const bool is_inside = std::hypot(full.x(i), full.y(j)) / 0.3 < 1.0;
            CHECK(full.at(i, j) == (is_inside ? 0.01 : 0.0));
        }
    }
    const DentMap half = formed("x * 1e308 * 100 + sqrt(y)", 61, 0.3, 0.01);
    for (std::int32_t j = 0; j < half.rows; ++j) {
        for (std::int32_t i = 0; i < half.columns; ++i) {
            CHECK((half.at(i, j) == 0.0 || (half.x(i) == 0.0 && half.y(j) > 0.0)));
        }
    }
    for (const char* text : {"0", "-1", "sqrt(-1)", "1 / 0", "(r > 1) * 5"}) {
        const Result<Expression> formula = parse_expression(text, kDentVariables);
        REQUIRE(formula.ok());
        check_refused(formula_map(formula.value(), 25, 0.1, 0.01), "nowhere above 0");
    }
}
