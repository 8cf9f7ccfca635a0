// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

/// How deep corners of these triangles and middles of their edges lie within a closed surface, at
/// most [m].
double deepest_inside(std::span<const Vec3> points, std::span<const Triangle> triangles,
                      const SurfaceQuery& rigid);

/// How far a frame is above the limits: 0 under all of them, at most 1 more for each that it is
/// above, whatever by. Sharp edges of the soft body do not count, which no press can mend. `size`
/// is the soft body's [m].
double residual_excess(const PressResiduals& residuals, double size,
                       const PressResidualLimits& limits = {});

/// What frames of one mesh leave, together.
struct ResidualSum {
    double excess = 0.0;         ///< Of `residual_excess`.
    std::int32_t fallbacks = 0;  ///< Overlaps that were left as they were.
};

/// Whether frames on another mesh are worth it: above the limits by a fifth less, and no more of
/// them left as they were, since what is not pressed does not fold or stretch.
bool is_worth_it(const ResidualSum& now, const ResidualSum& before);

/// Edges that a point in their middle would serve, ascending: those whose middle is left in the
/// rigid body or that are stretched, each from half of its limit on, and those of triangles beside
/// folds. As `press_residuals`; `size` is the soft body's [m].
std::vector<MeshEdge> edges_to_split(std::span<const Vec3> before, std::span<const Vec3> pressed,
                                     std::span<const Triangle> triangles, const SurfaceQuery& rigid,
                                     bool rigid_is_closed, double size,
                                     const PressResidualLimits& limits = {});

/// A line for each number above its limit, with what helps. `size` is the soft body's [m];
/// `presser` says what pressed it.
std::vector<std::string> residual_notes(const PressResiduals& residuals, double size,
                                        std::string_view presser = "the rigid one",
                                        const PressResidualLimits& limits = {});

}  // namespace ductile
