// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/shell/shell_rig.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A control point, and how far it is from where an impact falls [m].
struct SheetStart {
    std::int32_t control = 0;
    double distance = 0.0;
};

/// How far every control point is from the nearest start, along the sheet: from control point to
/// control point of one sub-shell, and over ties [m]. Infinite where nothing leads there.
/// `places`: of the control points, as they lie now.
std::vector<double> sheet_distances(const ShellRig& rig, std::span<const Vec3> places,
                                    std::span<const SheetStart> starts);

}  // namespace ductile
