// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <functional>
#include <queue>

namespace ductile {

VertexGraph vertex_graph(std::size_t point_count, std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(point_count, triangles), "valid indices");
    std::vector<std::int32_t> first(point_count + 1, 0);
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) first[v + 1] += 2;
    }
    for (std::size_t v = 0; v < point_count; ++v) first[v + 1] += first[v];
    std::vector<std::int32_t> all(first.back()), fill(first.begin(), first.end() - 1);
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            all[fill[t[k]]++] = t[(k + 1) % 3];
            all[fill[t[k]]++] = t[(k + 2) % 3];
        }
    }
    VertexGraph graph;
    graph.start.reserve(point_count + 1);
    graph.start.push_back(0);
    graph.neighbours.reserve(all.size() / 2);
    for (std::size_t v = 0; v < point_count; ++v) {
        std::sort(all.begin() + first[v], all.begin() + first[v + 1]);
        std::int32_t last = -1;
        for (std::int32_t i = first[v]; i < first[v + 1]; ++i) {
            if (all[i] == last || all[i] == static_cast<std::int32_t>(v)) continue;
            graph.neighbours.push_back(last = all[i]);
        }
        graph.start.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
    }
    return graph;
}

std::vector<double> edge_distances(std::span<const Vec3> points, const VertexGraph& graph,
                                   std::span<const std::int32_t> seeds, double reach) {
    DUCTILE_ASSERT(graph.size() == points.size(), "a graph of these points");
    std::vector<double> distance(points.size(), kInfinity);
    // Ties in distance go by index, so that the order of visits is one.
    using Visit = std::pair<double, std::int32_t>;
    std::priority_queue<Visit, std::vector<Visit>, std::greater<>> open;
    for (const std::int32_t seed : seeds) {
        if (distance[seed] == 0.0) continue;
        distance[seed] = 0.0;
        open.emplace(0.0, seed);
    }
    while (!open.empty()) {
        const auto [at, v] = open.top();
        open.pop();
        if (at > distance[v]) continue;
        for (const std::int32_t w : graph.of(v)) {
            const double further = at + (points[w] - points[v]).norm();
            if (!(further <= reach) || !(further < distance[w])) continue;
            distance[w] = further;
            open.emplace(further, w);
        }
    }
    return distance;
}

VertexParts vertex_parts(const VertexGraph& graph, std::span<const std::uint8_t> is_in) {
    DUCTILE_ASSERT(graph.size() == is_in.size(), "a mark per vertex");
    VertexParts parts{std::vector<std::int32_t>(is_in.size(), -1), 0};
    std::vector<std::int32_t> open;
    for (std::size_t v = 0; v < is_in.size(); ++v) {
        if (!is_in[v] || parts.part[v] >= 0) continue;
        parts.part[v] = parts.count;
        open.push_back(static_cast<std::int32_t>(v));
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            for (const std::int32_t w : graph.of(at)) {
                if (!is_in[w] || parts.part[w] >= 0) continue;
                parts.part[w] = parts.count;
                open.push_back(w);
            }
        }
        ++parts.count;
    }
    return parts;
}

}  // namespace ductile
