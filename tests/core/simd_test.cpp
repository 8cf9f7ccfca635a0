// SPDX-License-Identifier: MIT
#include <ductile/core/simd.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

using Numbers = std::array<double, simd::kLane>;

/// From a place that is as badly aligned as a double may be.
simd::Lane lane_of(const Numbers& numbers) {
    std::array<double, simd::kLane + 1> shifted{};
    std::copy(numbers.begin(), numbers.end(), shifted.begin() + 1);
    return simd::load(shifted.data() + 1);
}

Numbers numbers_of(const simd::Lane& lane) {
    Numbers out;
    simd::store(out.data(), lane);
    return out;
}

}  // namespace

TEST_CASE("a lane does to each of its numbers what a double does") {
    Numbers x, y, to;
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 0.1 + static_cast<double>(i);
        y[i] = -3.7 / (1.0 + static_cast<double>(i));
        to[i] = 1e-3 * static_cast<double>(i + 1);
    }
    const simd::Lane a = lane_of(x), b = lane_of(y);
    simd::Lane more = lane_of(to), less = more;
    simd::add_product(more, a, b);
    simd::subtract_product(less, a, b);
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(numbers_of(simd::add(a, b))[i] == x[i] + y[i]);
        CHECK(numbers_of(simd::subtract(a, b))[i] == x[i] - y[i]);
        CHECK(numbers_of(simd::multiply(a, b))[i] == x[i] * y[i]);
        // Rounded once where the machine can, else twice.
        const double product = x[i] * y[i];
        const double fused[] = {std::fma(x[i], y[i], to[i]), product + to[i]};
        CHECK((numbers_of(more)[i] == fused[0] || numbers_of(more)[i] == fused[1]));
        const double taken[] = {std::fma(-x[i], y[i], to[i]), to[i] - product};
        CHECK((numbers_of(less)[i] == taken[0] || numbers_of(less)[i] == taken[1]));
        sum += x[i];
    }
    CHECK(simd::sum_of(a) == doctest::Approx(sum).epsilon(1e-15));
}

TEST_CASE("one number fills a lane, from memory or from another lane") {
    Numbers x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) + 0.5;
    for (const double number : numbers_of(simd::all(7.25))) CHECK(number == 7.25);
    for (const double number : numbers_of(simd::element<simd::kLane - 1>(lane_of(x)))) {
        CHECK(number == x.back());
    }
}
