// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// How a cluster's representative is chosen anew.
enum class Election {
    Centre,  ///< The face nearest the cluster's centre of area: fast, the seed's choice.
    Medoid,  ///< The face with the least sum of distances: never raises the objective.
};
inline std::span<const std::string_view> enum_names(Election) {
    static constexpr std::string_view names[] = {"centre", "medoid"};
    return names;
}

/// What distances along the surface are measured in before they are weighed against angles.
enum class ClusterScale {
    MeanWay,  ///< The mean way between neighbouring faces: fine meshes weigh distance more.
    /// sqrt(area / count), the size of a cluster. Clusters are then the same on every tessellation,
    /// where no flat is larger than they are, else to the size of its faces: they are made of
    /// cells of the surface (`make_surface_cells`), and its flat facets are whole (`label_faces`).
    ClusterSize,
};
inline std::span<const std::string_view> enum_names(ClusterScale) {
    static constexpr std::string_view names[] = {"mean_way", "cluster_size"};
    return names;
}

/// How a surface is cut into patches of faces that lie close together and face alike.
struct ClusterOptions {
    std::int32_t count = 32;       ///< Clusters aimed at, >= 1; at least one per component.
    double distance_weight = 0.5;  ///< Share of distance against angle (delta), in [0, 1].
    double convex_weight = 1.0;  ///< What an angle counts where faces meet as on a ball, in [0, 1].
    std::int32_t iterations = 10;  ///< Rounds of re-election at most, >= 0.
    Election election = Election::Centre;
    ClusterScale scale = ClusterScale::MeanWay;
    /// > 0: clusters are added while a face is further than this from all representatives [m],
    /// angles counted in, instead of by `count`; it is then the scale, too.
    double reach = 0.0;
};
template <class Visitor>
void visit_fields(ClusterOptions& o, Visitor&& field) {
    field(Field{"count", "", 1, 1e6, "clusters aimed at; at least one per connected part"},
          o.count);
    field(Field{"distance_weight", "", 0.0, 1.0, "share of distance against angle"},
          o.distance_weight);
    field(Field{"convex_weight", "", 0.0, 1.0, "what an angle counts on convex edges"},
          o.convex_weight);
    field(Field{"iterations", "", 0, 1000, "rounds of re-election at most"}, o.iterations);
    field(Field{"election", "", 0, 0, "how representatives are chosen anew"}, o.election);
    field(Field{"scale", "", 0, 0, "what distances are measured in"}, o.scale);
    field(Field{"reach", "m", 0.0, 1e6, "how far clusters reach, instead of their count; 0: count"},
          o.reach);
}

struct Clusters {
    std::vector<std::int32_t> of_face;  ///< Cluster of each face, -1 for faces not asked about.
    std::vector<std::int32_t> representatives;  ///< A face per cluster.
    double objective = 0.0;   ///< Sum of distances of faces (of cells, by area) to representatives.
    std::int32_t rounds = 0;  ///< Rounds of re-election that were needed.
    double searches = 0.0;    ///< Links looked at over those of all faces: in Dijkstra searches.
};

/// Cuts the faces listed in `subset` (all of them if empty) into clusters, by k-means over face
/// distances (Dong et al. 2011, section 3, after Shlafman et al. 2002).
///
/// Two faces across an edge are (1 - delta) a + delta d / scale apart, d being the way from
/// centre to edge to centre, a = sin^2 of the angle between their normals up to 90 degrees and 1 +
/// cos^2 beyond, so that a sheet folded flat onto itself is as far from flat as can be. Others are
/// as far apart as the shortest way over faces of the subset.
///
/// Guarantees: no cluster is empty; each is connected; there are `count` of them, or fewer where
/// there are fewer faces, or one per component where there are more components; with a `reach`, as
/// many as it takes. By faces (MeanWay, or a `reach`) numbers do not depend on the faces' windings
/// where neighbours agree, nor on mirroring; by cells (ClusterSize) nor on how the surface is cut
/// into triangles, but on how it lies in its frame. What cells cannot stand for (points that are
/// not finite, slivers far longer than clusters) is clustered by faces. The result is the best
/// of all rounds. A face whose points are not finite is a component of its own. With Medoid a
/// cluster of up to 256 faces gets its true medoid, a larger one a local optimum. Requires: indices
/// in range, no face listed twice. About (rounds + 4) F log F, F faces in subset.
Clusters cluster_faces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                       std::span<const std::int32_t> subset, const ClusterOptions& options);

}  // namespace ductile
