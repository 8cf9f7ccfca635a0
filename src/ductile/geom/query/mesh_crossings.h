// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/vertex_graph.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A place where an edge of one surface goes through a triangle of another.
struct EdgeCrossing {
    std::int32_t low = 0, high = 0;   ///< The edge's vertices, low < high.
    double along = 0.0;               ///< Share of the way from low to high, in [0, 1].
    std::int32_t triangle = 0;        ///< Of the other surface.
    Vec3 barycentric = Vec3::Zero();  ///< In that triangle, >= 0, sum 1.
    Vec3 position = Vec3::Zero();     ///< [m]
    bool goes_in = false;  ///< From low to high it goes from before the triangle to behind it.
};

/// The curve in which two surfaces meet, as the points where it crosses the edges of either.
struct MeshCrossings {
    std::vector<EdgeCrossing> of_first;   ///< Edges of the first, triangles of the second.
    std::vector<EdgeCrossing> of_second;  ///< Edges of the second, triangles of the first.
};

/// Finds all of them, by edge, then along it, then by triangle. The first surface needs no tree: a
/// pass over its points and triangles finds those that can reach the second's box; the rest of the
/// work goes with them.
///
/// No edge slips through between two neighbouring triangles and none is counted at both: what
/// touches exactly (a vertex in a plane, an edge through an edge) counts as if the first surface
/// were shifted by a hair, the same for all. An edge within a triangle's plane does not cross it;
/// triangles without area are crossed by nothing. The same at any number of threads.
/// Requires: finite points, valid indices.
MeshCrossings find_crossings(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             const SurfaceQuery& second);

/// How many of a surface's edges go through one of its own triangles that they have no corner in
/// common with, each counted once per triangle: 0 for one that does not cross itself.
/// Requires: as above.
std::size_t count_self_crossings(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// An edge of a surface that goes through one of its own triangles, no corner of which it ends in.
struct SelfCrossing {
    std::int32_t low = 0, high = 0;  ///< The edge's vertices, low < high.
    Triangle triangle{};
    auto operator<=>(const SelfCrossing&) const = default;
};

/// Those in which a triangle of `part`, or an edge of one, goes through the surface or is gone
/// through by it; ascending, each once. Beyond a pass over the triangles the work goes with those
/// near the part. Requires: as above; triangles of the surface in `part`.
std::vector<SelfCrossing> self_crossings_of(std::span<const Vec3> points,
                                            std::span<const Triangle> part,
                                            std::span<const Triangle> triangles);

/// Which vertices of a surface lie behind the other one.
struct InsideMarks {
    std::vector<std::uint8_t> is_inside;
    std::vector<std::int32_t> inside;  ///< Those, ascending.
    std::int32_t conflicts = 0;  ///< Edges without a crossing whose ends disagree; 0 for good data.
};

/// Reads it off the crossings of the surface's own edges: an end lies behind if the crossing
/// nearest to it says so; the other vertices take their neighbours' answer across edges without
/// crossings, the nearer in edges first. Parts that nothing crosses count as outside. The other
/// surface may be open, as a ground is. Requires: sorted as `find_crossings` gives them, a graph of
/// the surface. Beyond clearing a byte per vertex, O(what is inside).
InsideMarks inside_marks(const VertexGraph& graph, std::span<const EdgeCrossing> crossings);

}  // namespace ductile
