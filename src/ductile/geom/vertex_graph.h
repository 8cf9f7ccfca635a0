// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ductile {

/// Which vertices an edge joins: those of vertex v are `graph[v]`, ascending, each once. A face
/// that names a point twice gives no edge from that point to itself.
struct VertexGraph {
    std::vector<std::int32_t> start;
    std::vector<std::int32_t> neighbours;

    std::span<const std::int32_t> operator[](std::size_t v) const {
        return std::span(neighbours).subspan(start[v], start[v + 1] - start[v]);
    }
    std::size_t size() const { return start.size() - 1; }
};
/// Requires: valid indices. O(n).
VertexGraph vertex_graph(std::size_t point_count, std::span<const Triangle> triangles);

/// About how far it is along the surface from the vertices `seeds` to every vertex [m]; infinity
/// beyond `reach` and where no path leads. By paths along edges whose corners are cut over a few of
/// them: never below the straight distance, and a few percent above the way along a smooth surface.
/// Good for a margin, not for a parameter: it is not smooth.
/// Requires: a graph of these points, finite. O(n).
std::vector<double> edge_distances(std::span<const Vec3> points, const VertexGraph& graph,
                                   std::span<const std::int32_t> seeds, double reach);

/// The same for the vertices that are reached alone: O(reached) beyond a bit per vertex. Paths stay
/// within the box `within`, seeds apart.
struct EdgeReach {
    std::vector<std::int32_t> vertices;  ///< Ascending.
    std::vector<double> distance;        ///< Of each [m].
};
EdgeReach edge_reach(std::span<const Vec3> points, const VertexGraph& graph,
                     std::span<const std::int32_t> seeds, double reach,
                     const Box& within = {Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)});

/// Numbers the connected components of the vertices that `is_in` marks, from 0 by their lowest
/// vertex; -1 for the others. `count` is how many there are. O(n).
struct VertexComponents {
    std::vector<std::int32_t> component;
    std::int32_t count = 0;
};
VertexComponents vertex_components(const VertexGraph& graph, std::span<const std::uint8_t> is_in);

}  // namespace ductile
