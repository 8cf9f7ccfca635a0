// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <vector>

namespace ductile {

/// Energy that a body takes up as the force on it grows. Between points, and beyond them,
/// a power of the force. Empty: it takes up none.
struct YieldCurve {
    struct Point {
        double force = 0.0;   ///< [N], > 0.
        double energy = 0.0;  ///< [J], > 0.
    };
    std::vector<Point> points;  ///< Both rising.

    double energy(double force) const;
};

/// What of an impact a body's curve is asked for.
struct YieldQuery {
    double energy = 0.0;                ///< Of the impact [J], > 0: no need to go further.
    double radius = 0.0;                ///< Of a ball that stands for the other body [m], > 0.
    double other_hardness = kInfinity;  ///< Of the other body [Pa].
};

/// The part of an energy that goes to the first of two bodies that meet, in [0, 1]: action is
/// reaction, so both take up what their curves say at one and the same force. Those of both bodies
/// sum to 1, unless neither takes up any.
double share_of_energy(const YieldCurve& own, const YieldCurve& other, double energy);

}  // namespace ductile
