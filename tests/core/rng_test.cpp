// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

TEST_CASE("the generator gives SplitMix64's published numbers") {
    Rng rng(1234567);
    CHECK(rng.next() == 6457827717110365317ULL);
    CHECK(rng.next() == 3203168211198807973ULL);
    CHECK(rng.next() == 9817491932198370423ULL);
    CHECK(rng.next() == 4593380528125082431ULL);
    CHECK(rng.next() == 16408922859458223821ULL);
}

TEST_CASE("uniform numbers fill their range evenly and stay inside") {
    Rng rng(42);
    const int count = 100000;
    int bins[10] = {};
    double sum = 0.0, sum_sq = 0.0;
    for (int i = 0; i < count; ++i) {
        const double u = rng.uniform();
        REQUIRE(u >= 0.0);
        REQUIRE(u < 1.0);
        ++bins[static_cast<int>(10 * u)];
        sum += u;
        sum_sq += u * u;
    }
    for (const int n : bins) CHECK(std::abs(n - count / 10) < 500);  // five sigma
    CHECK(test::near(sum / count, 0.5, 0.01));
    CHECK(test::near(sum_sq / count, 1.0 / 3, 0.02));
    for (int i = 0; i < 1000; ++i) {
        const double x = rng.uniform(-3, 2);
        CHECK(x >= -3);
        CHECK(x < 2);
    }
}
