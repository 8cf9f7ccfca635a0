// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent_grid.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/deform/journal_io.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

DentGrid random_grid(std::int32_t columns, std::int32_t rows, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<std::uint16_t> levels;
    for (std::int32_t i = 0; i < columns * rows; ++i) {
        levels.push_back(static_cast<std::uint16_t>(rng.uniform(0.0, 65535.99)));
    }
    return DentGrid(columns, rows, std::move(levels));
}

}  // namespace

TEST_CASE("a dent grid comes back from its text as it was") {
    for (const DentGrid& grid : {random_grid(1, 1, 1), random_grid(1, 30, 2), random_grid(41, 7, 3),
                                 random_grid(64, 64, 4), grid_of(gaussian_map(101, 0.1, 0.02)),
                                 DentGrid(2, 2, {0, 65535, 65535, 0})}) {
        DentGrid back;
        REQUIRE(from_text(to_text(grid), back).ok());
        CHECK(back == grid);
    }
}

TEST_CASE("a smooth map takes about two characters a sample") {
    const DentGrid grid = grid_of(gaussian_map(101, 0.1, 0.02));
    CHECK(to_text(grid).size() < 2.1 * 97 * 97);
}

TEST_CASE("a text that is no dent grid is refused and costs nothing") {
    DentGrid grid = random_grid(3, 3, 5);
    const DentGrid before = grid;
    const std::string whole = to_text(grid);
    for (const std::string& text :
         {std::string(""), std::string("3"), std::string("3x3"), std::string("0x3:000"),
          std::string("3x-1:000"), std::string("99999x9:0"), std::string("4000x4000:0"),
          whole.substr(0, whole.size() - 1), whole + "0", std::string("1x1:\""),
          std::string("1x1:zzzzzzzzz0"), std::string("1x1:z")}) {
        CAPTURE(text);
        CHECK_FALSE(from_text(text, grid).ok());
        CHECK(grid == before);
    }
}

TEST_CASE("a grid is its map, rounded up by less than a level") {
    Rng rng(6);
    DentMap map = gaussian_map(41, 0.1, 0.03);
    const DentGrid grid = grid_of(map);
    CHECK(grid.columns() == 37);  // two frames of zeros are left out
    const double radius = grid_radius(grid, map.cell);
    CHECK(test::near(radius, 0.1));
    CHECK(test::near(grid.cell(radius), map.cell));
    double deepest = 0.0;
    for (int k = 0; k < 2000; ++k) {
        const double x = rng.uniform(-0.12, 0.12), y = rng.uniform(-0.12, 0.12);
        const double exact = map.depth(x, y) / 0.03, kept = grid.share(x / map.cell, y / map.cell);
        CHECK(kept >= exact - 1e-10);
        CHECK(kept <= exact + 1.0 / 65535 + 1e-10);
        deepest = std::max(deepest, kept);
    }
    CHECK(deepest <= 1.0);
    CHECK(grid.share(0, 0) == 1.0);
    CHECK(grid.share(std::nan(""), 0) == 0.0);
}

TEST_CASE("a dent with a map survives the journal file to the last bit") {
    DentHit hit;
    hit.map = random_grid(17, 23, 7);
    hit.from_b = Vec3(0.6, 0.0, 0.8);
    hit.slant_deg = 33.3;
    hit.lean = 1.0 / 3.0;
    hit.rim = 0.7;
    hit.widening = 0.1;
    hit.attenuation = Attenuation::Exponential;
    Journal journal;
    journal.add(0.25, 0.1, hit);
    std::vector<Error> errors;
    const Journal back = journal_from_json(journal_to_json(journal), "", errors);
    REQUIRE(errors.empty());
    const DentHit& read = std::get<DentHit>(back.hits()[0].record);
    CHECK(*read.map == *hit.map);
    std::vector<Vec3> a, b, rest;
    Rng rng(8);
    for (int k = 0; k < 500; ++k) {
        rest.push_back({rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)});
    }
    a = b = rest;
    press_dent(a, rest, std::get<DentHit>(journal.hits()[0].record), 0.8);
    press_dent(b, rest, read, 0.8);
    CHECK(a == b);
    CHECK(a != rest);
}
