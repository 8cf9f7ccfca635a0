// SPDX-License-Identifier: MIT
// Dong, Liu, Ou and Zheng 2011, "A Simple Method for Real-Time Metal Shell Simulation", section 3,
// after Shlafman, Tal and Katz 2002. Where we differ: distances are scaled by their mean or by a
// cluster's size, or the weight delta would mean something else on every mesh; a new first
// representative is the face furthest from its nearest one (the seed's largest *average* distance
// makes them crowd at the ends); folds beyond 90 degrees go on growing apart; convex edges may
// count less, as in Katz and Tal 2003, for whoever wants convex patches. Sized by their area,
// clusters are made of cells that do not depend on the triangles (surface_cells.h); furthest points
// would magnify the least difference, so those begin from groups that are split in two.
#include <ductile/core/assert.h>
#include <ductile/geom/pieces/face_graph.h>
#include <ductile/geom/pieces/label_faces.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace ductile {
namespace {

ClusterGraph graph_of(const FaceGraph& faces) {
    ClusterGraph graph;
    graph.centre = faces.centre;
    graph.area = faces.area;
    graph.weight.assign(faces.size(), 1.0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            if (faces.next[f][k] >= 0) {
                graph.links.push_back({faces.next[f][k], faces.length[f][k]});
            }
        }
        graph.first_link.push_back(static_cast<std::int32_t>(graph.links.size()));
    }
    return graph;
}

double searches(std::size_t links_seen, const FaceGraph& graph) {
    return static_cast<double>(links_seen) / (3.0 * static_cast<double>(graph.size()));
}

Clusters cluster_by_faces(const FaceGraph& graph, const ClusterOptions& options) {
    GraphClusters found = cluster_nodes(graph_of(graph), options);
    return {std::move(found.of_node), std::move(found.representatives), found.objective,
            found.rounds, searches(found.links_seen, graph)};
}

// Nothing where cells cannot stand for the surface.
std::optional<Clusters> cluster_by_cells(std::span<const Vec3> points,
                                         std::span<const Triangle> faces, const FaceGraph& graph,
                                         const ClusterOptions& options) {
    const auto cells = make_surface_cells(points, faces, graph.next, graph.scale, options);
    if (!cells) return std::nullopt;
    const GraphClusters found = cluster_nodes(cells->graph, options);
    FaceLabels labels = label_faces(points, faces, graph, *cells, found, options);
    return Clusters{std::move(labels.of_face), std::move(labels.representatives), found.objective,
                    found.rounds, searches(found.links_seen, graph)};
}

Clusters cluster_all(std::span<const Vec3> points, std::span<const Triangle> faces,
                     const ClusterOptions& options) {
    const FaceGraph graph = make_face_graph(points, faces, options);
    if (options.scale == ClusterScale::ClusterSize && !(options.reach > 0) && graph.scale > 0) {
        if (auto clusters = cluster_by_cells(points, faces, graph, options))
            return std::move(*clusters);
    }
    return cluster_by_faces(graph, options);
}

}  // namespace

Clusters cluster_faces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                       std::span<const std::int32_t> subset, const ClusterOptions& options) {
    DUCTILE_ASSERT(options.count >= 1, "clusters wanted");
    if (triangles.empty()) return {};
    if (subset.empty()) return cluster_all(points, triangles, options);
    std::vector<Triangle> faces;
    faces.reserve(subset.size());
    for (const std::int32_t f : subset) faces.push_back(triangles[f]);
    Clusters local = cluster_all(points, faces, options);
    std::vector<std::int32_t> of_face(triangles.size(), -1);
    for (std::size_t i = 0; i < subset.size(); ++i) of_face[subset[i]] = local.of_face[i];
    for (std::int32_t& face : local.representatives) face = subset[face];
    local.of_face = std::move(of_face);
    return local;
}

}  // namespace ductile
