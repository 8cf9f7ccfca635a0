// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/index_set.h>
#include <ductile/core/stamped_array.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ductile {
namespace {

// A path cuts corners over this many edges. On grids of halved squares it is at most 8 % too long,
// a few edges away, and less further on; with one edge, which leaves six directions to go in, 42 %.
constexpr std::int32_t kChordEdges = 4;

/// The best path to a vertex so far: its last corner, and how many edges the straight line from
/// there stands for.
struct PathEnd {
    double distance = kInfinity;
    std::int32_t corner = -1;
    std::int32_t edges = 0;
};

/// Vertices to visit, the nearer ones roughly first: a drawer per stretch of distance. A vertex
/// that comes too early is visited again when its distance falls.
class VisitBuckets {
public:
    struct Visit {
        std::int32_t vertex;
        double at;
    };
    explicit VisitBuckets(double width) : per_width_(1.0 / width) {}

    void push(std::int32_t vertex, double at) {
        const std::size_t bucket = std::max(static_cast<std::size_t>(at * per_width_), now_);
        if (bucket >= buckets_->size()) buckets_->resize(bucket + 1);
        (*buckets_)[bucket].push_back({vertex, at});
    }
    /// The drawers are empty in the end, for whoever is lent them next.
    std::optional<Visit> pop() {
        while (now_ < buckets_->size() && (*buckets_)[now_].empty()) ++now_;
        if (now_ == buckets_->size()) return {};
        const Visit next = (*buckets_)[now_].back();
        (*buckets_)[now_].pop_back();
        return next;
    }

private:
    double per_width_;
    std::size_t now_ = 0;
    ThreadPooled<std::vector<std::vector<Visit>>> buckets_;
};

/// A quarter of an edge, which leaves hardly a vertex to be visited twice, but such that a search
/// has no more than some thousand buckets.
double bucket_width(std::span<const Vec3> points, const VertexGraph& graph,
                    std::span<const std::int32_t> seeds, double reach) {
    constexpr std::size_t kSamples = 32;
    constexpr double kMostBuckets = 4096.0;
    double sum = 0.0, count = 0.0, longest = 0.0;
    for (std::size_t i = 0; i < seeds.size(); i += seeds.size() / kSamples + 1) {
        for (const std::int32_t w : graph[seeds[i]]) {
            sum += (points[w] - points[seeds[i]]).norm();
            count += 1.0;
        }
    }
    if (std::isfinite(reach)) longest = reach;
    const double width = std::max(count > 0 ? 0.25 * sum / count : 0.0, longest / kMostBuckets);
    return width > 0 ? width : 1.0;
}

}  // namespace

VertexGraph vertex_graph(std::size_t point_count, std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(point_count, triangles), "valid indices");
    std::vector<std::int32_t> first(point_count + 1, 0);
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) first[v + 1] += 2;
    }
    for (std::size_t v = 0; v < point_count; ++v) first[v + 1] += first[v];
    std::vector<std::int32_t> all(first.back()), sorted(first.back());
    std::vector<std::int32_t> fill(first.begin(), first.end() - 1);
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            all[fill[t[k]]++] = t[(k + 1) % 3];
            all[fill[t[k]]++] = t[(k + 2) % 3];
        }
    }
    // Whoever is a neighbour has one: handing v to its neighbours, v ascending, sorts all lists.
    fill.assign(first.begin(), first.end() - 1);
    for (std::size_t v = 0; v < point_count; ++v) {
        for (std::int32_t i = first[v]; i < first[v + 1]; ++i) {
            sorted[fill[all[i]]++] = static_cast<std::int32_t>(v);
        }
    }
    VertexGraph graph;
    graph.start.reserve(point_count + 1);
    graph.start.push_back(0);
    graph.neighbours.reserve(all.size() / 2);
    for (std::size_t v = 0; v < point_count; ++v) {
        std::int32_t last = -1;
        for (std::int32_t i = first[v]; i < first[v + 1]; ++i) {
            if (sorted[i] == last || sorted[i] == static_cast<std::int32_t>(v)) continue;
            graph.neighbours.push_back(last = sorted[i]);
        }
        graph.start.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
    }
    return graph;
}

std::vector<double> edge_distances(std::span<const Vec3> points, const VertexGraph& graph,
                                   std::span<const std::int32_t> seeds, double reach) {
    const EdgeReach reached = edge_reach(points, graph, seeds, reach);
    std::vector<double> distance(points.size(), kInfinity);
    for (std::size_t i = 0; i < reached.vertices.size(); ++i) {
        distance[reached.vertices[i]] = reached.distance[i];
    }
    return distance;
}

EdgeReach edge_reach(std::span<const Vec3> points, const VertexGraph& graph,
                     std::span<const std::int32_t> seeds, double reach, const Box& within) {
    DUCTILE_ASSERT(graph.size() == points.size(), "a graph of these points");
    const bool is_bounded =
        (within.lower.array() > -kInfinity).any() || (within.upper.array() < kInfinity).any();
    const auto is_within = [&](const Vec3& p) {
        return !is_bounded || ((p.array() >= within.lower.array()).all() &&
                               (p.array() <= within.upper.array()).all());
    };
    StampedArray<PathEnd> ends(points.size(), {});
    IndexSet reached(points.size());
    VisitBuckets open(bucket_width(points, graph, seeds, reach));
    for (const std::int32_t seed : seeds) {
        ends.at(seed) = {0.0, seed, kChordEdges};
        reached.insert(seed);
        open.push(seed, 0.0);
    }
    while (const auto next = open.pop()) {
        const auto [v, at] = *next;
        const PathEnd end = ends[v];
        if (at > end.distance) continue;
        const bool turns = end.edges == kChordEdges;
        const std::int32_t corner = turns ? v : end.corner;
        const double to_corner = turns ? at : ends[corner].distance;
        for (const std::int32_t w : graph[v]) {
            PathEnd& old = ends.at(w);
            if (old.distance <= at) continue;
            // A root is taken only of what is nearer than before.
            const double limit = std::min(reach, old.distance) - to_corner;
            const double chord_sq = (points[w] - points[corner]).squaredNorm();
            if (chord_sq > limit * limit || !is_within(points[w])) continue;
            const double further = to_corner + std::sqrt(chord_sq);
            if (further > reach || further >= old.distance) continue;
            old = {further, corner, turns ? 1 : end.edges + 1};
            reached.insert(w);
            open.push(w, further);
        }
    }
    EdgeReach result;
    reached.take(result.vertices);
    result.distance.reserve(result.vertices.size());
    for (const std::int32_t v : result.vertices) result.distance.push_back(ends[v].distance);
    return result;
}

VertexComponents vertex_components(const VertexGraph& graph, std::span<const std::uint8_t> is_in) {
    DUCTILE_ASSERT(graph.size() == is_in.size(), "a mark per vertex");
    VertexComponents components{std::vector<std::int32_t>(is_in.size(), -1), 0};
    std::vector<std::int32_t> open;
    for (std::size_t v = 0; v < is_in.size(); ++v) {
        if (!is_in[v] || components.component[v] >= 0) continue;
        components.component[v] = components.count;
        open.push_back(static_cast<std::int32_t>(v));
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            for (const std::int32_t w : graph[at]) {
                if (!is_in[w] || components.component[w] >= 0) continue;
                components.component[w] = components.count;
                open.push_back(w);
            }
        }
        ++components.count;
    }
    return components;
}

}  // namespace ductile
