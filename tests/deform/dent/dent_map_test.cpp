// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent_map.h>

#include <deform/dent/hull_envelope.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

// What `broaden` promises, sample by sample.
std::vector<double> brute_envelope(const DentMap& map, double sharpness) {
    std::vector<double> out(map.depths.size(), 0.0);
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            const double z = map.at(i, j);
            if (!(z > 0.0)) continue;
            for (std::int32_t l = 0; l < map.rows; ++l) {
                for (std::int32_t k = 0; k < map.columns; ++k) {
                    const double dx = map.x(k) - map.x(i), dy = map.y(l) - map.y(j);
                    double& best = out[std::size_t(l) * map.columns + k];
                    best = std::max(best, z * std::exp(-sharpness * (dx * dx + dy * dy)));
                }
            }
        }
    }
    return out;
}

DentMap random_map(std::int32_t columns, std::int32_t rows, double share, std::uint64_t seed) {
    Rng rng(seed);
    DentMap map = empty_map(columns, rows, 0.01);
    for (double& z : map.depths) z = rng.uniform() < share ? rng.uniform(1e-9, 0.1) : 0.0;
    return map;
}

double volume(const DentMap& map) {
    double sum = 0.0;
    for (const double z : map.depths) sum += z;
    return sum * map.cell * map.cell;
}

}  // namespace

TEST_CASE("broadening is the envelope of Gaussians, to the last digits, zeros included") {
    struct Case {
        std::int32_t columns, rows;
        double share;
    };
    for (const Case& c :
         {Case{1, 1, 1.0}, Case{1, 40, 0.5}, Case{40, 1, 0.5}, Case{7, 31, 0.1}, Case{40, 40, 1.0},
          Case{40, 40, 0.02}, Case{200, 200, 0.004}, Case{30, 30, 0.0}}) {
        for (const double sharpness : {1.0, 300.0, 30000.0}) {
            DentMap map = random_map(c.columns, c.rows, c.share, 5);
            const double deepest = map.deepest();
            const std::vector<double> expected = brute_envelope(map, sharpness);
            broaden(map, sharpness);
            double worst = 0.0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                worst = std::max(worst, std::abs(map.depths[i] - expected[i]));
            }
            CHECK(worst <= 1e-12 * deepest);
        }
    }
}

TEST_CASE("convex hulls give the same envelope, on noise and on smooth ground") {
    std::vector<DentMap> maps;
    maps.push_back(random_map(50, 41, 0.3, 7));
    maps.push_back(random_map(80, 80, 0.02, 8));
    maps.push_back(cap_map(90, 0.5, 0.3));
    maps.push_back(map_of(60, 60, 0.01, [](double x, double y) {
        return std::max(std::abs(x), std::abs(y)) < 0.12 ? 0.03 : 0.0;  // all hills alike
    }));
    for (const DentMap& raw : maps) {
        for (const double reach : {0.03, 0.2}) {
            const std::vector<double> expected = HullEnvelope(raw, sharpness_for(reach)).depths();
            DentMap map = raw;
            broaden(map, sharpness_for(reach));
            double worst = 0.0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                worst = std::max(worst, std::abs(map.depths[i] - expected[i]));
            }
            CHECK(worst <= 1e-12 * raw.deepest());
        }
    }
}

TEST_CASE("broadening only deepens, keeps the deepest and does not mind turning the grid") {
    const DentMap raw = random_map(33, 20, 0.3, 9);
    DentMap broad = raw;
    broaden(broad, 500.0);
    CHECK(std::abs(broad.deepest() - raw.deepest()) <= 1e-15);
    for (std::size_t i = 0; i < raw.depths.size(); ++i) {
        CHECK(broad.depths[i] >= raw.depths[i] * (1.0 - 1e-15));
    }
    DentMap turned = empty_map(raw.rows, raw.columns, raw.cell);
    for (std::int32_t j = 0; j < raw.rows; ++j) {
        for (std::int32_t i = 0; i < raw.columns; ++i) {
            turned.depths[std::size_t(i) * raw.rows + j] = raw.at(i, j);
        }
    }
    broaden(turned, 500.0);
    for (std::int32_t j = 0; j < raw.rows; ++j) {
        for (std::int32_t i = 0; i < raw.columns; ++i) {
            CHECK(test::near(turned.at(j, i), broad.at(i, j), 1e-13));
        }
    }
}

TEST_CASE("smoothing keeps the dent distance and never rises above the profile") {
    DentMap map = map_of(61, 61, 0.01, [](double x, double y) {
        return std::max(std::abs(x), std::abs(y)) < 0.12 ? 0.03 : 0.0;  // a box's bottom
    });
    const std::vector<double> raw = map.depths;
    broaden(map, sharpness_for(0.1));
    for (const std::int32_t rounds : {1, 5, 40}) {
        DentMap smoothed = map;
        smooth(smoothed, rounds, raw);
        CHECK(std::abs(smoothed.deepest() - 0.03) <= 1e-9);
        for (std::size_t i = 0; i < raw.size(); ++i) {
            CHECK(smoothed.depths[i] >= raw[i] - 1e-9);
            CHECK(smoothed.depths[i] <= 0.03 + 1e-15);
        }
        for (std::int32_t i = 0; i < 61; ++i) {
            const bool was_zero = map.at(i, 0) == 0.0;
            CHECK((!was_zero || smoothed.at(i, 0) == 0.0));
        }
    }
}

TEST_CASE("smoothing wipes out the shortest waves at once") {
    DentMap map = map_of(41, 41, 0.01, [](double x, double y) {
        const auto k = std::lround(x / 0.01) + std::lround(y / 0.01);
        return 0.02 + (k % 2 ? 0.01 : -0.01);
    });
    smooth(map, 1);
    // The border lags behind; the two rounds have not carried it beyond its neighbours.
    for (std::int32_t j = 3; j < 38; ++j) {
        for (std::int32_t i = 3; i < 38; ++i)
            CHECK(std::abs(map.at(i, j) - map.at(20, 20)) < 1e-15);
    }
}

TEST_CASE("smoothing takes the same course in any number of rounds and on any grid") {
    // The sweep that takes many rounds at once, against one plain round after the other.
    for (const std::pair<std::int32_t, std::int32_t>& size :
         {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 3}, {5, 40}, {30, 7}}) {
        const std::int32_t columns = size.first, rows = size.second;
        for (const std::int32_t rounds : {1, 2, 15, 16, 17, 40}) {
            DentMap map = random_map(columns, rows, 0.7, 3);
            const DentMap first = map;
            const double deepest = map.deepest();
            const auto plain_round = [&](const DentMap& m, bool only_deepens) {
                DentMap next = m;
                for (std::int32_t j = 0; j < rows; ++j) {
                    for (std::int32_t i = 0; i < columns; ++i) {
                        const double sum =
                            (m.at(std::max(i - 1, 0), j) + m.at(std::min(i + 1, columns - 1), j)) +
                            (m.at(i, std::max(j - 1, 0)) + m.at(i, std::min(j + 1, rows - 1)));
                        double& z = next.depths[std::size_t(j) * std::size_t(columns) + i];
                        z = 0.5 * m.at(i, j) + 0.125 * sum;
                        if (only_deepens) z = std::max(z, m.at(i, j));
                        const bool border = i == 0 || j == 0 || i == columns - 1 || j == rows - 1;
                        if (border && first.at(i, j) == 0.0) z = 0.0;
                    }
                }
                return next;
            };
            DentMap expected = map;
            for (std::int32_t k = 0; k < rounds; ++k) expected = plain_round(expected, false);
            const double now = expected.deepest();
            if (now > 0.0) {
                const double scale = deepest / now;
                for (double& z : expected.depths) z = std::min(deepest, z * scale);
            }
            for (std::int32_t k = 0; k < rounds; ++k) expected = plain_round(expected, true);
            smooth(map, rounds);
            CHECK(map.depths == expected.depths);
        }
    }
}

TEST_CASE("smoothing takes the ridge between two hills away") {
    DentMap map = map_of(81, 41, 0.01, [](double x, double y) {
        return std::abs(y) < 0.005 && std::abs(std::abs(x) - 0.15) < 0.005 ? 0.02 : 0.0;
    });
    broaden(map, sharpness_for(0.25));
    const auto kink = [](const DentMap& m) {
        double worst = 0.0;
        for (std::int32_t i = 20; i < 60; ++i) {
            worst = std::max(worst, std::abs(m.at(i - 1, 20) - 2 * m.at(i, 20) + m.at(i + 1, 20)));
        }
        return worst;
    };
    const double sharp = kink(map);
    DentMap round = map;
    smooth(round, 30);
    CHECK(kink(round) < 0.5 * sharp);
}

TEST_CASE(
    "profiles are as deep as asked, end at their radius and have the volume of their formula") {
    const double depth = 0.02, radius = 0.15;
    struct Case {
        DentMap map;
        double volume;
    };
    const double ball = (radius * radius + depth * depth) / (2.0 * depth);
    for (const Case& c :
         {Case{gaussian_map(201, radius, depth), 0.0},
          Case{cosine_map(201, radius, depth), depth * radius * radius * (kPi / 2.0 - 2.0 / kPi)},
          Case{cap_map(201, ball, depth), kPi * depth * depth * (3.0 * ball - depth) / 3.0}}) {
        CHECK(test::near(c.map.deepest(), depth));
        CHECK(test::near(c.map.depth(0.0, 0.0), depth));
        CHECK(c.map.depth(radius * 1.001, 0.0) < 1e-3 * depth);
        CHECK(c.map.depth(0.0, -10.0) == 0.0);
        CHECK(c.map.depth(std::nan(""), 0.0) == 0.0);
        CHECK(check_map(c.map).ok());
        if (c.volume > 0.0) CHECK(test::near(volume(c.map), c.volume, 2e-3));
    }
}

TEST_CASE("a table gives a round dent through its pairs, or a reason") {
    const std::pair<double, double> table[] = {{0.0, 0.03}, {0.1, 0.02}, {0.2, 0.0}};
    const Result<DentMap> map = table_map(403, table);
    REQUIRE(map.ok());
    for (const double angle : {0.0, 0.7, 2.5}) {
        const Vec2 way(std::cos(angle), std::sin(angle));
        CHECK(test::near(map.value().depth(0.05 * way.x(), 0.05 * way.y()), 0.025, 1e-3));
        CHECK(test::near(map.value().depth(0.15 * way.x(), 0.15 * way.y()), 0.01, 1e-3));
    }
    const std::pair<double, double> falling[] = {{0.1, 0.02}, {0.1, 0.0}};
    CHECK_FALSE(table_map(25, falling).ok());
    CHECK_FALSE(table_map(25, std::span(table, 1)).ok());
    const std::pair<double, double> broken[] = {{0.0, 0.02}, {0.1, NAN}};
    CHECK_FALSE(table_map(25, broken).ok());
}

TEST_CASE("a map between its samples is continuous and keeps to them") {
    const DentMap map = random_map(9, 12, 0.8, 3);
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            CHECK(test::within(map.depth(map.x(i), map.y(j)), map.at(i, j), 1e-12 * map.deepest()));
        }
    }
    Rng rng(4);
    for (int k = 0; k < 1000; ++k) {
        const double x = rng.uniform(-0.08, 0.08), y = rng.uniform(-0.08, 0.08);
        // Slopes are at most a depth per cell in each direction.
        CHECK(std::abs(map.depth(x + 1e-6, y) - map.depth(x, y)) <= 1e-6 * 0.1 / 0.01 + 1e-12);
        CHECK(map.depth(x, y) <= map.deepest());
    }
}

TEST_CASE("hills far wider than a map, or narrower than a sample, leave its depths as they are") {
    for (const double sharpness : {1e-300, 1e-30, 1e30, 1e300, 1e308}) {
        CAPTURE(sharpness);
        DentMap map;
        map.columns = 5;
        map.rows = 4;
        map.cell = 10.0;
        map.depths.assign(20, 0.0);
        map.depths[7] = map.depths[12] = 0.25;
        broaden(map, sharpness);
        for (std::size_t i = 0; i < map.depths.size(); ++i) {
            CHECK(map.depths[i] == (sharpness < 1 || i == 7 || i == 12 ? 0.25 : 0.0));
        }
    }
}
