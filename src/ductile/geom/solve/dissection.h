// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/vertex_graph.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A graph taken apart by nested dissection: a tree of sets of vertices such that an edge only ever
/// joins a vertex to one of its own set, of an ancestor or of a descendant. Eliminated children
/// first, a sparse matrix of that graph fills in little (George 1973).
struct Dissection {
    std::vector<std::int32_t> order;   ///< The vertices, set by set, children before parents.
    std::vector<std::int32_t> start;   ///< Set s is order[start[s]] .. order[start[s + 1]].
    std::vector<std::int32_t> parent;  ///< Per set: a later one, or -1.

    std::size_t size() const { return parent.size(); }
};

/// Halves the vertices across the longest side of their box again and again; what separates the
/// halves, as few vertices as cover the edges between them, is a set. Good where neighbours are
/// near each other. Requires: a graph of these points, all finite. O(n log n).
Dissection dissect(const VertexGraph& graph, std::span<const Vec3> points);

/// The same for a graph without places: distances from three vertices far apart stand for them.
Dissection dissect(const VertexGraph& graph);

}  // namespace ductile
