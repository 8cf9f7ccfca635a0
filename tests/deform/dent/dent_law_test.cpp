// SPDX-License-Identifier: MIT
// How deep, against closed forms and against the finite elements of validation/.
#include <ductile/deform/dent/dent_law.h>

#include <doctest/doctest.h>
#include <support/csv_rows.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

// What a ball presses in, up to some depth.
PressCurve ball_curve(double radius, double distance) {
    return {cap_map(161, radius, distance), distance, 0.0};
}

ContactStrength steel_on_rigid() { return {750e6, 210e9 / 0.91}; }

double ball_energy(double radius, double density, double speed) {
    return 0.5 * density * 4.0 / 3.0 * kPi * radius * radius * radius * speed * speed;
}

// A ball of a density and a speed into a block.
DentDepth ball_dent(double radius, double speed, const ContactStrength& contact) {
    return solid_dent(ball_curve(radius, 0.9 * radius), contact, ball_energy(radius, 7850, speed));
}

double within(double value, double reference) { return std::abs(value / reference - 1.0); }

}  // namespace

TEST_CASE("the volume under a ball is that of its cap") {
    const PressCurve curve = ball_curve(0.01, 0.005);
    for (const double depth : {0.0005, 0.001, 0.002, 0.005}) {
        CHECK(within(curve.volume(depth), kPi * depth * depth * (0.01 - depth / 3.0)) < 0.01);
        CHECK(within(curve.area(depth), kPi * depth * (0.02 - depth)) < 0.03);
        CHECK(within(curve.depth_of_area(curve.area(depth)), depth) < 1e-6);
    }
}

TEST_CASE("below the facets a striker goes on as the power of the depth that it is") {
    const double distance = 0.01, facets = 0.002 / 16.0;
    const PressCurve ball(cap_map(201, 1.0, distance), distance, facets);
    const PressCurve face(map_of(21, 21, 0.01, [&](double, double) { return distance; }), distance,
                          facets);
    for (const double depth : {1e-6, 1e-4, 1e-3}) {
        CHECK(within(ball.volume(depth), kPi * depth * depth) < 0.05);
        CHECK(within(face.volume(depth), 0.21 * 0.21 * depth) < 1e-9);
        CHECK(within(face.area(depth), 0.21 * 0.21) < 1e-9);
    }
}

TEST_CASE("near its tip a ball's volume is its cap's, whatever depth it was looked at") {
    for (const double distance : {0.01, 0.3, 0.95}) {
        const PressCurve ball(cap_map(161, 1.0, distance), distance, 0.0);
        for (const double depth : {1e-4, 1e-3, 5e-3}) {
            CAPTURE(distance);
            CAPTURE(depth);
            CHECK(within(ball.volume(depth), kPi * depth * depth * (1.0 - depth / 3.0)) < 0.01);
            CHECK(within(ball.depth_of_area(ball.area(depth)), depth) < 1e-6);
        }
    }
}

TEST_CASE("area and volume rise from 0 whatever the power of the depth that they go with") {
    for (const double power : {0.3, 0.5, 0.8, 1.0, 1.7, 2.0, 6.0}) {
        const DentMap map = map_of(101, 101, 0.01, [&](double x, double y) {
            return 0.2 - std::pow(std::hypot(x, y), power);
        });
        for (const double facets : {0.0, 0.002, 0.01, 1.0}) {
            CAPTURE(power);
            CAPTURE(facets);
            const PressCurve curve(map, 0.2, facets);
            double before = 0.0;
            for (double depth = 1e-9; depth < 0.2; depth *= 1.5) {
                CHECK(curve.area(depth) >= 0.0);
                CHECK(curve.volume(depth) >= before);
                CHECK(std::isfinite(curve.depth_of_area(1e-300 * depth)));
                before = curve.volume(depth);
            }
        }
    }
}

TEST_CASE("what a ball's facets lie below it by is no room for what it presses into") {
    // Facets of a ball with a corner at its tip: all but that corner lies 3/4 of them lower.
    const double facets = 5e-4, distance = 0.02;
    DentMap map = cap_map(161, 1.0, distance);
    for (double& z : map.depths) z = std::max(0.0, z - 0.75 * facets);
    const PressCurve ball(map, distance, facets);
    for (const double depth : {0.001, 0.004, 0.008, 0.012}) {
        CAPTURE(depth);
        CHECK(within(ball.volume(depth), kPi * depth * depth * (1.0 - depth / 3.0)) < 0.02);
    }
}

TEST_CASE("at equal speed the depth scales with the ball, from a millimetre to half a metre") {
    for (const double speed : {1.0, 10.0, 100.0}) {
        const double share = ball_dent(0.01, speed, steel_on_rigid()).print / 0.01;
        for (const double radius : {0.001, 0.1, 0.5}) {
            CHECK(within(ball_dent(radius, speed, steel_on_rigid()).print / radius, share) < 0.01);
        }
    }
}

TEST_CASE("more energy never dents less, never takes more work than there is") {
    const PressCurve curve = ball_curve(0.01, 0.009);
    const SheetStrength sheet{.thickness = 0.001, .span = 0.1};
    double solid_before = 0.0, sheet_before = 0.0, e_before = 1.0;
    for (double energy = 1e-6; energy < 30.0; energy *= 1.3) {
        const DentDepth solid = solid_dent(curve, steel_on_rigid(), energy);
        CHECK(solid.print >= solid_before);
        CHECK(solid.work <= energy);
        CHECK(solid.restitution <= e_before * 1.02);
        CHECK(test::near(solid.work, (1 - solid.restitution * solid.restitution) * energy, 0.02));
        const DentDepth bent = sheet_dent(curve, steel_on_rigid(), sheet, energy);
        CHECK(bent.depth() >= 0.98 * sheet_before);
        CHECK(bent.work <= energy);
        CHECK(bent.restitution <= 1.0);
        solid_before = solid.print;
        sheet_before = bent.depth();
        e_before = solid.restitution;
    }
}

TEST_CASE("equal impacts into a ball's own hollow press the same volume each, ever less deep") {
    const PressCurve ball = ball_curve(0.05, 0.045);
    const double energy = ball_energy(0.05, 7850, 10.0);
    const double first = solid_dent(ball, steel_on_rigid(), energy).print;
    double hollow = 0.0, last = 0.0;
    for (int count = 1; count <= 12; ++count) {
        const DentDepth dent = solid_dent(ball.in_hollow(hollow), steel_on_rigid(), energy);
        CHECK(dent.print > 0);
        if (count > 1) CHECK(dent.print < last);
        CHECK(dent.work <= energy);
        last = dent.print;
        hollow += last;
        // What the contact stores grows with it: a little less than the root of their number.
        CHECK(within(hollow, first * std::sqrt(count)) < 0.12);
    }
    // A face meets the same ground again, a little more plastic.
    const PressCurve face(map_of(21, 21, 0.01, [](double, double) { return 0.01; }), 0.01, 0.0);
    const double flat = solid_dent(face, steel_on_rigid(), 4e4).print;
    CHECK(within(solid_dent(face.in_hollow(0.003), steel_on_rigid(), 4e4).print, flat) < 0.35);
    // What the hollow has borne before leaves nothing.
    CHECK(solid_dent(ball.in_hollow(hollow), steel_on_rigid(), 1e-3 * energy).print == 0.0);
}

TEST_CASE("equal impacts on a sheet go on where the last one ended, ever less deep") {
    const PressCurve ball = ball_curve(0.05, 0.045);
    for (const SheetEdge edge : {SheetEdge::Clamped, SheetEdge::Supported}) {
        SheetStrength sheet;
        sheet.span = 0.15;
        sheet.edge = edge;
        const double energy = 20.0;
        const double twice = sheet_dent(ball, steel_on_rigid(), sheet, 2.0 * energy).basin;
        double last = kInfinity;
        for (int count = 1; count <= 8; ++count) {
            const DentDepth dent = sheet_dent(ball, steel_on_rigid(), sheet, energy);
            CHECK(dent.basin > 0);
            CHECK(dent.basin < last);
            CHECK(dent.work <= energy);
            last = dent.basin;
            sheet.bent_in += last;
            // Two impacts of half are less than one: each gives some back.
            if (count == 2) CHECK(sheet.bent_in < twice);
            if (count == 2) CHECK(sheet.bent_in > 0.7 * twice);
        }
    }
}

TEST_CASE("a ball rebounds as Johnson's plastic impact has it") {
    for (const double yield : {12e6, 95e6, 250e6}) {
        const double modulus = yield == 12e6 ? 20e9 : yield == 95e6 ? 79e9 : 231e9;
        for (const double speed : {1.0, 3.0, 10.0, 30.0}) {
            const DentDepth dent = ball_dent(0.01, speed, {3.0 * yield, modulus});
            const double share = ball_energy(0.01, 7850, speed) / (yield * 1e-6);
            const double e = 3.8 * std::sqrt(yield / modulus) * std::pow(share, -0.125);
            CHECK(std::abs(dent.restitution - std::min(1.0, e)) < 0.1);
        }
    }
}

TEST_CASE("a thicker sheet is dented less, a wider one more gently") {
    const PressCurve curve = ball_curve(0.025, 0.02);
    double before = kInfinity;
    for (const double thickness : {0.0005, 0.001, 0.002, 0.004, 0.02}) {
        const SheetStrength sheet{.thickness = thickness, .span = 0.1};
        const DentDepth bent = sheet_dent(curve, steel_on_rigid(), sheet, 5.0);
        CHECK(bent.depth() < before);
        before = bent.depth();
        CHECK(bent.depth() > 0.9 * solid_dent(curve, steel_on_rigid(), 5.0).print *
                                 (thickness < 0.01 ? 1.0 : 0.0));
    }
}

TEST_CASE("depth and rebound of balls in blocks are those of finite elements") {
    // In ball radii and yield stresses.
    for (const char* table : {"ball_on_block.csv", "ball_on_block_held_out.csv"}) {
        for (const CsvRow& row : csv_rows(table)) {
            CAPTURE(row.text("metal"));
            CAPTURE(row.number("depth"));
            const ContactStrength contact{3.0, row.number("ratio") / 0.91};
            const double work = row.number("work");
            const DentDepth dent = solid_dent(ball_curve(1.0, 0.9), contact, work);
            CHECK(within(dent.print, row.number("residual")) < 0.15);
            CHECK(std::abs(dent.restitution - std::sqrt(row.number("returned") / work)) < 0.1);
            const double pressed = dent.flattening * dent.print;
            const double radius = std::sqrt(pressed * (2.0 - pressed));
            CHECK(within(radius, row.number("radius")) < 0.05);
            CHECK(within(kPi * pressed * pressed * (1.0 - pressed / 3.0) / dent.flattening,
                         row.number("volume")) < 0.15);
            CHECK(within(dent.rim * dent.print, row.number("rim")) < 0.3);
        }
    }
}

TEST_CASE("a metal that hardens is dented as finite elements have it, from its yield stress on") {
    for (const char* table :
         {"ball_on_hardening_block.csv", "ball_on_hardening_block_held_out.csv"}) {
        for (const CsvRow& row : csv_rows(table)) {
            CAPTURE(row.text("metal"));
            const double ratio = row.number("ratio");
            const ContactStrength contact{3.0, ratio / 0.91, row.number("exponent"), ratio};
            const double work = row.number("work");
            const DentDepth dent = solid_dent(ball_curve(1.0, 0.9), contact, work);
            CHECK(within(dent.print, row.number("residual")) < 0.15);
            CHECK(std::abs(dent.restitution - std::sqrt(row.number("returned") / work)) < 0.1);
            CHECK(within(dent.rim * dent.print, row.number("rim")) < 0.3);
        }
    }
    // The harder, the less deep; without an exponent nothing changes.
    const PressCurve ball = ball_curve(1.0, 0.9);
    CHECK(solid_dent(ball, {3.0, 900.0, 0.2, 840.0}, 0.01).print <
          solid_dent(ball, {3.0, 900.0, 0.1, 840.0}, 0.01).print);
    CHECK(solid_dent(ball, {3.0, 900.0, 0.0, 840.0}, 0.01).print ==
          solid_dent(ball, {3.0, 900.0}, 0.01).print);
}

TEST_CASE("balls that fly into blocks dent and rebound as explicit finite elements have it") {
    for (const char* table : {"ball_impact.csv", "ball_impact_held_out.csv"}) {
        for (const CsvRow& row : csv_rows(table)) {
            CAPTURE(row.text("metal"));
            CAPTURE(row.number("speed"));
            const ContactStrength contact{3.0, row.number("ratio") / 0.89};
            const DentDepth dent = solid_dent(ball_curve(1.0, 0.95), contact, row.number("work"));
            CHECK(within(dent.print, row.number("residual")) < 0.04);
            CHECK(std::abs(dent.restitution - row.number("rebound")) < 0.08);
            const double pressed = dent.flattening * dent.print;
            const double volume = kPi * pressed * pressed * (1.0 - pressed / 3.0) / dent.flattening;
            CHECK(within(volume, row.number("volume")) < 0.1);
        }
    }
}

TEST_CASE("depth, width and rebound of dents in sheets are those of finite elements") {
    for (const char* table : {"ball_on_sheet.csv", "ball_on_sheet_held_out.csv"}) {
        for (const CsvRow& row : csv_rows(table)) {
            CAPTURE(table);
            CAPTURE(row.text("support"));
            CAPTURE(row.number("thickness"));
            CAPTURE(row.number("span"));
            CAPTURE(row.number("depth"));
            if (row.number("residual") < 0.2 * row.number("thickness")) continue;  // next to none
            SheetStrength sheet{1.0, row.number("ratio"), 0.3, row.number("thickness"),
                                row.number("span")};
            if (row.text("support") == "supported") sheet.edge = SheetEdge::Supported;
            const ContactStrength contact{3.0, row.number("ratio") / 0.91};
            const double work = row.number("work");
            const DentDepth dent = sheet_dent(ball_curve(1.0, 0.95), contact, sheet, work);
            CHECK(within(dent.depth(), row.number("residual")) < 0.25);
            CHECK(std::abs(dent.restitution - std::sqrt(row.number("returned") / work)) < 0.1);
            const BasinShape basin = basin_shape(sheet, dent.basin, dent.tip_radius);
            CHECK(within(basin.radius(0.5), row.number("half_radius")) < 0.2);
            CHECK(within(basin.radius(0.1), row.number("tenth_radius")) < 0.25);
        }
    }
}

TEST_CASE("a basin falls from its middle to its span, and its radii are where it says") {
    for (const SheetEdge edge : {SheetEdge::Clamped, SheetEdge::Supported}) {
        const SheetStrength sheet{.thickness = 0.001, .span = 0.2, .edge = edge};
        const BasinShape basin = basin_shape(sheet, 0.01, 0.05);
        CHECK(basin.share(0.0) == 1.0);
        CHECK(basin.share(0.2) == 0.0);
        for (const double share : {0.9, 0.5, 0.1}) {
            CHECK(test::near(basin.share(basin.radius(share)), share));
        }
    }
}
