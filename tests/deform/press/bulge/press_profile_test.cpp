// SPDX-License-Identifier: MIT
#include <ductile/core/math.h>
#include <ductile/deform/press/bulge/press_profile.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;

namespace {

// The recursion as it stands in textbooks, zero over zero being zero.
double textbook_basis(int k, int degree, double t) {
    static const double knots[] = {0, 0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1, 1};
    if (degree == 0) return t >= knots[k] && t < knots[k + 1] ? 1.0 : 0.0;
    const auto part = [](double above, double below) { return below > 0 ? above / below : 0.0; };
    return part(t - knots[k], knots[k + degree] - knots[k]) * textbook_basis(k, degree - 1, t) +
           part(knots[k + degree + 1] - t, knots[k + degree + 1] - knots[k + 1]) *
               textbook_basis(k + 1, degree - 1, t);
}

}  // namespace

TEST_CASE("the spline's basis is that of the textbook recursion and sums to one") {
    for (int i = 0; i < 1000; ++i) {
        const double t = i / 1000.0;
        const auto basis = spline_basis(t);
        double sum = 0.0;
        for (int k = 0; k < 6; ++k) {
            CHECK(std::abs(basis[k] - textbook_basis(k, 3, t)) < 1e-14);
            sum += basis[k];
        }
        CHECK(std::abs(sum - 1.0) < 1e-14);
    }
    CHECK(spline_basis(0.0)[0] == 1.0);
    CHECK(spline_basis(1.0)[5] == 1.0);
}

TEST_CASE("the spline's inversion is good to 1e-12") {
    Rng rng(1);
    double worst = 0.0;
    for (int i = 0; i < 2000; ++i) {
        PressOptions options;
        options.bulge_at = rng.uniform(0.2, 0.5);
        options.fade_from = rng.uniform(options.bulge_at, 1.0);
        options.fade_flatness = rng.uniform(options.fade_from, 1.0);
        const double steep = i % 7 == 0 ? 1e12 : rng.uniform(-3, 3);
        const PressProfiles profiles(options);
        const PressProfile profile(rng.uniform(0, 2), steep, profiles);
        const double u = i % 5 == 0 ? rng.uniform(0, 1e-6) : rng.uniform();
        test::raise_to(worst, std::abs(profile.abscissa(profile.parameter_at(u)) - u));
    }
    CHECK(worst < 1e-12);
}

TEST_CASE("a profile begins at its amplitude with its slope and ends at rest") {
    const double step = 1e-7;
    const PressProfiles profiles({});
    for (const double slope : {-0.5, 0.0, 0.3, 2.0}) {
        const PressProfile profile(0.2, slope, profiles);
        CHECK(profile.at(0.0).still == -0.2);
        CHECK(test::within((profile.at(step).still + 0.2) / step, slope, 1e-5));
        CHECK(profile.at(1.0).still == 0.0);
        CHECK(profile.at(1.0).bulging == 0.0);
        CHECK(std::abs(profile.at(1.0 - 1e-3).still) < 1e-9);  // and its curvature is gone, too
    }
}

TEST_CASE("no amplitude is no trouble") {
    const PressProfiles profiles({});
    for (const double slope : {0.0, 1.0, -1.0}) {
        const auto d = PressProfile(0.0, slope, profiles).at(0.1);
        CHECK(d.still == 0.0);
        CHECK(std::isfinite(d.bulging));
    }
}
