// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/record/refined_shapes.h>

#include <utility>

namespace ductile {

void add_points_between(std::span<const PointParents> parents, std::vector<Vec3>& points) {
    points.reserve(points.size() + parents.size());
    for (const auto& [ends, share] : parents) {
        for (const std::int32_t end : ends) {
            DUCTILE_ASSERT(end >= 0 && static_cast<std::size_t>(end) < points.size(),
                           "a parent is a point that exists");
        }
        const Vec3 between = (1.0 - share) * points[ends[0]] + share * points[ends[1]];
        points.push_back(between);
    }
}

void refine_shapes(std::shared_ptr<const SurfaceAsset> asset, std::span<const PointParents> parents,
                   RecordedBody& body) {
    DUCTILE_ASSERT(
        asset->surface.points.size() == body.asset->surface.points.size() + parents.size(),
        "the points of the body, and one per entry of parents");
    for (std::size_t i = 1; i < body.shapes.size(); ++i) {
        add_points_between(parents, body.shapes[i]);
    }
    for (std::vector<Vec3>& points : body.unskinned) {
        if (!points.empty()) add_points_between(parents, points);
    }
    body.asset = std::move(asset);
    if (!body.shapes.empty()) body.shapes[0] = body.asset->surface.points;
}

}  // namespace ductile
