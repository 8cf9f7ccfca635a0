// SPDX-License-Identifier: MIT
// A hatchback of our own drawing. A rounded box is bent by a few curves: the roof line, the floor,
// the plan, the cross-section with its shoulder, and the noses of both ends.
#include <ductile/core/smooth_step.h>
#include <ductile/geom/flatten/smooth_curve.h>
#include <ductile/solids/car_shape.h>
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>

namespace ductile {

const Vec3 kCarLattice(0.86, 0.55, 2.15);

namespace {

// Height of the middle of the roof, bonnet and glass over z [m].
double roof_line(double z) {
    static const SmoothCurve curve({{-2.20, 0.93},
                                    {-2.02, 1.00},
                                    {-1.66, 1.355},
                                    {-1.30, 1.425},
                                    {-0.70, 1.462},
                                    {-0.15, 1.445},
                                    {0.16, 1.385},
                                    {0.98, 0.965},
                                    {1.55, 0.890},
                                    {1.95, 0.800},
                                    {2.20, 0.665}},
                                   0.14);
    return curve(z);
}

double floor_line(double z) {
    static const SmoothCurve curve({{-2.20, 0.30}, {-1.70, 0.205}, {1.75, 0.195}, {2.20, 0.24}},
                                   0.2);
    return curve(z);
}

// Half the width at the widest height over z [m].
double plan(double z) {
    static const SmoothCurve curve({{-2.20, 0.775},
                                    {-1.70, 0.850},
                                    {-0.60, 0.868},
                                    {0.60, 0.868},
                                    {1.50, 0.850},
                                    {1.95, 0.800},
                                    {2.20, 0.735}},
                                   0.5);
    return curve(z);
}

// Share of that width over the height: sill, waist, shoulder, glass leaning in.
double section(double y) {
    static const SmoothCurve curve({{0.15, 0.915},
                                    {0.30, 0.975},
                                    {0.48, 0.985},
                                    {0.66, 1.000},
                                    {0.80, 0.992},
                                    {0.925, 0.958},
                                    {0.965, 0.925},
                                    {1.20, 0.825},
                                    {1.45, 0.690}},
                                   0.06);
    return curve(y);
}

// How far the ends lie behind the foremost point, over the height share t (0 floor, 1 top) [m].
double front_setback(double t) {
    static const SmoothCurve curve(
        {{-0.1, 0.12}, {0.12, 0.055}, {0.35, 0.00}, {0.62, 0.00}, {0.80, 0.035}, {1.1, 0.20}}, 0.1);
    return curve(t);
}
double rear_setback(double t) {
    static const SmoothCurve curve(
        {{-0.1, 0.12}, {0.15, 0.03}, {0.32, 0.00}, {0.48, 0.010}, {0.58, 0.05}, {1.1, 0.16}}, 0.08);
    return curve(t);
}

// Lips of the wheel arches.
double flare(double y, double z) {
    double sum = 0.0;
    for (double axle : kWheelPlaces) {
        const double off = (std::hypot(z - axle, y - kWheelRadius) - kArchRadius) / 0.055;
        sum += 0.016 * std::exp(-off * off);
    }
    return sum;
}

}  // namespace

Vec3 car_body(const Vec3& lattice) {
    constexpr double kEndShare = 0.45;    // Of the length, that each end's rounding takes part in.
    constexpr double kFrontSweep = 0.21;  // How far the corners lie behind the middle [m].
    constexpr double kRearSweep = 0.15;
    constexpr double kGlassSweep = 0.16;  // The same for windscreen and rear window.
    constexpr double kCrown = 0.045;      // Roof and bonnet are higher in the middle [m].
    const RoundedBox box{kCarLattice.array() - kCarEdge, kCarEdge};
    const Vec3 a = box.position(lattice).cwiseQuotient(kCarLattice);
    const double across = a.x() * a.x();
    const double t = 0.5 * (a.y() + 1.0);
    const double front = smooth_step((a.z() - 1.0 + kEndShare) / kEndShare);
    const double rear = smooth_step((-a.z() - 1.0 + kEndShare) / kEndShare);
    const double z = a.z() * kCarLattice.z() - front * (front_setback(t) + kFrontSweep * across) +
                     rear * (rear_setback(t) + kRearSweep * across);
    const double glass_z = z + kGlassSweep * across * std::tanh((z + 0.55) / 0.5);
    const double top = roof_line(glass_z) - kCrown * across;
    const double floor = floor_line(z);
    const double y = floor + t * (top - floor);
    const double lip = smooth_step((std::abs(a.x()) - 0.8) / 0.2) *
                       smooth_step((0.90 - std::abs(a.z())) / 0.12) * flare(y, z);
    return {a.x() * (plan(z) * section(y) + lip), y, z};
}

Vec3 car_body_normal(const Vec3& lattice, const Vec3& axis) {
    constexpr double kStep = 1e-5;
    int along = 0;
    while (axis[along] == 0.0) ++along;
    Vec3 tangents[2];
    for (int k = 0; k < 2; ++k) {
        const int d = (along + 1 + k) % 3;
        Vec3 low = lattice;
        Vec3 high = lattice;
        low[d] = std::max(-kCarLattice[d], low[d] - kStep);
        high[d] = std::min(kCarLattice[d], high[d] + kStep);
        tangents[k] = car_body(high) - car_body(low);
    }
    return axis[along] * tangents[0].cross(tangents[1]).normalized();
}

double car_arches(const Vec3& p) {
    double nearest = 1e9;
    for (double axle : kWheelPlaces) {
        nearest = std::min(nearest, std::hypot(p.z() - axle, p.y() - kWheelRadius) - kArchRadius);
    }
    return std::max(nearest, kArchInside - std::abs(p.x()));
}

}  // namespace ductile
