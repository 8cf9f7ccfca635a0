// SPDX-License-Identifier: MIT
#pragma once

namespace ductile {

/// A damped spring between two bodies, turning or sliding: I x'' + C x' + k (x - x0) = T.
struct DampedSpring {
    double inertia = 1.0;    ///< I, of the relative motion: I1 I2 / (I1 + I2) [kg m^2, kg], > 0.
    double damping = 0.0;    ///< C [N m s, N s/m], >= 0.
    double stiffness = 0.0;  ///< k [N m/rad, N/m], >= 0.
};

/// Where a spring is.
struct SpringState {
    double offset = 0.0;  ///< x - x0 [rad, m].
    double rate = 0.0;    ///< x' [rad/s, m/s].
};

/// Where it is after `dt` [s] under a constant torque or force `load` [N m, N]: the exact solution,
/// whether it swings, creeps, or is between the two; to 1e-12 for any step.
/// Requires: as the fields say; dt >= 0; finite.
SpringState spring_after(const DampedSpring& spring, const SpringState& now, double load,
                         double dt);

/// What to do to two bodies at the beginning of a step so that it ends where the spring does.
struct SpringImpulse {
    /// Equal and opposite on both, along the axis [N m s, N s]: gives the mean rate over the step,
    /// so that the positions that an engine makes of it are the exact ones.
    double impulse = 0.0;
    double mean_rate = 0.0;  ///< That rate.
    SpringState end;         ///< What to go on with: the rate at the end is not the mean one.
};

/// `load` acts besides the spring and is in `now.rate` already where the engine adds it: then 0.
/// Requires: dt > 0, and as above.
SpringImpulse spring_impulse(const DampedSpring& spring, const SpringState& now, double load,
                             double dt);

/// I of two bodies that move against each other; a fixed one has an infinite inertia.
double relative_inertia(double first, double second);

}  // namespace ductile
