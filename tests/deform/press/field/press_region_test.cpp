// SPDX-License-Identifier: MIT
#include <ductile/deform/press/field/border_fields.h>
#include <ductile/deform/press/field/press_region.h>
#include <ductile/deform/press/zone/contact_zone.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;

namespace {

constexpr double kZone = 0.25, kExtent = 0.4;

TriMesh flat_sheet(int n) {
    return test::grid_mesh(n, n, false, false, [&](int i, int j) {
        return Vec3(2.0 * i / n - 1.0, 0.0, 1.0 - 2.0 * j / n);
    });
}

/// A region around a zone on a flat sheet, its border where `outside` [m] is 0.
template <class Outside>
PressRegion region_where(const PressSurface& soft, Outside&& distance) {
    const auto outside = [&](std::int32_t v) { return distance(soft.points[v]); };
    ContactZone zone;
    for (std::size_t i = 0; i < soft.points.size(); ++i) {
        const auto v = static_cast<std::int32_t>(i);
        if (!(outside(v) < 0)) continue;
        zone.points.push_back(v);
        zone.touching.push_back({});
        for (const std::int32_t w : soft.graph[v]) {
            if (outside(w) < 0) continue;
            ZoneCrossing& c = zone.border.emplace_back();
            c.inner = v;
            c.outer = w;
            c.along = outside(v) / (outside(v) - outside(w));
        }
    }
    return make_region(soft, {&zone, 1}, kExtent);
}
PressRegion region_around(const PressSurface& soft, const Vec3& centre) {
    return region_where(soft, [&](const Vec3& p) { return (p - centre).norm() - kZone; });
}

Result<std::vector<double>> radial_distance_in(const PressRegion& region) {
    return radial_distance(region, spread_from_borders(region, kExtent).value());
}

/// How far the radial distance is from the distance to the circle, within the extent [m].
double worst_distance(const Vec3& centre) {
    const RestSurface rest(flat_sheet(80));
    const PressSurface soft(rest, rest.mesh().points);
    const PressRegion region = region_around(soft, centre);
    const auto radial = radial_distance_in(region);
    REQUIRE(radial);
    double worst = 0.0;
    for (std::size_t i = 0; i < region.points.size(); ++i) {
        const double exact = (region.points[i] - centre).norm() - kZone;
        if (exact < 0 || exact > kExtent) continue;
        test::raise_to(worst, std::abs(radial.value()[i] - exact));
    }
    return worst;
}

}  // namespace

TEST_CASE("the radial distance on a sheet is near the true one, also beside the sheet's edge") {
    CHECK(worst_distance({0.011, 0.0, 0.017}) < 0.1 * kExtent);
    CHECK(worst_distance({0.6, 0.0, 0.02}) < 0.1 * kExtent);
    CHECK(worst_distance({0.6, 0.0, 0.6}) < 0.1 * kExtent);
}

TEST_CASE("the radial distance has come to the extent where the region ends, also of long zones") {
    const RestSurface rest(flat_sheet(120));
    const PressSurface soft(rest, rest.mesh().points);
    for (const double half_length : {0.0, 0.1, 0.25}) {
        const PressRegion region = region_where(soft, [&](const Vec3& p) {
            const double beyond = std::max(std::abs(p.x() - 0.011) - half_length, 0.0);
            return std::hypot(beyond, p.z() - 0.017) - 0.08;
        });
        const auto radial = radial_distance_in(region);
        REQUIRE(radial);
        double least = kInfinity;
        for (std::size_t i = 0; i < region.points.size(); ++i) {
            const auto near = soft.graph[region.vertices[i]];
            const bool is_last = std::any_of(near.begin(), near.end(),
                                             [&](std::int32_t v) { return region.local[v] < 0; });
            if (is_last) least = std::min(least, radial.value()[i]);
        }
        CHECK(least > 0.93 * kExtent);
        CHECK(least < 1.3 * kExtent);  // and no further than it need be
    }
}

TEST_CASE("a zone's border may run through vertices") {
    // Points of the grid lie on the circle: behind them, crossings have no weight.
    CHECK(worst_distance({0.0, 0.0, 0.0}) < 0.1 * kExtent);
    CHECK(worst_distance({0.01, 0.0, 0.02}) < 0.1 * kExtent);
    CHECK(worst_distance({0.05, 0.0, 0.1}) < 0.1 * kExtent);
}

TEST_CASE("fields of a border that goes far sideways do not change the others, bit for bit") {
    const RestSurface rest(flat_sheet(60));
    const PressSurface soft(rest, rest.mesh().points);
    PressRegion region = region_around(soft, {0.1, 0.0, 0.05});
    for (ZoneCrossing& c : region.border) c.rest = c.touching.position + Vec3(0.03, 0.04, 0.0);
    const BorderFields plain = spread_from_borders(region, 2.0).value();
    const BorderFields all = spread_from_borders(region, 0.3).value();
    CHECK(plain.sideways.empty());
    REQUIRE(all.sideways.size() == region.points.size());
    CHECK(all.flow == plain.flow);
    CHECK(all.amplitude == plain.amplitude);
    CHECK(all.amplitude == spread_from_border(region, all.depth));
    // What is the same all around a border is so everywhere.
    for (std::size_t i = 0; i < region.points.size(); ++i) {
        if (region.is_contact[i]) continue;
        CHECK(test::near(all.amplitude[i], 0.05));
        CHECK(test::near(all.lean[i], 0.6));
        CHECK(test::near(all.sideways[i], 0.1));
    }
}

TEST_CASE("a region of the rest shape is the same bits from its first frame to its last") {
    // From some frame on, parts of the factor come from a kept one.
    const RestSurface rest(flat_sheet(60));
    const PressSurface soft(rest, rest.mesh().points);
    const auto first = radial_distance_in(region_around(soft, {0.1, 0.0, 0.05}));
    REQUIRE(first);
    bool is_kept = false;
    for (int frame = 0; frame < 8; ++frame) {
        const PressRegion region = region_around(soft, {0.1, 0.0, 0.05});
        REQUIRE(region.smooth);
        is_kept = is_kept || region.smooth->kept_fronts() > 0;
        const auto again = radial_distance_in(region);
        REQUIRE(again);
        CHECK(again.value() == first.value());
    }
    CHECK(is_kept);
}
