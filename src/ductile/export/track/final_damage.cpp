// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/record/example_colours.h>
#include <ductile/skin/carry_damage.h>

namespace ductile {

namespace {

// Of the last frame at which the body is present; -1: it has no asset, no shapes, or never is.
std::int32_t last_shape(const Recording& recording, std::size_t body) {
    const RecordedBody& recorded = recording.bodies[body];
    if (!recorded.asset || recorded.shapes.empty()) return -1;  // none: always at rest
    for (std::size_t f = recording.frames.size(); f-- > 0;) {
        const BodyFrame& at = recording.frames[f].bodies[body];
        if (at.is_present) return at.shape;
    }
    return -1;
}

}  // namespace

const std::vector<Vec3>* damaged_surface(const Recording& recording, std::size_t body) {
    const std::int32_t shape = last_shape(recording, body);
    if (shape < 0) return nullptr;
    const RecordedBody& recorded = recording.bodies[body];
    const std::vector<Vec3>& points = recorded.unskinned_shape(static_cast<std::size_t>(shape));
    return points == recorded.asset->surface.points ? nullptr : &points;
}

DamageMap final_damage(const Recording& recording, std::size_t body) {
    const std::vector<Vec3>* points = damaged_surface(recording, body);
    DUCTILE_ASSERT(points, "only of a damaged body");
    const SurfaceAsset& asset = *recording.bodies[body].asset;
    return carry_damage(asset, damage_map(asset.surface.points, *points, asset.surface.triangles));
}

std::vector<Vec3> final_pose_colours(const Recording& recording, std::size_t body) {
    const std::int32_t shape = last_shape(recording, body);
    if (shape < 0) return {};
    const RecordedBody& recorded = recording.bodies[body];
    std::vector<Vec3> colours =
        carry_vectors(*recorded.asset, example_tints(recorded, static_cast<std::size_t>(shape)));
    for (Vec3& colour : colours) colour = example_colour(colour);
    return colours;
}

}  // namespace ductile
