// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ductile/core/field.h>
#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// How a cluster's representative is chosen anew.
enum class Election {
    Centre,  ///< The face nearest the cluster's centre of area: fast, the seed's choice.
    Medoid,  ///< The face with the least sum of distances: never raises the objective.
};

/// How a surface is cut into patches of faces that lie close together and face alike.
struct ClusterOptions {
    std::int32_t count = 32;         ///< Clusters aimed at; at least one per connected component.
    double distance_weight = 0.5;    ///< Share of distance against angle (delta), in [0, 1].
    std::int32_t iterations = 10;    ///< Rounds of re-election at most.
    Election election = Election::Centre;
};

struct Clusters {
    std::vector<std::int32_t> of_face;          ///< Cluster of each face, -1 for faces not asked about.
    std::vector<std::int32_t> representatives;  ///< A face per cluster.
    double objective = 0.0;                     ///< Sum of distances of faces to their representatives.
    std::int32_t rounds = 0;                    ///< Rounds of re-election that were needed.
};

/// Cuts the faces listed in `subset` (all of them if empty) into clusters, by k-means over face
/// distances (Dong et al. 2011, section 3, after Shlafman et al. 2002).
Clusters cluster_faces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                       std::span<const std::int32_t> subset, const ClusterOptions& options);

}  // namespace ductile
