// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press_options.h>

#include <array>

namespace ductile {

/// The six basis functions of the open uniform cubic B-spline with six control points, at t in
/// [0, 1]: >= 0, sum 1.
std::array<double, 6> spline_basis(double t);

/// The profile of a bulge over the radial parameter u in [0, 1]: a spline through (0, -amplitude)
/// and (1, 0) whose slope at 0 is `slope` (section 4.4 of Brunel et al. 2020). Its ordinate is
/// affine in the height of control point 2.
class PressProfile {
public:
    /// Requires: amplitude >= 0, finite numbers, options that `check` lets pass.
    PressProfile(double amplitude, double slope, const PressOptions& options);

    /// The t at which the curve's abscissa is u, to 1e-13: the abscissas of the control points
    /// ascend, so there is one.
    double parameter_at(double u) const;
    double abscissa(double t) const;

    /// Displacement along the direction field at u [m]: still + height * bulging.
    struct Displacement {
        double still = 0.0;    ///< With control point 2 at height 0 [m].
        double bulging = 0.0;  ///< Share of that point's height.
    };
    Displacement at(double u) const;

private:
    std::array<double, 6> x_;
    std::array<double, 6> y_;
};

}  // namespace ductile
