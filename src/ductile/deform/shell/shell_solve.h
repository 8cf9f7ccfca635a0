// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/shell/shell_options.h>
#include <ductile/deform/shell/shell_rig.h>
#include <ductile/deform/shell/shell_striker.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// One striker and how far it moves in.
struct ShellLoad {
    StrikerMap striker;
    double depth = 0.0;                ///< Along its way [m], > 0.
    std::vector<std::int32_t> places;  ///< Points by which it is met besides the rig's samples.
};

/// A sheet as it lies before an impact.
struct ShellState {
    std::span<const Vec3> points;  ///< Of the surface now.
    std::span<const Vec3> rest;    ///< At rest: limits of stretch are against this.
};

/// How one sub-shell moved by itself (equations 4 and 5).
struct ShellMotion {
    Vec3 shift = Vec3::Zero();  ///< Of its middle [m].
    Vec3 turn = Vec3::Zero();   ///< Axis times angle [rad].
};

/// What an impact does to a sheet.
struct ShellSolution {
    std::vector<Vec3> shift;           ///< Per control point [m]; zero: did not move.
    std::vector<ShellMotion> motions;  ///< Per sub-shell, of those that were met.
    std::vector<double> depth;         ///< Per load: how far the striker can go in now [m].
    double refused = 0.0;  ///< Share of the motion that limits of stretch took away, in [0, 1].
    double reach = 0.0;    ///< Beyond which nothing moved [m], along the sheet.
    std::int64_t tightened = 0;  ///< Edges that were over the limit before they were tightened.
};

/// Presses strikers into a sheet.
///
/// All move in at once, in equal parts. Per part: sub-shells that are met shift and turn (equations
/// 4 and 5); then local/global steps in which each sub-shell pulls its control points to its own
/// rigid fit, pairs within it are springs (equation 6), ties hold skins together, what is met stays
/// in front of its striker, with friction, and control points beyond the reach stay; then limits of
/// stretch and compression (equation 7 as meant). At last edges of the surface over the limit are
/// tightened by way of the control points behind them.
///
/// A pure function; the same bits on any number of threads. Rest lengths are those before the
/// impact: what an impact did is plastic once it is over. With `springs` off only what is met
/// moves.
ShellSolution solve_shell(const ShellRig& rig, const ShellState& state,
                          std::span<const ShellLoad> loads, const ShellOptions& options);

/// By how much a point is moved [m].
inline Vec3 point_shift(std::span<const ControlWeight> row, std::span<const Vec3> shift) {
    Vec3 sum = Vec3::Zero();
    for (const ControlWeight& w : row) sum += w.weight * shift[static_cast<std::size_t>(w.control)];
    return sum;
}

}  // namespace ductile
