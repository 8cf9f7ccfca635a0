// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/cut/site_cells.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;

namespace {

Vec3 place_by_chance(Rng& rng) {
    const double x = rng.uniform(-1.0, 1.0), y = rng.uniform(-1.0, 1.0), z = rng.uniform(-1.0, 1.0);
    return {x, y, z};
}

std::vector<Vec3> sites_by_chance(int count, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<Vec3> sites;
    for (int k = 0; k < count; ++k) sites.push_back(place_by_chance(rng));
    return sites;
}

const Box kAround = {Vec3::Constant(-1.1), Vec3::Constant(1.1)};

}  // namespace

TEST_CASE("a place lies in the cell of the site that is nearest to it") {
    const std::vector<Vec3> sites = sites_by_chance(90, 3);
    const SiteCells cells(sites, kAround);
    REQUIRE(cells.is_sound());
    Rng rng(7);
    std::int32_t hint = 0;
    for (int k = 0; k < 400; ++k) {
        const Vec3 place = place_by_chance(rng);
        const auto nearest =
            std::min_element(sites.begin(), sites.end(), [&](const Vec3& a, const Vec3& b) {
                return (a - place).squaredNorm() < (b - place).squaredNorm();
            });
        hint = cells.cell_of(place, hint);
        CHECK(hint == nearest - sites.begin());
    }
}

TEST_CASE("corners of cells are as far from their four sites, and no site is nearer") {
    const std::vector<Vec3> sites = sites_by_chance(60, 5);
    const SiteCells cells(sites, kAround);
    REQUIRE(cells.is_sound());
    CHECK(cells.corners().size() > 60);
    for (const SiteCells::Corner& corner : cells.corners()) {
        const double away = (sites[corner.sites[0]] - corner.place).norm();
        for (const std::int32_t s : corner.sites) {
            CHECK(test::near((sites[s] - corner.place).norm(), away, 1e-9));
        }
        for (const Vec3& s : sites) CHECK((s - corner.place).norm() > away * (1.0 - 1e-9));
    }
    for (const SiteCells::Line& line : cells.lines()) {
        CHECK(cells.find_line(line.sites) == &line - cells.lines().data());
        // A line runs the way it says.
        if (line.ends[0] < 0 || line.ends[1] < 0) continue;
        const Vec3& s = sites[line.sites[0]];
        const Vec3 way = (sites[line.sites[1]] - s).cross(sites[line.sites[2]] - s);
        const auto& corners = cells.corners();
        CHECK(way.dot(corners[line.ends[1]].place - corners[line.ends[0]].place) > 0);
    }
    for (std::int32_t a = 0; a < cells.count(); ++a) {
        for (const std::int32_t b : cells.neighbours(a)) CHECK(cells.slot(b, a) >= 0);
    }
}

TEST_CASE("several sites in one place have the cell of one") {
    std::vector<Vec3> sites = sites_by_chance(20, 1);
    sites.push_back(sites[4]);
    sites.push_back(sites[4]);
    const SiteCells cells(sites, kAround);
    REQUIRE(cells.is_sound());
    CHECK(cells.neighbours(20).empty());
    CHECK(cells.neighbours(21).empty());
    CHECK(cells.cell_of(sites[4], 0) == 4);
    sites.resize(20);
    const SiteCells once(sites, kAround);
    CHECK(std::ranges::equal(cells.neighbours(4), once.neighbours(4)));
}
