// SPDX-License-Identifier: MIT
#include <ductile/core/smooth_step.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("a smooth step begins and ends level, never falls, and is symmetric about its middle") {
    CHECK(smooth_step(0.0) == 0.0);
    CHECK(smooth_step(1.0) == 1.0);
    CHECK(smooth_step(0.5) == 0.5);
    double last = 0.0;
    for (int i = 0; i <= 100; ++i) {
        const double t = i / 100.0, s = smooth_step(t);
        CHECK(s >= last);
        CHECK(test::near(s + smooth_step(1.0 - t), 1.0, 1e-15));
        last = s;
    }
    CHECK(smooth_step(1e-6) < 1e-11);
    CHECK(1.0 - smooth_step(1.0 - 1e-6) < 1e-11);
}
