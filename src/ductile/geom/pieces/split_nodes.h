// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/cluster_graph.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// Splits groups of nodes in two, always the one that is spread out most, until there are `count`:
/// by place or by normal, weighed as in equation 1, where it parts best. A little change of the
/// nodes changes the groups a little. Requires: `graph.normal`. O(n log n log count).
std::vector<std::vector<std::int32_t>> split_nodes(const ClusterGraph& graph,
                                                   std::vector<std::vector<std::int32_t>> groups,
                                                   std::size_t count, double distance_weight);

}  // namespace ductile
