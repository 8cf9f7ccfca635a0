// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_law.h>
#include <ductile/deform/dent/press_curve.h>
#include <ductile/deform/dent/sheet_edge.h>

#include <doctest/doctest.h>
#include <support/csv_rows.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr double kFormDeepest = 0.2;

// What a shape presses in; `height` is how far it lies above its tip.
template <class Height>
PressCurve form_curve(std::int32_t columns, std::int32_t rows, double cell, Height&& height) {
    const DentMap map = map_of(columns, rows, cell,
                               [&](double x, double y) { return kFormDeepest - height(x, y); });
    return {map, kFormDeepest, 0.0};
}

PressCurve sharp_edge(double half_angle, std::int32_t rows) {
    const double slope = std::tan(half_angle);
    const double cell = 2.1 * kFormDeepest * slope / 101;
    return form_curve(101, rows, cell, [=](double x, double) { return std::abs(x) / slope; });
}

// Work per length that a wedge takes to go in by 1, in yield stresses: R. Hill, The Mathematical
// Theory of Plasticity (1950), VIII.2.
double hill_work(double half_angle) {
    double fan = 0.0;
    while (std::cos(2 * half_angle - fan) < std::cos(fan) / (1 + std::sin(fan))) fan += 1e-5;
    const double face = 1.0 / (std::cos(half_angle) - std::sin(half_angle - fan));
    return 2.0 / std::sqrt(3.0) * (1.0 + fan) * face * std::sin(half_angle);
}

}  // namespace

TEST_CASE("the form of a footprint tells balls, cones, cylinders, edges and faces apart") {
    const double depth = 0.1;
    const double close = 0.05;
    const PressForm ball = form_curve(141, 141, 0.01, [](double x, double y) {
                               return 0.5 * (x * x + y * y);
                           }).form(depth);
    CHECK(test::near(ball.power, 2.0, close));
    CHECK(test::near(ball.aspect, 1.0, close));
    CHECK(test::near(ball.slope, std::sqrt(2.0 * depth), close));
    const PressForm cone = form_curve(141, 141, 0.01, [](double x, double y) {
                               return 0.4 * std::hypot(x, y);
                           }).form(depth);
    CHECK(test::near(cone.power, 3.0, close));
    CHECK(test::near(cone.slope, 0.4, close));
    const PressForm cylinder =
        form_curve(141, 1600, 0.01, [](double x, double) { return 0.5 * x * x; }).form(depth);
    CHECK(test::near(cylinder.power, 1.5, close));
    CHECK(test::near(cylinder.aspect, 8.0 / std::sqrt(2.0 * depth), close));
    CHECK(test::near(cylinder.slope, std::sqrt(2.0 * depth), close));
    const PressForm edge =
        form_curve(141, 1600, 0.01, [](double x, double) { return 0.4 * std::abs(x); }).form(depth);
    CHECK(test::near(edge.power, 2.0, close));
    CHECK(test::near(edge.slope, 0.4, close));
    const PressForm face = form_curve(41, 41, 0.01, [](double, double) { return 0.0; }).form(depth);
    CHECK(test::near(face.power, 1.0, close));
    CHECK(test::near(face.aspect, 1.0, close));
}

TEST_CASE("feet apart from each other are no edge") {
    const auto feet = [](double x, double y) {
        return 0.5 * ((std::abs(x) - 5.0) * (std::abs(x) - 5.0) + y * y);
    };
    const PressForm form = form_curve(801, 101, 0.015, feet).form(0.1);
    CHECK(form.aspect == 1.0);
}

TEST_CASE("a sharp edge needs the work of Hill's wedge, whatever its angle and its length") {
    for (const double degrees : {45.0, 60.0, 70.0, 80.0}) {
        const double angle = degrees * kPi / 180.0;
        for (const std::int32_t rows : {600, 2400}) {
            CAPTURE(degrees);
            CAPTURE(rows);
            const PressCurve edge = sharp_edge(angle, rows);
            const double length = rows * 2.1 * kFormDeepest * std::tan(angle) / 101;
            const double work = hill_work(angle) * 0.01 * length;  // to go in by 0.1
            const DentDepth dent = solid_dent(edge, {3.0, 1e6}, work);
            CHECK(test::near(dent.print, 0.1, 0.05));
            CHECK(dent.rim > 0.35);
            CHECK(dent.rim < 0.5);
        }
    }
}

TEST_CASE("the craters of blades are as deep and as wide as those of finite elements") {
    // In depths and yield stresses, per length; as long as CalculiX's block is wide.
    for (const char* table : {"wedge_on_block.csv", "wedge_on_block_held_out.csv"}) {
        for (const CsvRow& row : csv_rows(table)) {
            if (row.text("striker") != "blade") continue;
            CAPTURE(row.text("metal"));
            const double angle = row.number("half_angle") * kPi / 180.0;
            const double cell = 2.1 * kFormDeepest * std::tan(angle) / 101;
            const double size = 0.1;  // of the blade, over CalculiX's
            const auto rows = static_cast<std::int32_t>(13.8 * size * row.number("radius") / cell);
            const double work = row.number("work") * size * size * rows * cell;
            const ContactStrength contact{3.0, row.number("ratio") / 0.9};
            const DentDepth dent = solid_dent(sharp_edge(angle, rows), contact, work);
            CHECK(test::near(dent.print / size, row.number("residual"), 0.04));
            const double radius = std::tan(angle) * dent.flattening * dent.print / size;
            CHECK(test::near(radius, row.number("radius"), 0.04));
        }
    }
}

TEST_CASE("how flat a long crater is goes by its width, not by its length") {
    const double angle = 70.0 * kPi / 180.0;
    const auto flattening = [&](std::int32_t rows) {
        const double length = rows * 2.1 * kFormDeepest * std::tan(angle) / 101;
        return solid_dent(sharp_edge(angle, rows), {3.0, 300.0}, 0.08 * length).flattening - 1.0;
    };
    CHECK(flattening(600) > 0.005);
    CHECK(test::near(flattening(2400), flattening(600), 0.1));
}

TEST_CASE("rounding does not decide about the form of a footprint") {
    // A blade whose samples come under at whole steps of the curve, and last of all just do or do
    // not.
    const double slope = 16 * 0.01 / kFormDeepest;
    const auto blade = [&](double more) {
        return form_curve(33, 65, 0.01, [&](double x, double y) {
            return (1.0 + more) * std::abs(x + 0.2 * y) / slope;
        });
    };
    const PressCurve exact = blade(0.0), less = blade(-1e-13), more = blade(1e-13);
    for (int k = 1; k <= 96; ++k) {
        CAPTURE(k);
        const double depth = kFormDeepest * k / 96;
        const double aspect = exact.form(depth).aspect;
        CHECK(std::abs(less.form(depth).aspect - aspect) < 1e-9);
        CHECK(std::abs(more.form(depth).aspect - aspect) < 1e-9);
    }
}
