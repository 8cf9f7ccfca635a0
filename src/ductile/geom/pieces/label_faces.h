// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/face_graph.h>
#include <ductile/geom/pieces/surface_cells.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

struct FaceLabels {
    std::vector<std::int32_t> of_face;          ///< Cluster of each face.
    std::vector<std::int32_t> representatives;  ///< A face per cluster.
};

/// Gives the faces of a surface to clusters of its cells.
///
/// A flat facet goes to one cluster as a whole, unless it is large against clusters: no other line
/// on the surface is the same on every triangulation. A cluster that no face is nearest to is left
/// out, and the largest one halved instead. Guarantees: each cluster is connected and has a face;
/// there are as many as `options` ask for, as many as there are faces, or one per component.
/// Requires: a graph and cells of these faces, all of them finite.
FaceLabels label_faces(std::span<const Vec3> points, std::span<const Triangle> faces,
                       const FaceGraph& graph, const SurfaceCells& cells,
                       const GraphClusters& of_cells, const ClusterOptions& options);

}  // namespace ductile
