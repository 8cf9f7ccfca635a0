// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cut_faces.h>
#include <ductile/geom/cut/fill_loops.h>

#include <algorithm>
#include <tuple>

namespace ductile {
namespace {

/// A side of a facet.
struct FacetSide {
    std::int32_t low, high, region;
    bool is_up;  ///< Runs from low to high.

    bool is_same_edge(const FacetSide& o) const { return low == o.low && high == o.high; }
};

/// An edge of regions that meet, run by each region as often up as down but for `net`.
struct BorderEdge {
    std::int32_t from, to, region;
};

/// Facets of one origin between the same two pieces are one region, a flat one.
class FaceDrawer {
public:
    FaceDrawer(const CellComplex& complex, std::span<const CellFacet> facets,
               std::size_t mesh_points, CutMesh& cut)
        : complex_(complex), facets_(facets), mesh_points_(mesh_points), cut_(cut) {}

    void run() {
        find_regions();
        find_borders();
        find_spare_points();
        draw();
        renumber();
    }

private:
    void find_regions() {
        struct Keyed {
            std::array<std::int32_t, 3> key;
            std::int32_t facet;
        };
        std::vector<Keyed> order;
        for (std::size_t k = 0; k < facets_.size(); ++k) {
            const CellFacet& f = facets_[k];
            if (f.is_whole) continue;
            order.push_back({{f.origin, f.cells[0], f.cells[1]}, static_cast<std::int32_t>(k)});
        }
        std::sort(order.begin(), order.end(), [](const Keyed& a, const Keyed& b) {
            return std::tie(a.key, a.facet) < std::tie(b.key, b.facet);
        });
        region_.assign(facets_.size(), kWhole);
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (k == 0 || order[k].key != order[k - 1].key) {
                first_facet_.push_back(order[k].facet);
                normals_.emplace_back(Vec3::Zero());
                sizes_.push_back(0);
            }
            region_[order[k].facet] = static_cast<std::int32_t>(first_facet_.size()) - 1;
            normals_.back() += facets_[order[k].facet].normal;
            ++sizes_.back();
        }
        may_be_spare_.assign(complex_.points().size(), !complex_.is_divided());
        if (complex_.is_divided()) find_plain_facets();
    }

    // Where all cells were made at once a point is spare only where parts of a triangle became one.
    void find_plain_facets() {
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (region_[f] < 0 || facets_[f].origin < 0 || sizes_[region_[f]] == 1) continue;
            for (const CellEdge& e : complex_.edges(facets_[f])) may_be_spare_[e[0]] = 1;
        }
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (region_[f] < 0 || facets_[f].origin < 0) continue;
            const std::span<const CellEdge> edges = complex_.edges(facets_[f]);
            if (std::any_of(edges.begin(), edges.end(),
                            [&](const CellEdge& e) { return may_be_spare_[e[0]] != 0; })) {
                continue;
            }
            region_[f] = kPlain;
        }
    }

    void find_borders() {
        std::vector<FacetSide> sides;
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (region_[f] < 0) continue;
            for (const auto& [a, b] : complex_.edges(facets_[f])) {
                sides.push_back({std::min(a, b), std::max(a, b), region_[f], a < b});
            }
        }
        std::sort(sides.begin(), sides.end(), [](const FacetSide& a, const FacetSide& b) {
            return std::tuple(a.low, a.high, a.region) < std::tuple(b.low, b.high, b.region);
        });
        for (std::size_t k = 0; k < sides.size();) {
            const std::size_t first_border = borders_.size();
            const FacetSide& edge = sides[k];
            while (k < sides.size() && sides[k].is_same_edge(edge)) {
                const std::int32_t region = sides[k].region;
                int net = 0;
                for (; k < sides.size() && sides[k].is_same_edge(edge) && sides[k].region == region;
                     ++k) {
                    net += sides[k].is_up ? 1 : -1;
                }
                for (; net > 0; --net) borders_.push_back({edge.low, edge.high, region});
                for (; net < 0; ++net) borders_.push_back({edge.high, edge.low, region});
            }
            if (borders_.size() > first_border) edges_.push_back({first_border, borders_.size()});
        }
    }

    // Regions that meet at an edge, and how they run: its line.
    bool is_same_line(std::size_t e, std::size_t g) const {
        const auto [a, a_end] = edges_[e];
        const auto [b, b_end] = edges_[g];
        if (a_end - a != b_end - b) return false;
        for (std::size_t k = 0; k < a_end - a; ++k) {
            if (borders_[a + k].region != borders_[b + k].region) return false;
        }
        return true;
    }

    // Points in the midst of a straight line between the same regions, and within one, are spare.
    void find_spare_points() {
        const std::size_t count = complex_.points().size();
        std::vector<std::array<std::int32_t, 2>> met(count, {-1, -1});
        std::vector<std::uint8_t> uses(count, 0);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const BorderEdge& border = borders_[edges_[e][0]];
            for (const std::int32_t p : {border.from, border.to}) {
                if (uses[p] < 2) met[p][uses[p]] = static_cast<std::int32_t>(e);
                if (uses[p] < 3) ++uses[p];
            }
        }
        is_spare_.assign(count, 0);
        for (std::size_t p = mesh_points_; p < count; ++p) {
            is_spare_[p] = may_be_spare_[p] && uses[p] == 2 && is_same_line(met[p][0], met[p][1]);
        }
    }

    // An outline's edges with spare points left out.
    std::vector<CellEdge> shortened(std::vector<CellEdge> edges) const {
        std::sort(edges.begin(), edges.end());
        std::vector<CellEdge> out;
        for (const CellEdge& e : edges) {
            if (is_spare_[e[0]]) continue;
            std::int32_t to = e[1];
            // A region has one edge out of a spare point.
            for (std::size_t guard = 0; is_spare_[to] && guard <= edges.size(); ++guard) {
                const auto next = std::lower_bound(
                    edges.begin(), edges.end(), to,
                    [](const CellEdge& a, std::int32_t from) { return a[0] < from; });
                to = (*next)[1];
            }
            if (to != e[0]) out.push_back({e[0], to});
        }
        return out;
    }

    void draw() {
        LoopFiller filler;
        std::vector<Triangle> filled;
        std::vector<std::int32_t> corners;
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (region_[f] >= 0) continue;
            const CellFacet& facet = facets_[f];
            corners.clear();
            for (const CellEdge& e : complex_.edges(facet)) corners.push_back(e[0]);
            filled.clear();
            const double size = facet.normal.norm();
            filler.fill_ring(complex_.points(), corners,
                             size > 0 ? Vec3(facet.normal / size) : Vec3::UnitY(), filled);
            for (const Triangle& t : filled) {
                cut_.faces.push_back({t, facet.cells[0], facet.cells[1], facet.origin});
            }
        }
        std::stable_sort(
            borders_.begin(), borders_.end(),
            [](const BorderEdge& a, const BorderEdge& b) { return a.region < b.region; });
        for (std::size_t k = 0; k < borders_.size();) {
            const std::int32_t region = borders_[k].region;
            std::vector<CellEdge> edges;
            for (; k < borders_.size() && borders_[k].region == region; ++k) {
                edges.push_back({borders_[k].from, borders_[k].to});
            }
            const double size = normals_[region].norm();
            const Vec3 normal = size > 0 ? Vec3(normals_[region] / size) : Vec3::UnitY();
            filled.clear();
            filler.fill(complex_.points(), shortened(std::move(edges)), normal, filled);
            const CellFacet& of = facets_[first_facet_[region]];
            for (const Triangle& t : filled) {
                cut_.faces.push_back({t, of.cells[0], of.cells[1], std::max(of.origin, -1)});
            }
        }
    }

    void renumber() {
        std::vector<std::int32_t> number(complex_.points().size(), -1);
        for (std::size_t p = 0; p < number.size(); ++p) {
            if (p < mesh_points_) number[p] = static_cast<std::int32_t>(p);
        }
        auto next = static_cast<std::int32_t>(mesh_points_);
        for (CutFace& face : cut_.faces) {
            for (std::int32_t& p : face.corners) {
                if (number[p] < 0) number[p] = next++;
                p = number[p];
            }
        }
        cut_.points.resize(static_cast<std::size_t>(next));
        cut_.anchors.resize(cut_.points.size());
        for (std::size_t p = 0; p < number.size(); ++p) {
            if (number[p] < 0) continue;
            cut_.points[number[p]] = complex_.points()[p];
            cut_.anchors[number[p]] = complex_.anchors()[p];
        }
    }

    const CellComplex& complex_;
    std::span<const CellFacet> facets_;
    std::size_t mesh_points_;
    CutMesh& cut_;
    static constexpr std::int32_t kWhole = -1, kPlain = -2;
    std::vector<std::int32_t> region_;  ///< Per facet; below 0: drawn as it is, a ring in order.
    std::vector<std::int32_t> sizes_;   ///< Per region: its facets.
    std::vector<std::int32_t> first_facet_;              ///< Per region.
    std::vector<Vec3> normals_;                          ///< Per region, of any length.
    std::vector<BorderEdge> borders_;                    ///< Those of an edge together, by region.
    std::vector<std::array<std::size_t, 2>> edges_;      ///< Ranges of those.
    std::vector<std::uint8_t> may_be_spare_, is_spare_;  ///< Per point.
};

}  // namespace

void draw_faces(const CellComplex& complex, std::span<const CellFacet> facets,
                std::size_t mesh_points, CutMesh& cut) {
    FaceDrawer(complex, facets, mesh_points, cut).run();
}

}  // namespace ductile
