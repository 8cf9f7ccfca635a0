// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/skin/carry_damage.h>

namespace ductile {

const std::vector<Vec3>* damaged_surface(const Recording& recording, std::size_t body) {
    const RecordedBody& recorded = recording.bodies[body];
    if (!recorded.asset || recorded.shapes.empty()) return nullptr;  // none: always at rest
    for (std::size_t f = recording.frames.size(); f-- > 0;) {
        const BodyFrame& at = recording.frames[f].bodies[body];
        if (!at.is_present) continue;
        const std::vector<Vec3>& points =
            recorded.unskinned_shape(static_cast<std::size_t>(at.shape));
        return points == recorded.asset->surface.points ? nullptr : &points;
    }
    return nullptr;
}

DamageMap final_damage(const Recording& recording, std::size_t body) {
    const std::vector<Vec3>* points = damaged_surface(recording, body);
    DUCTILE_ASSERT(points, "only of a damaged body");
    const SurfaceAsset& asset = *recording.bodies[body].asset;
    return carry_damage(asset, damage_map(asset.surface.points, *points, asset.surface.triangles));
}

}  // namespace ductile
