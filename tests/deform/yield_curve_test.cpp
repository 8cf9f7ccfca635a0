// SPDX-License-Identifier: MIT
#include <ductile/deform/yield_curve.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

// Energy = stiffness times a power of the force.
YieldCurve power_curve(double factor, double power) {
    YieldCurve curve;
    for (const double force : {1.0, 10.0, 1000.0}) {
        curve.points.push_back({force, factor * std::pow(force, power)});
    }
    return curve;
}

}  // namespace

TEST_CASE("a curve is the power law between its points and beyond them") {
    const YieldCurve curve = power_curve(0.5, 2.0);
    for (const double force : {0.01, 1.0, 5.0, 10.0, 300.0, 1e5}) {
        CHECK(test::near(curve.energy(force), 0.5 * force * force));
    }
    CHECK(YieldCurve{}.energy(3.0) == 0.0);
}

TEST_CASE("two bodies share an energy as springs in a row do") {
    for (const double ratio : {1.0, 2.0, 50.0}) {
        const YieldCurve soft = power_curve(ratio, 2.0), hard = power_curve(1.0, 2.0);
        for (const double energy : {1e-3, 1.0, 1e4}) {
            const double first = share_of_energy(soft, hard, energy);
            CHECK(test::near(first, ratio / (1.0 + ratio)));
            CHECK(test::near(first + share_of_energy(hard, soft, energy), 1.0));
        }
    }
}

TEST_CASE("of two unlike bodies each takes up what it does under their common force") {
    const YieldCurve a = power_curve(3.0, 1.5), b = power_curve(0.01, 6.0);
    for (const double energy : {0.1, 10.0, 1e3}) {
        const double share = share_of_energy(a, b, energy);
        const double force_a = std::pow(share * energy / 3.0, 1.0 / 1.5);
        const double force_b = std::pow((1.0 - share) * energy / 0.01, 1.0 / 6.0);
        CHECK(test::near(force_a, force_b, 1e-6));
    }
}

TEST_CASE("what takes up nothing leaves all to the other") {
    CHECK(share_of_energy({}, power_curve(1, 2), 5.0) == 0.0);
    CHECK(share_of_energy(power_curve(1, 2), {}, 5.0) == 1.0);
}
