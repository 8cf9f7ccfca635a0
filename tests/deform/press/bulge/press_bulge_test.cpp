// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press.h>
#include <ductile/geom/mass.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("wrinkles of no height are no wrinkles, bit for bit, and others keep the volume") {
    const TriMesh soft = ball_at(0.4);
    const Pressed plain = press(soft, ground());
    CHECK(press(soft, ground(), {.wrinkles = 0.0, .waves = 3.0}).points == plain.points);
    const Pressed wavy = press(soft, ground(), {.wrinkles = 0.1, .waves = 4.0});
    CHECK(std::abs(wavy.report.volume_change) < 0.02 * wavy.report.displaced_volume);
    CHECK(wavy.zone == plain.zone);
    // As many crests as waves: along a meridian, the difference to the plain press changes sign
    // twice per wave, the ends apart.
    std::vector<std::pair<double, double>> over;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        const double u = plain.radial[v];
        if (plain.zone[v] >= 0 || !(u > 0.1) || !(u < 0.9)) continue;
        const Vec3 out = (soft.points[v] - Vec3(0, 0.4, 0)).normalized();
        over.emplace_back(u, (wavy.points[v] - plain.points[v]).dot(out));
    }
    std::sort(over.begin(), over.end());
    int turns = 0;
    double sign = 0.0;
    for (const auto& [u, difference] : over) {
        if (std::abs(difference) < 5e-4) continue;
        turns += sign * difference < 0;
        sign = difference;
    }
    CHECK(turns >= 5);
    CHECK(turns <= 8);
}
