// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/clusters.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// What is put into clusters (faces, or cells of a surface), and how far neighbours are apart.
struct ClusterGraph {
    struct Link {
        std::int32_t node = 0;
        double length = 0.0;  ///< >= 0, the same both ways.
    };
    std::vector<std::int32_t> first_link = {0};  ///< Where each node's links begin, and the end.
    std::vector<Link> links;
    std::vector<Vec3> centre;    ///< Finite.
    std::vector<double> area;    ///< >= 0; what a node counts in the centre of a cluster.
    std::vector<double> weight;  ///< >= 0; what its distance counts in the objective.
    /// Of cells that are small against clusters; of unit length, or zero. Empty for others. Centres
    /// are then in the unit of equation 1.
    std::vector<Vec3> normal;

    std::size_t size() const { return centre.size(); }
    std::span<const Link> links_of(std::int32_t node) const {
        const auto begin = static_cast<std::size_t>(first_link[static_cast<std::size_t>(node)]);
        const auto end = static_cast<std::size_t>(first_link[static_cast<std::size_t>(node) + 1]);
        return {links.data() + begin, end - begin};
    }
};

/// Clusters of the nodes of a graph.
struct GraphClusters {
    std::vector<std::int32_t> of_node;
    std::vector<double> distance;               ///< Of each node to its representative.
    std::vector<std::int32_t> representatives;  ///< A node per cluster.
    double objective = 0.0;                     ///< Weighed sum of the distances.
    std::int32_t rounds = 0;
    std::size_t links_seen = 0;  ///< By all searches together.
};

/// K-means over ways in the graph, as `cluster_faces` says. Nodes are equal by their numbers alone:
/// equal graphs have equal clusters. Requires: at least one node.
GraphClusters cluster_nodes(const ClusterGraph& graph, const ClusterOptions& options);

}  // namespace ductile
