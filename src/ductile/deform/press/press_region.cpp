// SPDX-License-Identifier: MIT
#include <ductile/core/index_set.h>
#include <ductile/deform/press/press_region.h>
#include <ductile/geom/laplacian.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ductile {
namespace {

// A diagonal entry below this share of the claims' weight ties a vertex to nothing.
constexpr double kLooseShare = 1e-10;

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
    const PressSurface& soft;
    const PressSystem& system;
    std::vector<std::int32_t> local;  ///< Per soft vertex: its point, or -1.
    std::vector<std::int32_t> faces;  ///< Soft triangles, per triangle.
    PressRegion region;

    void add_points(double reach, std::span<const ContactZone> zones);
    void add_triangles_within();
    void add_zones(std::span<const ContactZone> zones);
    void cut_triangles();
    void find_outflow();
    void assemble();
    void factor();
};

void RegionMaker::add_points(double reach, std::span<const ContactZone> zones) {
    std::vector<std::int32_t> seeds;
    for (const ContactZone& zone : zones) {
        seeds.insert(seeds.end(), zone.points.begin(), zone.points.end());
    }
    region.vertices = edge_reach(soft.points, soft.graph, seeds, reach).vertices;
    local.assign(soft.points.size(), -1);
    for (const std::int32_t vertex : region.vertices) {
        local[vertex] = static_cast<std::int32_t>(region.points.size());
        region.points.push_back(soft.points[vertex]);
        region.unturned.push_back(soft.unturned_normal(vertex));
        region.normals.push_back(soft.turn * region.unturned.back());
    }
}

void RegionMaker::add_triangles_within() {
    IndexSet within(soft.triangles.size());
    for (const std::int32_t v : region.vertices) {
        for (const std::int32_t f : soft.faces.of(v)) {
            const Triangle& t = soft.triangles[f];
            if (t[0] == v && local[t[1]] >= 0 && local[t[2]] >= 0) within.insert(f);
        }
    }
    within.take(faces);
    region.triangles.reserve(faces.size());
    for (const std::int32_t f : faces) {
        const Triangle& t = soft.triangles[f];
        region.triangles.push_back({local[t[0]], local[t[1]], local[t[2]]});
    }
}

void RegionMaker::add_zones(std::span<const ContactZone> zones) {
    region.is_contact.assign(region.points.size(), 0);
    region.touching.resize(region.points.size());
    for (const ContactZone& zone : zones) {
        for (std::size_t i = 0; i < zone.points.size(); ++i) {
            region.is_contact[local[zone.points[i]]] = 1;
            region.touching[local[zone.points[i]]] = zone.touching[i];
        }
        for (std::size_t i = 0; i < zone.beside.size(); ++i) {
            const std::int32_t at = local[zone.beside[i]];
            if (at >= 0) region.touching[at] = zone.below[i];
        }
    }
    for (const ContactZone& zone : zones) {
        for (ZoneCrossing c : zone.border) {
            const std::int32_t edge = system.edges().find(c.inner, c.outer);
            c.inner = local[c.inner];
            c.outer = local[c.outer];
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
            const std::int32_t edge = system.sides()[faces[f]][(k + 2) % 3];
            if (is_in[k] != is_in[(k + 1) % 3] && edge >= 0) cut[k] = along(edge);
        }
        region.shares[f] = share_outside(is_in, cut);
    }
}

void RegionMaker::find_outflow() {
    std::vector<std::uint8_t> uses(system.edges().size(), 0), is_in(soft.points.size(), 0);
    for (const std::int32_t v : region.vertices) is_in[v] = 1;
    for (const std::int32_t f : faces) {
        for (const std::int32_t e : system.sides()[f]) {
            if (e >= 0) uses[e] = static_cast<std::uint8_t>(std::min(uses[e] + 1, 2));
        }
    }
    const std::size_t n = region.points.size();
    region.outflow.assign(n, 0.0);
    for (const std::int32_t f : faces) {
        for (const std::int32_t e : system.sides()[f]) {
            if (e < 0 || uses[e] != 1) continue;
            const auto [low, high] = system.edges().ends()[e];
            const std::int32_t i = local[low], j = local[high];
            const double half = 0.5 * (region.points[i] - region.points[j]).norm();
            if (!region.is_contact[i]) region.outflow[i] += half;
            if (!region.is_contact[j]) region.outflow[j] += half;
        }
    }
    const VertexParts parts = vertex_parts(soft.graph, is_in);
    std::vector<std::uint8_t> has_border(parts.count, 0);
    for (std::size_t i = 0; i < n; ++i) {
        has_border[parts.part[region.vertices[i]]] |= region.outflow[i] > 0;
    }
    if (std::find(has_border.begin(), has_border.end(), 0) == has_border.end()) return;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& t = region.triangles[f];
        if (has_border[parts.part[region.vertices[t[0]]]]) continue;
        const double third = region.shares[f] * area_vector(region.points, t).norm() / 6.0;
        for (const std::int32_t i : t) region.outflow[i] += third;
    }
}

void RegionMaker::assemble() {
    region.laplacian = EdgeMatrix<double>(soft.points.size(), system.edges().size());
    std::vector<Vec3> cotangents;
    std::vector<Triangle> triangles;
    std::vector<std::array<std::int32_t, 3>> sides;
    for (const std::int32_t f : faces) {
        triangles.push_back(soft.triangles[f]);
        sides.push_back(system.sides()[f]);
        if (soft.is_at_rest) cotangents.push_back(system.rest_cotangents()[f]);
    }
    if (!soft.is_at_rest) cotangents = half_cotangents(soft.points, triangles);
    add_triangles(triangles, sides, cotangents, region.shares, region.laplacian);
}

void RegionMaker::factor() {
    // A vertex takes part if a triangle of it is not all in a zone.
    std::vector<std::uint8_t> is_active(soft.points.size(), 0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        if (!(region.shares[f] > 0)) continue;
        for (const std::int32_t v : soft.triangles[faces[f]]) is_active[v] = 1;
    }
    for (const ZoneCrossing& c : region.border) {
        is_active[region.vertices[c.inner]] = is_active[region.vertices[c.outer]] = 1;
    }
    double sum = 0.0, count = 0.0;
    for (const std::int32_t v : region.vertices) {
        sum += region.laplacian.diagonal[v];
        count += is_active[v];
    }
    region.claim_weight = kClaimWeight * (count > 0 && sum > 0 ? sum / count : 1.0);
    EdgeMatrix<double> matrix = region.laplacian;
    for (std::size_t k = 0; k < region.border.size(); ++k) {
        const ZoneCrossing& c = region.border[k];
        const double inner = 1.0 - c.along, outer = c.along;
        matrix.diagonal[region.vertices[c.inner]] += region.claim_weight * inner * inner;
        matrix.diagonal[region.vertices[c.outer]] += region.claim_weight * outer * outer;
        matrix.edge[region.border_edges[k]] += region.claim_weight * inner * outer;
    }
    FrontTree tree = system.tree().masked(is_active);
    hold_loose_vertices(tree, region.claim_weight, matrix.diagonal);
    auto base = soft.is_at_rest ? system.base(tree.vertices().size()) : nullptr;
    auto made = SparseCholesky<double>::make(std::move(tree), matrix, std::move(base));
    if (made) {
        region.smooth = std::make_shared<const SparseCholesky<double>>(std::move(made.value()));
    }
}

}  // namespace

void hold_loose_vertices(const FrontTree& tree, double claim_weight, std::span<double> diagonal) {
    const double least = kLooseShare * claim_weight;
    for (const std::int32_t v : tree.vertices()) {
        if (!(diagonal[v] > least)) diagonal[v] += least;
    }
}

PressRegion make_region(const PressSurface& soft, std::span<const ContactZone> zones,
                        double reach) {
    RegionMaker maker{soft, soft.kept.system(), {}, {}, {}};
    maker.region.system = &maker.system;
    maker.region.turn = soft.turn;
    maker.region.is_at_rest = soft.is_at_rest;
    maker.add_points(reach, zones);
    maker.add_triangles_within();
    maker.add_zones(zones);
    maker.cut_triangles();
    maker.find_outflow();
    maker.assemble();
    maker.factor();
    return std::move(maker.region);
}

}  // namespace ductile
