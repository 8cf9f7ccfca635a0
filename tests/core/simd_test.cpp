// SPDX-License-Identifier: MIT
#include <ductile/core/simd.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <vector>

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
    CHECK(test::near(simd::sum_of(a), sum, 1e-15));
}

TEST_CASE("one number fills a lane, from memory or from another lane") {
    Numbers x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) + 0.5;
    for (const double number : numbers_of(simd::all(7.25))) CHECK(number == 7.25);
    for (const double number : numbers_of(simd::element<simd::kLane - 1>(lane_of(x)))) {
        CHECK(number == x.back());
    }
}

TEST_CASE("two doubles are each reckoned with as a double is, never fused") {
    using simd::Doubles;
    const double x[] = {0.1, 9.0, 17.3, 4.0}, y[] = {-3.7, 9.0, 0.3, 1e-3};
    const Doubles a = Doubles::gather(x, 2), b = Doubles::gather(y, 2);
    const auto check = [&](const Doubles& got, auto&& expected) {
        for (int i = 0; i < 2; ++i) CHECK(got[i] == expected(x[2 * i], y[2 * i]));
    };
    check(a + b, [](double p, double q) { return p + q; });
    check(a - b, [](double p, double q) { return p - q; });
    check(a * b, [](double p, double q) { return p * q; });
    check(a / b, [](double p, double q) { return p / q; });
    check(-a, [](double p, double) { return -p; });
    check(abs(b), [](double, double q) { return std::abs(q); });
    check(sqrt(a), [](double p, double) { return std::sqrt(p); });
    check(Doubles(2.5), [](double, double) { return 2.5; });
    check(Doubles(a[0], a[1]), [](double p, double) { return p; });
    check(larger(a, b), [](double p, double q) { return std::max(p, q); });
    check(smaller(a, b), [](double p, double q) { return std::min(p, q); });
    check(a * b - b, [](double p, double q) {
        const double product = p * q;
        return product - q;
    });
    Doubles sum = a;
    sum += b;
    sum -= a;
    sum *= b;
    check(sum, [](double p, double q) { return ((p + q) - p) * q; });

    CHECK(simd::is_above(a, b));
    CHECK_FALSE(simd::is_above(a, 1.0));
    CHECK_FALSE(simd::is_above(a, Doubles(NAN)));
    double to[] = {7, 7, 7, 7};
    a.scatter(to + 1, 2);
    CHECK(to[0] == 7);
    CHECK(to[1] == x[0]);
    CHECK(to[2] == 7);
    CHECK(to[3] == x[2]);
}

TEST_CASE("eight floats are each added, multiplied and divided as a float is, never fused") {
    std::array<float, 9> x, y, z;
    for (int i = 0; i < 9; ++i) {
        x[i] = 0.1f + 1.7f * static_cast<float>(i);
        y[i] = -3.7f / (1.0f + static_cast<float>(i));
        z[i] = x[i] * y[i] * 1.0000001f;
    }
    using simd::Floats;
    const Floats a = Floats::load(x.data() + 1), b = Floats::load(y.data() + 1),
                 c = Floats::load(z.data() + 1);
    const auto check = [](const Floats& got, auto&& expected) {
        std::array<float, 9> stored{};
        got.store(stored.data() + 1);
        for (int i = 1; i < 9; ++i) CHECK(stored[i] == expected(i));
    };
    check(a + b, [&](int i) { return x[i] + y[i]; });
    check(a - b, [&](int i) { return x[i] - y[i]; });
    check(a * b, [&](int i) { return x[i] * y[i]; });
    check(a / b, [&](int i) { return x[i] / y[i]; });
    check(larger(a, b), [&](int i) { return std::max(x[i], y[i]); });
    check(Floats(2.5f), [](int) { return 2.5f; });
    check(c - a * b, [&](int i) {
        const float product = x[i] * y[i];
        return z[i] - product;
    });
    Floats sum = a;
    sum += b;
    check(sum, [&](int i) { return x[i] + y[i]; });
}

TEST_CASE(
    "rows of numbers and places are turned into lanes, from anywhere, and nothing is touched "
    "beyond") {
    using simd::Floats;
    const auto stored = [](const Floats& x) {
        std::array<float, 8> out;
        x.store(out.data());
        return out;
    };
    std::array<std::vector<float>, 8> row;
    std::array<std::vector<double>, 8> place;
    Floats::Rows rows;
    Floats::Places places;
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < 6; ++i) row[k].push_back(0.1f * static_cast<float>(10 * k + i));
        for (int a = 0; a < 3; ++a) place[k].push_back(1e3 + 0.7 * k - 0.3 * a);
        rows[k] = row[k].data();
        places[k] = place[k].data();
    }
    for (const int from : {0, 1, 2}) {
        const std::array<Floats, 4> turned = Floats::load_rows(rows, from);
        for (int i = 0; i < 4; ++i) {
            CHECK(stored(turned[i]) == stored(Floats::gathered(rows, from + i)));
            for (int k = 0; k < 8; ++k) CHECK(stored(turned[i])[k] == row[k][from + i]);
        }
    }
    const std::array<double, 3> from = {1e3, 1e3 - 0.1, 1e3 + 0.2};
    const std::array<Floats, 3> xyz = Floats::load_places(places, from.data());
    for (int a = 0; a < 3; ++a) {
        for (int k = 0; k < 8; ++k) {
            CHECK(stored(xyz[a])[k] == static_cast<float>(place[k][a] - from[a]));
        }
    }
    std::array<float, 8> none = {0.0f, -0.0f};
    CHECK(Floats::load(none.data()).is_zero());
    for (float& one : none) {
        for (const float value : {1e-40f, -1.0f}) {
            one = value;
            CHECK(!Floats::load(none.data()).is_zero());
        }
        one = 0.0f;
    }
    simd::prefetch(rows[0]);
}
