// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press_setup.h>

#include <array>
#include <span>

namespace ductile {

/// The six basis functions of the open uniform cubic B-spline with six control points, at t in
/// [0, 1]: >= 0, sum 1.
std::array<double, 6> spline_basis(double t);

/// What all profiles of some options share: the abscissas of control points 2 to 5, as a cubic
/// per span of the spline, and the waves that are laid over them.
class PressProfiles {
public:
    /// Requires: options that `check` lets pass.
    explicit PressProfiles(const PressOptions& options);

private:
    friend class PressProfile;
    std::array<std::array<double, 4>, 3> abscissa_{};  ///< Per span; without control point 1.
    double wrinkles_ = 0.0, waves_ = 0.0;
    bool has_paper_leg_ = false;
};

/// The profile of a bulge over the radial parameter u in [0, 1]: a spline through (0, -amplitude)
/// and (1, 0) whose slope at 0 is `slope` (section 4.4 of Brunel et al. 2020), with the options'
/// wrinkles on it, which change neither ends nor slopes there. Its ordinate is affine in the
/// height of control point 2. Cheap: a root and about three steps to invert a cubic.
class PressProfile {
public:
    /// Requires: amplitude >= 0, finite numbers; `shared` outlives it.
    PressProfile(double amplitude, double slope, const PressProfiles& shared);

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

    /// A profile and where it is asked for: u < 1.
    struct Sample {
        double u = 0.0, amplitude = 0.0, slope = 0.0;
    };
    /// `at` of many, the same bits, in half the time: their roots are found side by side, so that
    /// none waits for its own last division. Requires: as many results as asked for.
    static void displacements(std::span<const Sample> samples, const PressProfiles& shared,
                              std::span<Displacement> found);

private:
    using Cubic = std::array<double, 4>;
    /// The span of the spline that holds u, and the cubic along it, s in [0, 1], that is 0 there.
    struct Place {
        int span = 0;
        Cubic to_u{};
    };
    Place place_at(double u) const;
    Displacement displacement(double u, int span, double s) const;

    PressProfile() = default;
    const PressProfiles* shared_ = nullptr;
    double amplitude_ = 0.0;
    double x1_ = 0.0, y1_ = 0.0;  ///< Control point 1.
};

}  // namespace ductile
