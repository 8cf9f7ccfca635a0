// SPDX-License-Identifier: MIT
// Private to ShellRig.
#pragma once

#include <ductile/core/math.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ductile {

/// A way along the borders of sub-shells, from one control point to the next.
struct BorderChain {
    std::vector<std::int32_t> points;  ///< Control points at both ends, others between.
};

struct ShellBorders {
    std::vector<std::uint8_t> is_border;   ///< Per point.
    std::vector<std::uint8_t> is_control;  ///< Per point.
    std::vector<BorderChain> chains;       ///< All border edges, each once.
};

/// Finds the borders between sub-shells, and of the sheet itself, and sets control points on them:
/// where three meet, and `spacing` [m] apart or less between. `face_shell`: -1 for faces of none.
ShellBorders find_borders(std::span<const Vec3> points, std::span<const Triangle> triangles,
                          std::span<const std::int32_t> face_shell, double spacing);

}  // namespace ductile
