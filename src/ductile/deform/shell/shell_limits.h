// SPDX-License-Identifier: MIT
// Private to solve_shell.
#pragma once

#include <ductile/deform/shell/shell_solve.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Shortens edges of the surface that `shift` made longer than the limit allows, by moving the
/// control points behind them that are free; returns how many there were at first. Equation 7 of
/// the seed as meant: both ends are brought back to the limit.
std::int64_t tighten_edges(const ShellRig& rig, const ShellState& state,
                           std::span<const std::uint8_t> is_free, std::vector<Vec3>& shift);

/// The largest share of the motion at which so few edges are over the limit as may be: none by
/// more than half the limit again, and at most one of a thousand. An edge that was over it before
/// may not grow.
double allowed_share(const ShellRig& rig, const ShellState& state, std::span<const Vec3> shift);

}  // namespace ductile
