// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/vertex_graph.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Corners of a tetrahedron: indices of nodes.
using Tet = std::array<std::int32_t, 4>;

/// A place in a lattice.
struct LatticePlace {
    std::int32_t tet = -1;
    Vec4 shares = Vec4::Zero();  ///< Of the tetrahedron's corners, >= 0, sum 1.
    double distance = 0.0;       ///< From the asked point [m]; 0 for one within the lattice.
};

/// Tetrahedra of one form around a surface: those of a body-centred cubic lattice.
///
/// Nodes are the corners and centres of cubes with sides `cell`, one corner in the middle of the
/// surface's box: a mirrored surface gets the mirrored lattice. A tetrahedron stays if a corner is
/// inside by winding number or within half a cell of the surface, or if a point of the surface is
/// in it. So anything will do: open sheets, crossing surfaces, thousands of loose parts; what is
/// nearer than about a cell grows together. Immutable; const calls may run on several threads.
class TetLattice {
public:
    /// Error: no triangles, a cell that is not positive, or one so small that there would be more
    /// than `kMostNodes` places to look at. About a winding number and a closest point per node of
    /// the box; the same bits with any number of threads.
    static Result<TetLattice> make(const SurfaceQuery& surface, double cell);
    static constexpr double kMostNodes = 2e7;

    double cell() const { return cell_; }
    std::span<const Vec3> points() const { return points_; }
    /// Corners 0 and 1 are a cell apart, and so are 2 and 3; the other four sides are shorter.
    std::span<const Tet> tets() const { return tets_; }
    /// Nodes that share a tetrahedron.
    const VertexGraph& graph() const { return graph_; }
    /// Sides of one tetrahedron alone, counter-clockwise seen from outside.
    std::span<const Triangle> boundary() const { return boundary_->query.triangles(); }
    /// Nodes of the boundary, ascending.
    std::span<const std::int32_t> boundary_nodes() const { return boundary_nodes_; }
    /// Connected parts: by node.
    const VertexComponents& components() const { return components_; }
    /// A node's place in half cells from the box' middle: all even for corners of cubes, all odd
    /// for centres. Distances between nodes are exact in these.
    const std::array<std::int32_t, 3>& grid_place(std::int32_t node) const { return grid_[node]; }

    /// Where a point is; the nearest place of the lattice for one outside. O(1) within.
    /// Requires: a finite point.
    LatticePlace find(const Vec3& p) const;
    /// The node nearest to a point; the lower one of two as near.
    std::int32_t nearest_node(const Vec3& p) const;

private:
    friend Result<double> lattice_cell(const SurfaceQuery& surface, std::size_t nodes);
    struct Grid;
    static double count_nodes(const SurfaceQuery& surface, double cell);
    struct Boundary {
        SurfaceQuery query;
        std::vector<std::int32_t> tet;  ///< Per triangle.
    };
    TetLattice() = default;

    double cell_ = 0.0;
    Vec3 middle_ = Vec3::Zero();
    std::vector<Vec3> points_;
    std::vector<std::array<std::int32_t, 3>> grid_;
    std::vector<Tet> tets_;
    VertexGraph graph_;
    VertexComponents components_;
    std::vector<std::int32_t> boundary_nodes_;
    std::shared_ptr<const Boundary> boundary_;
    std::shared_ptr<const Grid> lookup_;
};

/// The cell that gives a surface's lattice about so many nodes, within a tenth where that can be.
/// Makes a few lattices to find out. Errors as `TetLattice::make`.
Result<double> lattice_cell(const SurfaceQuery& surface, std::size_t nodes);

}  // namespace ductile
