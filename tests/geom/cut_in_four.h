// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/repair/split_edges.h>

#include <algorithm>
#include <vector>

namespace ductile::test {

/// Every triangle cut into four, in its own plane.
inline SplitMesh cut_in_four(const TriMesh& mesh) {
    std::vector<MeshEdge> edges;
    for (const Triangle& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) {
            edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return split_edges(mesh, edges);
}

}  // namespace ductile::test
