// SPDX-License-Identifier: MIT
// Private to cut_cells.
#pragma once

#include <ductile/geom/cut/cell_pattern.h>
#include <ductile/geom/render_mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace ductile {

/// A directed edge, by points.
using CellEdge = std::array<std::int32_t, 2>;

/// A flat face between two cells, or between a cell and the outside (-1): part of a triangle of the
/// mesh, or a wall. Its outlines run counter-clockwise seen from the front, holes the other way.
struct CellFacet {
    std::int32_t first_edge = 0, edge_count = 0;   ///< In `CellComplex::edges`, in no order.
    std::array<std::int32_t, 2> cells = {-1, -1};  ///< Behind it, and in front of it.
    std::int32_t origin = 0;     ///< The mesh's triangle it is part of; below 0: -1 - plane.
    Vec3 normal = Vec3::Zero();  ///< Of any length; not there while it is whole.
    bool is_solid = true;        ///< Bounds something with an inside.
    bool is_whole = true;        ///< A triangle of the mesh, never cut.
};

/// A mesh that is taken apart, cell by cell: all faces of the surface and of the walls between
/// cells, over one list of points.
///
/// A cut gives every point one sign, whatever cells it belongs to, makes a point on every edge
/// between unlike signs, and puts a wall along the closed line where the two sides of a cell meet:
/// what was closed stays closed, whatever rounding does to the signs.
class CellComplex {
public:
    /// `is_solid`: per triangle, whether its cuts are closed by walls. Points nearer than `snap`
    /// [m] to a cut lie on it. Both outlive it.
    CellComplex(const TriMesh& mesh, std::span<const std::uint8_t> is_solid, double snap);

    /// By the cells of all sites at once, or, where that does not fit together, site by site.
    void cut_by_sites(std::span<const Vec3> sites, const Mat3& metric);
    void cut_by_plane(const CutPlane& plane);

    /// To be called when all cuts are made: every facet gets to know its cell, and walls with
    /// several outlines are taken apart, since what they belong to need not hang together.
    void finish();

    /// Whether all cells were made at once: facets of the surface are rings in order, and no line
    /// is left of cells that others took over.
    bool is_divided() const { return is_divided_; }
    std::span<const Vec3> points() const { return points_; }
    std::span<const CellFacet> facets() const { return facets_; }
    std::span<const CellEdge> edges(const CellFacet& facet) const {
        return std::span(edges_).subspan(facet.first_edge, facet.edge_count);
    }
    /// Twice its area times its unit normal.
    Vec3 area_vector(const CellFacet& facet) const;
    std::int32_t cell_count() const { return static_cast<std::int32_t>(cells_.size()); }
    /// Per point: where it lies on the mesh, by the mesh's points; no weights for one within.
    std::span<const SurfaceAnchor> anchors() const { return anchors_; }

private:
    enum class Side : std::int8_t { Stays, On, Goes };
    struct Cell {
        std::vector<std::int32_t> facets;   ///< Those that are looked at one by one.
        std::vector<std::int32_t> bundles;  ///< Of triangles that no cut has come near yet.
        Box box;                            ///< Around both, mapped by the metric.
    };
    /// Neighbouring triangles, all in one cell: most cuts pass them by as one.
    struct Bundle {
        std::int32_t first = 0, count = 0;  ///< In `bundled_`.
        std::int32_t half = -1;             ///< The first of its two halves; -1: it has none.
        Box box;                            ///< Mapped by the metric.
    };
    /// A cut by a plane, or by the bisectors between a new site and those of the cells.
    struct Cut {
        std::int32_t site = -1;  ///< -1: a plane.
        CutPlane plane;
        std::vector<std::int32_t>
            takers;  ///< Of a plane, per cell: who takes from it; -1: not yet.
    };

    bool divide(std::span<const Vec3> sites, const Mat3& metric);
    void insert_sites(std::span<const Vec3> sites, const Mat3& metric);
    double value(std::int32_t point, const Cut& cut) const;
    Side find_side(std::int32_t point, const Cut& cut) const;
    Side side_of_box(const Box& box, std::int32_t cell, const Cut& cut) const;
    std::int32_t taker(std::int32_t cell, Cut& cut);
    Vec3 way(std::int32_t cell, const Cut& cut) const;  ///< Unit, out of it, into its taker.
    void make_bundles();
    void measure_bundles();
    void open_bundle(const Bundle& bundle, std::int32_t cell);
    std::vector<std::int32_t> sort_bundles(std::int32_t cell, const Cut& cut);
    void insert_site(std::int32_t site);
    void measure_box(std::int32_t cell);
    /// Returns the cells that lose something.
    std::vector<std::int32_t> apply(Cut& cut, const std::vector<std::int32_t>& candidates);
    Side side_of(std::int32_t point, const Cut& cut);
    bool touches(std::int32_t cell, const Cut& cut);
    void split_facet(std::int32_t facet, const Cut& cut);
    std::int32_t point_between(std::int32_t a, std::int32_t b, bool is_surface, const Cut& cut);
    void add_facet(CellFacet facet, std::span<const CellEdge> edges);
    void share_edge(const CellEdge& edge, const CellFacet& facet, const Cut& cut);
    void close_parts(const Vec3& along);
    Side side_of_facet(const CellFacet& facet, std::int32_t cell, const Cut& cut);
    void part_cell(std::int32_t cell, Cut& cut, std::int32_t plane);
    bool is_of_both(std::int32_t facet, std::int32_t cell) const {
        return facets_[facet].cells[0] == cell && facets_[facet].cells[1] == cell;
    }
    SurfaceAnchor mix(const SurfaceAnchor& a, const SurfaceAnchor& b, double share) const;

    const TriMesh& mesh_;
    std::span<const std::uint8_t> is_solid_;
    std::vector<Vec3> points_;
    std::vector<SurfaceAnchor> anchors_;
    std::vector<CellFacet> facets_;
    std::vector<CellEdge> edges_;
    std::vector<Cell> cells_;
    double snap_;
    std::int32_t next_plane_ = 0;
    bool is_divided_ = false;

    std::vector<Bundle> bundles_;
    std::vector<std::int32_t> bundled_;  ///< Triangles, neighbours beside each other.

    std::vector<Vec3> sites_;  ///< Mapped by the metric, as the points below are.
    std::vector<Vec3> mapped_;
    Mat3 metric_ = Mat3::Identity();
    std::vector<std::int32_t> owner_;  ///< Per point: one of the cells nearest to it; -1: unopened.
    std::vector<double> owner_sq_;     ///< And how far its site is, squared.

    std::vector<Side> sides_;  ///< Of the present cut.
    std::vector<std::int32_t> side_stamp_;
    std::vector<std::int32_t> facet_stamp_;
    std::int32_t stamp_ = 0;
    std::unordered_map<std::uint64_t, std::int32_t> made_;  ///< Points of this cut, by edge.
    std::vector<CellEdge> staying_, going_;                 ///< Of the facet that is being split.
    std::vector<std::pair<double, std::int32_t>> ends_, starts_;  ///< Of its staying chains.
};

/// Cancels edges that are run both ways.
void cancel_opposites(std::vector<CellEdge>& edges);

}  // namespace ductile
