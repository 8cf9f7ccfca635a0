// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_region.h>
#include <ductile/geom/edge_uses.h>

#include <algorithm>
#include <map>

namespace ductile {
namespace {

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

void cut_triangles(PressRegion& region) {
    std::map<std::pair<std::int32_t, std::int32_t>, double> along;
    for (const ZoneCrossing& c : region.border) {
        along[{std::min(c.inner, c.outer), std::max(c.inner, c.outer)}] = c.along;
    }
    region.shares.reserve(region.triangles.size());
    for (const Triangle& t : region.triangles) {
        std::array<bool, 3> is_in{};
        std::array<double, 3> cut = {1.0, 1.0, 1.0};
        for (int k = 0; k < 3; ++k) {
            is_in[k] = region.is_contact[t[k]] != 0;
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            if (region.is_contact[a] == region.is_contact[b]) continue;
            const auto at = along.find({std::min(a, b), std::max(a, b)});
            if (at != along.end()) cut[k] = at->second;
        }
        region.shares.push_back(share_outside(is_in, cut));
    }
}

void mark_outer(std::span<const double> distance, PressRegion& region) {
    const std::size_t n = region.points.size();
    region.is_outer.assign(n, 0);
    EdgeUses(n, region.triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            if (uses.size() != 1) return;
            region.is_outer[low] = region.is_outer[uses[0].high] = 1;
        });
    const std::vector<std::uint8_t> all(n, 1);
    const VertexParts parts = vertex_parts(vertex_graph(n, region.triangles), all);
    std::vector<std::int32_t> farthest(parts.count, -1);
    std::vector<std::uint8_t> has_border(parts.count, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (region.is_contact[i]) region.is_outer[i] = 0;
        std::int32_t& best = farthest[parts.part[i]];
        has_border[parts.part[i]] |= region.is_outer[i];
        if (best < 0 || distance[region.vertices[i]] > distance[region.vertices[best]]) {
            best = static_cast<std::int32_t>(i);
        }
    }
    for (std::int32_t p = 0; p < parts.count; ++p) {
        if (!has_border[p]) region.is_outer[farthest[p]] = 1;
    }
}

}  // namespace

PressRegion make_region(const PressSurface& soft, std::span<const ContactZone> zones,
                        double reach) {
    std::vector<std::int32_t> seeds;
    for (const ContactZone& zone : zones) {
        seeds.insert(seeds.end(), zone.points.begin(), zone.points.end());
    }
    const std::vector<double> distance = edge_distances(soft.points, soft.graph, seeds, reach);
    PressRegion region;
    std::vector<std::int32_t> local(soft.points.size(), -1);
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        if (!(distance[v] < kInfinity)) continue;
        local[v] = static_cast<std::int32_t>(region.vertices.size());
        region.vertices.push_back(static_cast<std::int32_t>(v));
        region.points.push_back(soft.points[v]);
        region.normals.push_back(soft.normal(static_cast<std::int32_t>(v)));
    }
    for (const Triangle& t : soft.triangles) {
        const Triangle mapped = {local[t[0]], local[t[1]], local[t[2]]};
        if (mapped[0] < 0 || mapped[1] < 0 || mapped[2] < 0) continue;
        region.triangles.push_back(mapped);
    }
    region.cotangents = half_cotangents(region.points, region.triangles);
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
            c.inner = local[c.inner];
            c.outer = local[c.outer];
            // An edge between two zones, or a neighbour out of reach, bounds nothing.
            if (c.outer >= 0 && !region.is_contact[c.outer]) region.border.push_back(c);
        }
    }
    cut_triangles(region);
    mark_outer(distance, region);
    return region;
}

}  // namespace ductile
