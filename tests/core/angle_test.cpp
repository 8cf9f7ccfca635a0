// SPDX-License-Identifier: MIT
#include <ductile/core/angle.h>
#include <ductile/core/rng.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

TEST_CASE("an angle is that of the library, whatever its size and the numbers it comes from") {
    Rng rng(3);
    double worst = 0.0;
    for (int k = 0; k < 200000; ++k) {
        const double angle = kPi * rng.uniform();
        const double size = std::pow(10.0, rng.uniform(-150, 150));
        const double sine = size * std::sin(angle), cosine = size * std::cos(angle);
        worst = std::max(worst, std::abs(angle_of(sine, cosine) - std::atan2(sine, cosine)));
    }
    CHECK(worst < 6e-16);
    // What is small keeps its digits.
    for (const double small : {1e-3, 1e-8, 1e-100, 1e-300}) {
        CHECK(std::abs(angle_of(small, 1.0) / std::atan2(small, 1.0) - 1.0) < 1e-15);
    }
}

TEST_CASE("angles at the ends are exact, and none is out of range") {
    CHECK(angle_of(0.0, 1.0) == 0.0);
    CHECK(angle_of(0.0, -1.0) == kPi);
    CHECK(angle_of(1.0, 0.0) == 0.5 * kPi);
    CHECK(angle_of(1.0, -0.0) == 0.5 * kPi);
    CHECK(angle_of(1.0, 1.0) == 0.25 * kPi);
    CHECK(angle_of(1.0, kInfinity) == 0.0);
    CHECK(angle_of(1.0, -kInfinity) == kPi);
    CHECK(angle_of(kInfinity, 1.0) == 0.5 * kPi);
    // Continuous where the formula changes.
    for (const double at : {kPi / 8, kPi / 4, 3 * kPi / 8, kPi / 2, 5 * kPi / 8, 7 * kPi / 8}) {
        double last = 0.0;
        for (int k = -20; k <= 20; ++k) {
            const double angle = at + 1e-15 * k;
            const double found = angle_of(std::sin(angle), std::cos(angle));
            CHECK(test::near(found, angle, 2e-15));
            if (k > -20) CHECK(found - last > -5e-16);
            last = found;
        }
    }
}
