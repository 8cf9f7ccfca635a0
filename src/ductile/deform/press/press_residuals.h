// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// What a press left undone, or did badly: how far a frame may be trusted.
struct PressResiduals {
    double depth_left = 0.0;  ///< [m]
    std::int32_t folds = 0;
    double worst_stretch = 1.0;
    std::int32_t self_crossings = 0;
    std::int32_t sharp_edges = 0;
};
/// The only list of these fields: JSON, the command's text and Python all read it.
template <class Visitor>
void visit_fields(PressResiduals& r, Visitor&& field) {
    field(Field{"depth_left", "m", 0, 1e300, "deepest point still inside the rigid body"},
          r.depth_left);
    field(Field{"folds", "", 0, 1e300, "edges that were bent over by more than 90 degrees"},
          r.folds);
    field(Field{"worst_stretch", "", 0, 1e300, "longest an edge became, over its length before"},
          r.worst_stretch);
    field(Field{"self_crossings", "", 0, 1e300, "edges that came to go through the soft body"},
          r.self_crossings);
    field(Field{"sharp_edges", "", 0, 1e300,
                "edges of the soft body in contact that are sharper than 45 degrees"},
          r.sharp_edges);
}

/// Above these a frame gets a note.
struct PressResidualLimits {
    double depth_left = 0.005;  ///< Of the soft body's size.
    std::int32_t folds = 0;
    double worst_stretch = 4.0;
    std::int32_t self_crossings = 0;
    std::int32_t sharp_edges = 0;
};

/// Measures a pressed surface against the one it was made from, both placed as `rigid` is. Depth is
/// taken at points and middles of edges, where the rigid surface is closed. What was folded or
/// crossed itself before does not count. `zone`: which contact zone a point lies in, -1 for none.
/// Requires: equal sizes, valid indices. O(n log n).
PressResiduals press_residuals(std::span<const Vec3> before, std::span<const Vec3> pressed,
                               std::span<const Triangle> triangles,
                               std::span<const std::int32_t> zone, const SurfaceQuery& rigid,
                               bool rigid_is_closed);

/// A line for each number above its limit, with what helps. `size` is the soft body's [m].
std::vector<std::string> residual_notes(const PressResiduals& residuals, double size,
                                        const PressResidualLimits& limits = {});

}  // namespace ductile
