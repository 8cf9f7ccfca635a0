// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <span>
#include <vector>

namespace ductile {

/// A polyline y(x) averaged over a sliding window: it keeps to the control points, and its corners
/// are rounded over the window's width, with a continuous slope everywhere.
class SmoothCurve {
public:
    /// Requires: x ascending strictly, two points at least, window > 0.
    SmoothCurve(std::vector<Vec2> points, double window);
    double operator()(double x) const;

private:
    double integral(double x) const;

    std::vector<Vec2> points_;
    std::vector<double> sums_;  ///< Integral up to each point.
    double window_;             ///< Half its width.
};

/// Distance to a polygon's outline, negative inside, its corners rounded by `rounding` (the outline
/// lies that far outside the corners given). Any winding.
double polygon_distance(std::span<const Vec2> corners, const Vec2& p, double rounding);

}  // namespace ductile
