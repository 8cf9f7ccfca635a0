// SPDX-License-Identifier: MIT
#include "compare_craters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ductile::cli {
namespace {

constexpr std::int32_t kCells = 161;

/// What was pressed into a block: how it fills its dent, as the law sees it, and in closed form.
struct Striker {
    std::string kind;
    PressCurve curve;
    double length = 1.0;  ///< Of an edge, over which the work goes.
    /// Half width at a height above the tip of what is pressed in by so much.
    std::function<double(double below, double depth)> radius;
    std::function<double(double depth)> volume;  ///< Per length of an edge.
};

Striker ball_striker() {
    return {"block", ball_press_curve(), 1.0, cap_radius,
            [](double d) { return kPi * d * d * (1.0 - d / 3.0); }};
}

Striker cone_striker(double slope) {
    constexpr double kDeepest = 1.4;
    const DentMap map =
        map_of(kCells, kCells, 2.1 * kDeepest * slope / kCells,
               [&](double x, double y) { return kDeepest - std::hypot(x, y) / slope; });
    return {"cone", PressCurve(map, kDeepest, 0.0), 1.0,
            [slope](double below, double d) { return slope * (d - below); },
            [slope](double d) { return kPi * slope * slope * d * d * d / 3.0; }};
}

// Of an edge: as long as CalculiX's block is wide, so that the block gives as much.
constexpr double kLengthPerRadius = 12.0 * 1.15;

std::int32_t cells_along(double radius, double cell) {
    return std::max(kCells, static_cast<std::int32_t>(kLengthPerRadius * radius / cell));
}

Striker blade_striker(double slope, double radius) {
    constexpr double kDeepest = 1.4;
    const double cell = 2.1 * kDeepest * slope / kCells;
    const std::int32_t along = cells_along(radius, cell);
    const DentMap map = map_of(kCells, along, cell,
                               [&](double x, double) { return kDeepest - std::abs(x) / slope; });
    return {"blade", PressCurve(map, kDeepest, 0.0), along * cell,
            [slope](double below, double d) { return slope * (d - below); },
            [slope](double d) { return slope * d * d; }};
}

Striker edge_striker(double radius) {
    constexpr double kDeepest = 0.5;
    const double cell = 2.0 / kCells;
    const std::int32_t along = cells_along(radius, cell);
    const DentMap map = map_of(kCells, along, cell, [](double x, double) {
        return kDeepest - 1.0 + std::sqrt(std::max(0.0, 1.0 - x * x));
    });
    return {"edge", PressCurve(map, kDeepest, 0.0), along * cell, cap_radius,
            [](double d) { return std::acos(1.0 - d) - (1.0 - d) * std::sqrt(d * (2.0 - d)); }};
}

/// What the law is to be compared with: in radii and yield stresses, nothing where it is 0.
struct Crater {
    double work = 0.0, depth = 0.0, rebound = 0.0, volume = 0.0;
    double radius = 0.0, half_radius = 0.0, rim = 0.0, rim_radius = 0.0;
};

Crater crater_of(const TableRow& row) {
    const double work = number(row, "work");
    return {work,
            number(row, "residual"),
            std::sqrt(number(row, "returned") / work),
            number(row, "volume"),
            number(row, "radius"),
            number(row, "half_radius"),
            number(row, "rim"),
            number(row, "rim_radius")};
}

void compare_crater(const Striker& striker, const std::string& which,
                    const ContactStrength& contact, const Crater& crater,
                    std::vector<Compared>& out) {
    const DentDepth dent = solid_dent(striker.curve, contact, crater.work * striker.length);
    const double pressed = dent.flattening * dent.print;
    const auto add = [&](const char* what, double ours, double reference, double tolerance) {
        const bool is_rebound = std::string(what) == "rebound";
        if (reference > 0) {
            out.push_back(
                {striker.kind + ": " + what, which, ours, reference, is_rebound, tolerance});
        }
    };
    // The shape of a deeper one, flattened.
    add("volume", striker.volume(pressed) / dent.flattening, crater.volume, 0.15);
    add("depth", dent.print, crater.depth, 0.15);
    add("rebound", dent.restitution, crater.rebound, 0.1);
    add("crater radius", striker.radius(0.0, pressed), crater.radius, 0.05);
    add("half-depth radius", striker.radius(0.5 * pressed, pressed), crater.half_radius, 0.05);
    add("rim height", dent.rim * dent.print, crater.rim, 0.3);
    add("rim place", striker.radius(-dent.rim * pressed, pressed), crater.rim_radius, 0.1);
}

// Tabor's hardness in yield stresses, of a block that may harden.
ContactStrength block_contact(const TableRow& row) {
    const double poisson = block_poisson(row), ratio = number(row, "ratio");
    return {3.0, ratio / (1.0 - poisson * poisson), number(row, "exponent"), ratio};
}

/// A wedge of some half angle that has gone in by 1, in yield stresses.
struct HillWedge {
    double force = 0.0;                  ///< Per length.
    double lip = 0.0, lip_radius = 0.0;  ///< How high, and how far from the middle.
};

HillWedge hill_wedge(double half_angle) {
    // The fan's angle, from the lip being what was pushed aside.
    const auto excess = [&](double fan) {
        return std::cos(2.0 * half_angle - fan) - std::cos(fan) / (1.0 + std::sin(fan));
    };
    double low = 0.0, high = half_angle;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (excess(middle) < 0 ? low : high) = middle;
    }
    const double face = 1.0 / (std::cos(half_angle) - std::sin(half_angle - low));
    const double pressure = 2.0 / std::sqrt(3.0) * (1.0 + low);
    const double radius = face * std::sin(half_angle);
    return {2.0 * pressure * radius, face * std::cos(half_angle) - 1.0, radius};
}

}  // namespace

PressCurve ball_press_curve() { return {cap_map(kCells, 1.0, 0.95), 0.95, 0.0}; }

double cap_radius(double below, double depth) {
    const double d = depth - below;
    return std::sqrt(std::max(0.0, d * (2.0 - d)));
}

double block_poisson(const TableRow& row) { return row.at("metal") == "lead" ? 0.44 : 0.31; }

std::string block_name(const TableRow& row) {
    return fmt::format("{}, E/Y {}, depth {:.4f} R", row.at("metal"), row.at("ratio"),
                       number(row, "residual"));
}

void compare_block(const TableRow& row, std::vector<Compared>& out) {
    compare_crater(ball_striker(), block_name(row), block_contact(row), crater_of(row), out);
}

void compare_hardening(const TableRow& row, std::vector<Compared>& out) {
    Striker ball = ball_striker();
    ball.kind = "hardening block";
    compare_crater(ball, fmt::format("{}, exponent {}", block_name(row), row.at("exponent")),
                   block_contact(row), crater_of(row), out);
}

void compare_wedge(const TableRow& row, std::vector<Compared>& out) {
    const std::string& kind = row.at("striker");
    const double slope = std::tan(number(row, "half_angle") * kPi / 180.0);
    const double radius = number(row, "radius");
    const Striker striker = kind == "cone"    ? cone_striker(slope)
                            : kind == "blade" ? blade_striker(slope, radius)
                                              : edge_striker(radius);
    const std::string which = kind == "edge"
                                  ? block_name(row)
                                  : fmt::format("{} degrees, {}, E/Y {}", row.at("half_angle"),
                                                row.at("metal"), row.at("ratio"));
    compare_crater(striker, which, block_contact(row), crater_of(row), out);
}

void compare_impact(const TableRow& row, std::vector<Compared>& out) {
    Striker ball = ball_striker();
    ball.kind = "impact in time";
    Crater crater = crater_of(row);
    crater.rebound = number(row, "rebound");
    compare_crater(ball, fmt::format("{}, {} m/s", row.at("metal"), row.at("speed")),
                   block_contact(row), crater, out);
}

void compare_sharp_edges(std::vector<Compared>& out) {
    constexpr double kHardlySprings = 1e5;
    for (const double degrees : {45.0, 60.0, 80.0}) {
        const double angle = degrees * kPi / 180.0, slope = std::tan(angle);
        const HillWedge hill = hill_wedge(angle);
        Striker striker = blade_striker(slope, slope);
        striker.kind = "sharp edge";
        const Crater crater{.work = 0.5 * hill.force,
                            .depth = 1.0,
                            .volume = slope,
                            .radius = slope,
                            .half_radius = 0.5 * slope,
                            .rim = hill.lip,
                            .rim_radius = hill.lip_radius};
        compare_crater(striker, fmt::format("Hill, {} degrees to either side", degrees),
                       {3.0, kHardlySprings}, crater, out);
    }
}

}  // namespace ductile::cli
