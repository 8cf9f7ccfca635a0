// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/export/track/pick_samples.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace ductile;

namespace {

bool is_line(const std::vector<double>& y, std::size_t a, std::size_t b, double tolerance) {
    for (std::size_t i = a + 1; i < b; ++i) {
        const double t = double(i - a) / double(b - a);
        if (std::abs((1 - t) * y[a] + t * y[b] - y[i]) > tolerance) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("a furthest fit is the same as asking one by one where fitting ends once") {
    for (std::size_t last = 1; last < 40; ++last) {
        for (std::size_t end = 1; end <= last; ++end) {
            const auto fits = [&](std::size_t, std::size_t b) { return b <= end; };
            CHECK(furthest_fit(0, last, fits) == end);
        }
    }
}

TEST_CASE("picked samples hold the first, the last and what lines do not give") {
    Rng rng(5);
    for (int round = 0; round < 100; ++round) {
        std::vector<double> y = {0.0};
        double slope = 1.0;
        for (int i = 1; i < 60; ++i) {
            if (rng.uniform() < 0.1) slope = rng.uniform(-1, 1);
            y.push_back(y.back() + slope);
        }
        const double tolerance = rng.uniform(1e-9, 0.5);
        const auto fits = [&](std::size_t a, std::size_t b) { return is_line(y, a, b, tolerance); };
        const std::vector<std::size_t> picked = pick_samples(y.size(), fits);
        CHECK(picked.front() == 0);
        CHECK(picked.back() == y.size() - 1);
        for (std::size_t k = 1; k < picked.size(); ++k) {
            REQUIRE(picked[k - 1] < picked[k]);
            CHECK(fits(picked[k - 1], picked[k]));
        }
    }
}

TEST_CASE("a straight line needs two samples, a corner one more") {
    std::vector<double> y(100);
    for (int i = 0; i < 100; ++i) y[i] = std::max(0, i - 41);
    const auto fits = [&](std::size_t a, std::size_t b) { return is_line(y, a, b, 1e-12); };
    CHECK(pick_samples(41, fits) == std::vector<std::size_t>{0, 40});
    CHECK(pick_samples(100, fits) == std::vector<std::size_t>{0, 41, 99});
}

TEST_CASE("few samples are all picked") {
    const auto never = [](std::size_t, std::size_t) { return false; };
    CHECK(pick_samples(0, never).empty());
    CHECK(pick_samples(1, never) == std::vector<std::size_t>{0});
    CHECK(pick_samples(2, never) == std::vector<std::size_t>{0, 1});
    CHECK(pick_samples(4, never) == std::vector<std::size_t>{0, 1, 2, 3});
}
