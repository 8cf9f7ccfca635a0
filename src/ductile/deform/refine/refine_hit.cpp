// SPDX-License-Identifier: MIT
#include <ductile/deform/refine/refine_hit.h>

#include <algorithm>

namespace ductile {

std::vector<MeshEdge> RecordKind<RefineHit>::marked_edges(const RefineHit& hit,
                                                          const SurfaceAsset& asset) {
    const std::vector<Vec3>& points = asset.surface.points;
    const auto is_rigid = [&](std::int32_t v) {
        return !asset.is_rigid.empty() && asset.is_rigid[static_cast<std::size_t>(v)] != 0;
    };
    std::vector<MeshEdge> marked;
    for (const Triangle& corners : asset.surface.triangles) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = corners[k], b = corners[(k + 1) % 3];
            if (is_rigid(a) && is_rigid(b)) continue;
            if (!((points[a] - points[b]).norm() > hit.longest_edge)) continue;
            if ((0.5 * (points[a] + points[b]) - hit.position_b).norm() > hit.radius) continue;
            marked.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    std::sort(marked.begin(), marked.end());
    marked.erase(std::unique(marked.begin(), marked.end()), marked.end());
    return marked;
}

}  // namespace ductile
