// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <support/near.h>

#include <limits>
#include <sstream>

using namespace ductile;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

bool is_near(double value, double reference, double relative) {
    return bool(test::near(value, reference, relative));
}

bool is_within(double value, double reference, double allowed) {
    return bool(test::within(value, reference, allowed));
}

}  // namespace

TEST_CASE("what is near lies within a share of the reference, whatever its size") {
    for (const double size : {1e-300, 1e-12, 3e-4, 1.0, 7e6, 1e300}) {
        for (const double reference : {size, -size}) {
            CHECK(is_near(reference, reference, 0.0));
            CHECK(is_near(1.0099 * reference, reference, 0.01));
            CHECK(is_near(0.9901 * reference, reference, 0.01));
            CHECK_FALSE(is_near(1.0101 * reference, reference, 0.01));
            CHECK_FALSE(is_near(0.9899 * reference, reference, 0.01));
            CHECK_FALSE(is_near(-reference, reference, 0.99));
        }
    }
    CHECK(bool(test::near(5.0 + 4e-9, 5.0)));
    CHECK_FALSE(bool(test::near(5.0 + 6e-9, 5.0)));
}

TEST_CASE("a result of 0 is near nothing but 0") {
    for (const double reference : {1e-300, 3e-4, -1.0, 1e9}) {
        for (const double relative : {1e-9, 0.1, 0.999, 1.0, 50.0, kInfinite}) {
            CHECK_FALSE(is_near(0.0, reference, relative));
        }
    }
    CHECK(is_near(0.0, 0.0, 0.01));
    CHECK_FALSE(is_near(1e-300, 0.0, 0.01));
}

TEST_CASE("a band without a number holds nothing, nor does one without an end") {
    CHECK_FALSE(is_near(kNoNumber, 1.0, 0.5));
    CHECK_FALSE(is_near(1.0, kNoNumber, 0.5));
    CHECK_FALSE(is_near(1.0, 1.0, kNoNumber));
    CHECK_FALSE(is_near(1.0, 1.0, -0.1));
    CHECK_FALSE(is_near(1.0, kInfinite, 0.5));
    CHECK_FALSE(is_near(1.0, 1.0, 1.0));
    CHECK_FALSE(is_within(kNoNumber, 1.0, 0.5));
    CHECK_FALSE(is_within(1.0, 1.0, kNoNumber));
    CHECK_FALSE(is_within(1.0, 1.0, kInfinite));
    CHECK_FALSE(is_within(1.0, 1.0, -0.1));
    CHECK_FALSE(is_within(kInfinite, kInfinite, 1.0));
}

TEST_CASE("within means no further apart than said") {
    CHECK(is_within(0.25, 0.5, 0.25));
    CHECK(is_within(0.75, 0.5, 0.25));
    CHECK(is_within(-1e-10, 0.0, 1e-9));
    CHECK_FALSE(is_within(0.2499, 0.5, 0.25));
    CHECK_FALSE(is_within(0.7501, 0.5, 0.25));
}

TEST_CASE("a check that fails says what was there, what was wanted and how wide the band is") {
    std::ostringstream text;
    text << test::near(0.25, 0.5, 0.01);
    CHECK(text.str() == "0.25 to be 0.5 +- 0.005, is off by 0.25");
}
