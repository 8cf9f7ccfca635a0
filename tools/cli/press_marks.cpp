// SPDX-License-Identifier: MIT
#include "press_marks.h"

#include <ductile/core/parallel.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile::cli {
namespace {

const Vec4 kWell(0.75, 0.75, 0.73, 1), kShallow(0.15, 0.35, 0.85, 1), kDeep(0.9, 0.1, 0.06, 1);
const Vec4 kFolded(0.95, 0.75, 0.05, 1), kCrossing(0.8, 0.1, 0.75, 1);
// Of the body's size: depths that are seen at all, and those that are red.
constexpr double kSeenDepth = 1e-4, kRedDepth = 1e-2;

// How deep each point lies in the rigid body, itself or the middle of one of its edges: a chord may
// cut through what its ends lie on.
std::vector<double> depths_left(const PressedStill& still, const SurfaceQuery& rigid) {
    const std::vector<Vec3>& points = still.pressed.points;
    const auto depth_at = [&](const Vec3& p) {
        const bool is_out = rigid.box().distance_sq(p) > 0 || !rigid.is_inside(p);
        return is_out ? 0.0 : rigid.closest_point(p).distance;
    };
    std::vector<double> depths(points.size());
    parallel_for(points.size(), 64, [&](std::size_t v) { depths[v] = depth_at(points[v]); });
    const std::vector<Triangle>& triangles = still.soft->surface.triangles;
    std::vector<std::array<double, 3>> middles(triangles.size());
    parallel_for(triangles.size(), 64, [&](std::size_t f) {
        const Triangle& t = triangles[f];
        for (std::size_t k = 0; k < 3; ++k) {
            middles[f][k] = depth_at(0.5 * (points[t[k]] + points[t[(k + 1) % 3]]));
        }
    });
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (std::size_t k = 0; k < 3; ++k) {
            for (const std::int32_t v : {triangles[f][k], triangles[f][(k + 1) % 3]}) {
                depths[v] = std::max(depths[v], middles[f][k]);
            }
        }
    }
    return depths;
}

void paint_depths(const PressedStill& still, double size, std::vector<Vec4>& colours) {
    const std::vector<Triangle>& triangles = still.rigid->surface.triangles;
    if (!is_closed(triangles)) return;
    const std::vector<double> depths =
        depths_left(still, SurfaceQuery(still.rigid_points, triangles));
    for (std::size_t v = 0; v < colours.size(); ++v) {
        const double share = depths[v] / size;
        if (!(share > kSeenDepth)) continue;
        const double red = std::min(1.0, share / kRedDepth);
        colours[v] = (1.0 - red) * kShallow + red * kDeep;
    }
}

void paint_folds(const PressedStill& still, std::vector<Vec4>& colours) {
    const std::vector<Triangle>& triangles = still.soft->surface.triangles;
    const std::vector<Triangle> across = face_neighbours(triangles);
    const auto is_folded = [&](const std::vector<Vec3>& points, std::size_t f, std::int32_t g) {
        return area_vector(points, triangles[f]).dot(area_vector(points, triangles[g])) < 0;
    };
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = across[f][k];
            if (g < 0 || !is_folded(still.pressed.points, f, g) || is_folded(still.before, f, g)) {
                continue;
            }
            colours[triangles[f][k]] = colours[triangles[f][(k + 1) % 3]] = kFolded;
        }
    }
}

// Of edges that came to cross something; a seam that did at rest is no fault of the press.
void paint_crossings(const PressedStill& still, std::vector<Vec4>& colours) {
    const std::vector<Triangle>& triangles = still.soft->surface.triangles;
    const std::vector<SelfCrossing> before = self_crossings_of(still.before, triangles, triangles);
    for (const SelfCrossing& c : self_crossings_of(still.pressed.points, triangles, triangles)) {
        if (std::binary_search(before.begin(), before.end(), c)) continue;
        colours[c.low] = colours[c.high] = kCrossing;
        for (const std::int32_t v : c.triangle) colours[v] = kCrossing;
    }
}

}  // namespace

std::vector<Vec4> left_colours(const PressedStill& still) {
    std::vector<Vec4> colours(still.pressed.points.size(), kWell);
    paint_depths(still, bounds(still.before).diagonal() / std::sqrt(3.0), colours);
    paint_folds(still, colours);
    paint_crossings(still, colours);
    return colours;
}

}  // namespace ductile::cli
