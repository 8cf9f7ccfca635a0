// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/solve/dissection.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// The edges of a graph by number: by their lower vertex, then by the higher one.
class GraphEdges {
public:
    explicit GraphEdges(const VertexGraph& graph);

    std::size_t size() const { return ends_.size(); }
    /// The lower end and the higher one.
    std::span<const std::array<std::int32_t, 2>> ends() const { return ends_; }
    /// Of the edges to higher vertices the first; the next vertex' first is behind the last.
    std::int32_t first_of(std::size_t v) const { return start_[v]; }
    /// The edge between two vertices; -1 if there is none.
    std::int32_t find(std::int32_t a, std::int32_t b) const;

private:
    std::vector<std::int32_t> start_;  ///< Per vertex: its first edge upwards.
    std::vector<std::array<std::int32_t, 2>> ends_;
};

/// The edges of each triangle, each across from the corner of its place; -1 between one point and
/// itself. Requires: edges of a graph that has the triangles.
std::vector<std::array<std::int32_t, 3>> triangle_edges(std::span<const Triangle> triangles,
                                                        const GraphEdges& edges);

/// A Hermitian matrix with a row per vertex of a graph and no entries but its edges'.
template <class Scalar>
struct EdgeMatrix {
    EdgeMatrix() = default;
    EdgeMatrix(std::size_t points, std::size_t edges)
        : diagonal(points, 0.0), edge(edges, Scalar(0)) {}

    std::vector<double> diagonal;
    std::vector<Scalar> edge;  ///< Row: the lower end; column: the higher one.
};

/// Which entries a Cholesky factor has: what is found once for a graph, before there are values.
/// Columns are eliminated in sets, "fronts"; a front's columns follow each other and share
/// their rows.
class FrontTree {
public:
    struct Front {
        std::int32_t first = 0, end = 0;              ///< Columns.
        std::int32_t first_row = 0, end_row = 0;      ///< In rows(): those below the columns.
        std::int32_t first_entry = 0, end_entry = 0;  ///< In entries().
        std::int32_t parent = -1;                     ///< A later front.
        std::int32_t origin = 0;                      ///< The front of the tree it was cut from.
    };
    /// Where an edge's value goes.
    struct Entry {
        std::int32_t edge;
        std::int32_t column;
        std::int32_t row;  ///< > column.
    };

    FrontTree(const VertexGraph& graph, const GraphEdges& edges, const Dissection& dissection);

    /// The tree of the rows and columns of some vertices alone. Values of theirs in a factor are as
    /// in that of any other tree with the same descendants. Requires: each in range and once, in
    /// any order; a tree not itself masked. O(rows and entries of the fronts with one of them, plus
    /// a bit per vertex).
    FrontTree masked(std::span<const std::int32_t> active) const;

    std::span<const Front> fronts() const { return fronts_; }  ///< Children before parents.
    std::span<const std::int32_t> rows() const { return rows_; }
    std::span<const Entry> entries() const { return entries_; }
    /// Per column: its vertex.
    std::span<const std::int32_t> vertices() const { return vertices_; }
    std::size_t vertex_count() const { return vertex_count_; }  ///< Of the graph.

    /// Numbers in a factor, the diagonal included, and multiplications that making one takes.
    double factor_size() const;
    double multiplications() const;

private:
    FrontTree() = default;
    void find_rows(const VertexGraph& graph);
    void find_entries(const GraphEdges& edges);

    std::vector<Front> fronts_;
    std::vector<std::int32_t> rows_;
    std::vector<Entry> entries_;
    std::vector<std::int32_t> vertices_;
    std::size_t vertex_count_ = 0;
    /// Per vertex: its column; per column: its front. Not of a masked tree.
    std::vector<std::int32_t> column_of_, front_of_;
};

}  // namespace ductile
