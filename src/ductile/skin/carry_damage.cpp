// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/skin/carry_damage.h>

#include <algorithm>

namespace ductile {

DamageMap carry_damage(const SurfaceAsset& asset, const DamageMap& surface) {
    DUCTILE_ASSERT(surface.depth.size() == asset.surface.points.size(), "a map of this surface");
    const std::size_t count = asset.anchors.size();
    DamageMap carried;
    carried.depth.assign(count, 0.0);
    carried.strain.assign(count, 0.0);
    carried.scratch = carry_vectors(asset, surface.scratch);
    for (std::size_t i = 0; i < count; ++i) {
        const SurfaceAnchor& anchor = asset.anchors[i];
        for (int k = 0; k < 3; ++k) {
            const double share = anchor.weights[k];
            const std::int32_t s = anchor.points[k];
            if (share == 0.0) continue;
            carried.depth[i] += share * surface.depth[s];
            carried.strain[i] += share * surface.strain[s];
        }
    }
    for (const Rider& rider : asset.riders) {
        const MeshPart& part = asset.render.parts[rider.part];
        std::fill_n(carried.depth.begin() + part.first_vertex, part.vertex_count, 0.0);
        std::fill_n(carried.strain.begin() + part.first_vertex, part.vertex_count, 0.0);
    }
    return carried;
}

std::vector<Vec3> carry_vectors(const SurfaceAsset& asset, std::span<const Vec3> of_points) {
    if (of_points.empty()) return {};
    DUCTILE_ASSERT(of_points.size() == asset.surface.points.size(), "one per surface point");
    std::vector<Vec3> carried(asset.anchors.size(), Vec3::Zero());
    for (std::size_t i = 0; i < carried.size(); ++i) {
        const SurfaceAnchor& anchor = asset.anchors[i];
        for (int k = 0; k < 3; ++k) {
            if (anchor.weights[k] != 0.0)
                carried[i] += anchor.weights[k] * of_points[anchor.points[k]];
        }
    }
    for (const Rider& rider : asset.riders) {
        const MeshPart& part = asset.render.parts[rider.part];
        std::fill_n(carried.begin() + part.first_vertex, part.vertex_count, Vec3(Vec3::Zero()));
    }
    return carried;
}

}  // namespace ductile
