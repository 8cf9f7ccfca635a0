// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/query/surface_query.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Which points of a patch its convex piece follows.
struct TrackOptions {
    std::int32_t limit = 20;  ///< Points at most, >= 1.
    double slack = 0.0;       ///< No more points than it takes to come as near as this [m].
    bool fills_up = false;    ///< Spend what is left of `limit` on points spread over the patch.
};

/// The points among `vertices` whose hull, with `inner`, comes nearest to the hull of all of them:
/// extreme ones first, then again and again the one furthest outside. Ascending. Deterministic:
/// ties go to the lower vertex. Requires: vertices ascending, at least one, finite points.
std::vector<std::int32_t> track_points(std::span<const Vec3> points,
                                       std::span<const std::int32_t> vertices, const Vec3& inner,
                                       const TrackOptions& options);

/// A point behind the patch of `faces` (ascending): against its mean normal, `inset` times the
/// patch's size from its centre of area, but at most half way to whatever part of the surface
/// comes first there and at least `floor` [m]. The centre itself for a patch that closes on itself,
/// `floor` beside it if that is flat.
Vec3 inner_point(const SurfaceQuery& surface, std::span<const std::int32_t> faces, double inset,
                 double floor);

}  // namespace ductile
