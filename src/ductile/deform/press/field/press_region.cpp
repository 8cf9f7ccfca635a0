// SPDX-License-Identifier: MIT
#include <ductile/core/index_set.h>
#include <ductile/deform/press/field/press_region.h>
#include <ductile/geom/solve/laplacian.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ductile {
namespace {

// How far the region reaches, in extents and an edge more: paths begin at vertices inside the zone.
// The parameter is as near to the true distance with 1.1 as with 2; but beside a long zone it is up
// to 17 % short, and at the region's border it must have all but come to the extent.
constexpr double kMargin = 1.15;

// A diagonal entry below this ties a vertex to nothing.
double loose_diagonal(double constraint_weight) { return 1e-10 * constraint_weight; }

// Per triangle with corners in and out of a zone: the share of its area that is out. The border
// crosses two sides; along them the zone takes `along` from its own corner on.
double share_outside(const std::array<bool, 3>& is_in, const std::array<double, 3>& along) {
    // along[k]: of the side from corner k to k + 1, from whichever end is in.
    const int count = is_in[0] + is_in[1] + is_in[2];
    if (count == 0) return 1.0;
    if (count == 3) return 0.0;
    int lone = 0;
    for (int k = 0; k < 3; ++k) {
        if (is_in[k] == (count == 1)) lone = k;
    }
    const double a = along[lone], b = along[(lone + 2) % 3];
    return count == 1 ? 1.0 - a * b : (1.0 - a) * (1.0 - b);
}

/// The steps of making a region, in order.
struct RegionMaker {
    explicit RegionMaker(const PressSurface& of)
        : soft(of), system(of.rest.system()), region{.local = {of.points.size(), -1}} {}

    const PressSurface& soft;
    const PressSystem& system;
    std::vector<std::int32_t> faces;    ///< Soft triangles, per triangle.
    std::vector<std::uint8_t> is_open;  ///< Per point: beside it the region, or the mesh, may end.
    std::vector<std::int32_t> open_triangles;  ///< With two open corners or three.
    PressRegion region;

    void add_points(double extent, std::span<const ContactZone> zones);
    void add_triangles_within();
    void add_zones(std::span<const ContactZone> zones);
    void cut_triangles();
    void find_outflow();
    void spread_outflow_by_area();
    void assemble();
    void factor();
};

void RegionMaker::add_points(double extent, std::span<const ContactZone> zones) {
    std::vector<std::int32_t> seeds;
    for (const ContactZone& zone : zones) {
        seeds.insert(seeds.end(), zone.points.begin(), zone.points.end());
    }
    const double reach = kMargin * extent + soft.mean_edge_length();
    region.vertices = edge_reach(soft.points, soft.graph, seeds, reach).vertices;
    const std::size_t n = region.vertices.size();
    if (soft.is_at_rest) region.rest = system.rest_shape(n);
    region.points.resize(n);
    region.normals.resize(n);
    if (!region.rest) region.own_frames.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t v = region.vertices[i];
        region.local.at(v) = static_cast<std::int32_t>(i);
        region.points[i] = soft.points[v];
        if (!region.rest) region.own_frames.push_back(tangent_frame(soft.unturned_normal(v)));
        region.normals[i] = soft.turn * region.frame(i).normal;
    }
}

void RegionMaker::add_triangles_within() {
    const auto is_in = [&](std::int32_t v) { return region.local[v] >= 0; };
    IndexSet within(soft.triangles.size());
    is_open.resize(region.points.size());
    for (std::size_t i = 0; i < region.vertices.size(); ++i) {
        const std::int32_t v = region.vertices[i];
        const auto near = soft.graph[v];
        const bool is_amid = std::all_of(near.begin(), near.end(), is_in);
        is_open[i] = !is_amid || near.size() != soft.faces[v].size();
        for (const std::int32_t f : soft.faces[v]) {
            const Triangle& t = soft.triangles[f];
            if (t[0] == v && (is_amid || (is_in(t[1]) && is_in(t[2])))) within.insert(f);
        }
    }
    within.take(faces);
    region.triangles.reserve(faces.size());
    for (const std::int32_t f : faces) {
        const Triangle& of = soft.triangles[f];
        const Triangle t = {region.local[of[0]], region.local[of[1]], region.local[of[2]]};
        if (is_open[t[0]] + is_open[t[1]] + is_open[t[2]] >= 2) {
            open_triangles.push_back(static_cast<std::int32_t>(region.triangles.size()));
        }
        region.triangles.push_back(t);
    }
}

void RegionMaker::add_zones(std::span<const ContactZone> zones) {
    region.is_contact.assign(region.points.size(), 0);
    region.touching.resize(region.points.size());
    for (const ContactZone& zone : zones) {
        for (std::size_t i = 0; i < zone.points.size(); ++i) {
            region.is_contact[region.local[zone.points[i]]] = 1;
            region.touching[region.local[zone.points[i]]] = zone.touching[i];
        }
        for (std::size_t i = 0; i < zone.beside.size(); ++i) {
            const std::int32_t at = region.local[zone.beside[i]];
            if (at >= 0) region.touching[at] = zone.below[i];
        }
    }
    for (const ContactZone& zone : zones) {
        for (ZoneCrossing c : zone.border) {
            const std::int32_t edge = system.edges().find(c.inner, c.outer);
            c.inner = region.local[c.inner];
            c.outer = region.local[c.outer];
            // An edge between two zones, or a neighbour out of reach, bounds nothing.
            if (c.outer < 0 || region.is_contact[c.outer] || edge < 0) continue;
            region.border.push_back(c);
            region.border_edges.push_back(edge);
        }
    }
}

void RegionMaker::cut_triangles() {
    std::vector<std::pair<std::int32_t, double>> crossed;
    for (std::size_t c = 0; c < region.border.size(); ++c) {
        crossed.emplace_back(region.border_edges[c], region.border[c].along);
    }
    std::sort(crossed.begin(), crossed.end());
    const auto along = [&](std::int32_t edge) {
        const auto at = std::lower_bound(crossed.begin(), crossed.end(), std::pair(edge, 0.0));
        return at != crossed.end() && at->first == edge ? at->second : 1.0;
    };
    region.shares.assign(region.triangles.size(), 1.0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& t = region.triangles[f];
        const std::array<bool, 3> is_in = {region.is_contact[t[0]] != 0,
                                           region.is_contact[t[1]] != 0,
                                           region.is_contact[t[2]] != 0};
        if (!is_in[0] && !is_in[1] && !is_in[2]) continue;
        std::array<double, 3> cut = {1.0, 1.0, 1.0};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t edge = system.edges_of_triangles()[faces[f]][(k + 2) % 3];
            if (is_in[k] != is_in[(k + 1) % 3] && edge >= 0) cut[k] = along(edge);
        }
        region.shares[f] = share_outside(is_in, cut);
    }
}

void RegionMaker::find_outflow() {
    std::vector<std::int32_t> sides;
    for (const std::int32_t f : open_triangles) {
        const Triangle& t = region.triangles[f];
        for (int k = 0; k < 3; ++k) {
            const std::int32_t side = system.edges_of_triangles()[faces[f]][k];
            if (side >= 0 && is_open[t[(k + 1) % 3]] && is_open[t[(k + 2) % 3]]) {
                sides.push_back(side);
            }
        }
    }
    std::sort(sides.begin(), sides.end());
    region.outflow.assign(region.points.size(), 0.0);
    for (std::size_t s = 0; s < sides.size(); ++s) {
        const bool is_shared = (s > 0 && sides[s - 1] == sides[s]) ||
                               (s + 1 < sides.size() && sides[s + 1] == sides[s]);
        if (is_shared) continue;
        const auto [low, high] = system.edges().ends()[sides[s]];
        const std::int32_t i = region.local[low], j = region.local[high];
        const double half = 0.5 * (region.points[i] - region.points[j]).norm();
        if (!region.is_contact[i]) region.outflow[i] += half;
        if (!region.is_contact[j]) region.outflow[j] += half;
    }
    spread_outflow_by_area();
}

/// Where there is no border: then the region covers a connected part of the mesh whole.
void RegionMaker::spread_outflow_by_area() {
    const VertexComponents& parts = soft.rest.parts();
    std::vector<std::uint8_t> has_border(parts.count, 0), has_points(parts.count, 0);
    for (std::size_t i = 0; i < region.vertices.size(); ++i) {
        const std::int32_t part = parts.component[region.vertices[i]];
        has_border[part] |= region.outflow[i] > 0;
        has_points[part] = 1;
    }
    if (has_border == has_points) return;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& t = region.triangles[f];
        if (has_border[parts.component[region.vertices[t[0]]]]) continue;
        const double third = region.shares[f] * region.weights[f].area / 3.0;
        for (const std::int32_t i : t) region.outflow[i] += third;
    }
}

void RegionMaker::assemble() {
    region.laplacian = system.blank_matrix(region.vertices);
    region.weights.resize(faces.size());
    const auto* rest = region.rest;
    const auto points = soft.is_at_rest ? std::span(soft.rest.mesh().points) : soft.points;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& t = soft.triangles[faces[f]];
        region.weights[f] = rest ? rest->weights[faces[f]] : triangle_weights(points, t);
        add_triangle(t, system.edges_of_triangles()[faces[f]], region.weights[f].half_cotangents,
                     region.shares[f], *region.laplacian);
    }
}

/// Adds the border's constraints to the Laplacian while a factor is made.
class BorderConstraints {
public:
    explicit BorderConstraints(const PressRegion& region) {
        EdgeMatrix<double>& matrix = *region.laplacian;
        for (std::size_t k = 0; k < region.border.size(); ++k) {
            const ZoneCrossing& c = region.border[k];
            const double inner = 1.0 - c.along, outer = c.along;
            add(matrix.diagonal[region.vertices[c.inner]],
                region.constraint_weight * inner * inner);
            add(matrix.diagonal[region.vertices[c.outer]],
                region.constraint_weight * outer * outer);
            add(matrix.edge[region.border_edges[k]], region.constraint_weight * inner * outer);
        }
    }
    ~BorderConstraints() {
        for (std::size_t k = before_.size(); k-- > 0;) *before_[k].first = before_[k].second;
    }

    void add(double& entry, double value) {
        before_.emplace_back(&entry, entry);
        entry += value;
    }

private:
    std::vector<std::pair<double*, double>> before_;  ///< What was changed, and what it was.
};

void RegionMaker::factor() {
    // A vertex takes part if a triangle of it is not all in a zone.
    std::vector<std::uint8_t> is_active(region.points.size(), 0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        if (!(region.shares[f] > 0)) continue;
        for (const std::int32_t i : region.triangles[f]) is_active[i] = 1;
    }
    for (const ZoneCrossing& c : region.border) is_active[c.inner] = is_active[c.outer] = 1;
    std::vector<std::int32_t> active;
    double sum = 0.0;
    for (std::size_t i = 0; i < is_active.size(); ++i) {
        if (!is_active[i]) continue;
        active.push_back(region.vertices[i]);
        sum += region.laplacian->diagonal[active.back()];
    }
    region.constraint_weight =
        kConstraintWeight * (sum > 0 ? sum / static_cast<double>(active.size()) : 1.0);
    FrontTree tree = system.tree().masked(active);
    BorderConstraints constraints(region);
    const double least = loose_diagonal(region.constraint_weight);
    for (const std::int32_t v : tree.vertices()) {
        double& diagonal = region.laplacian->diagonal[v];
        if (!(diagonal > least)) constraints.add(diagonal, least);
    }
    auto made = SparseCholesky<double>::make(std::move(tree), *region.laplacian,
                                             region.rest ? region.rest->factor : nullptr);
    if (made) {
        region.smooth = std::make_shared<const SparseCholesky<double>>(std::move(made.value()));
    }
}

}  // namespace

void hold_loose_vertices(const FrontTree& tree, double constraint_weight,
                         std::span<double> diagonal) {
    const double least = loose_diagonal(constraint_weight);
    for (const std::int32_t v : tree.vertices()) {
        if (!(diagonal[v] > least)) diagonal[v] += least;
    }
}

PressRegion make_region(const PressSurface& soft, std::span<const ContactZone> zones,
                        double extent) {
    RegionMaker maker(soft);
    maker.region.system = &maker.system;
    maker.region.turn = soft.turn;
    maker.region.is_at_rest = soft.is_at_rest;
    maker.add_points(extent, zones);
    maker.add_triangles_within();
    maker.add_zones(zones);
    maker.cut_triangles();
    maker.assemble();
    maker.find_outflow();
    maker.factor();
    return std::move(maker.region);
}

}  // namespace ductile
