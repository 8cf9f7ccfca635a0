// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/bulge/press_guard.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// How softly a bulge comes to lie on the rigid body, as a share of the depth, and from where on:
// at the zone's border the profile itself has the surface's slope, at the extent nothing moves.
constexpr double kGuardWidth = 0.5;
constexpr double kFullFrom = 0.3, kFullTo = 0.7;
// Directions that run along the rigid surface count as if they met it this steeply.
constexpr double kLeastSteepness = 0.1;

double width_at(double radial, double amplitude) {
    return kGuardWidth * amplitude * smooth_step(radial / kFullFrom) *
           smooth_step((1.0 - radial) / (1.0 - kFullTo));
}

/// Where a point's way meets the rigid surface, as a guard's plane; false if nowhere.
bool set_plane_ahead(const Vec3& p, const Vec3& direction, double reach, const SurfaceQuery& rigid,
                     PressGuard& guard) {
    const SurfacePoint hit = rigid.first_hit(p, direction, reach);
    if (hit.triangle < 0) return false;
    const Vec3 face = area_vector(rigid.points(), rigid.triangles()[hit.triangle]);
    // From behind, as through a hole of an open surface: nothing that bars the way.
    if (!(face.dot(direction) < 0)) return false;
    guard.place = hit.position;
    guard.normal = face.normalized();
    return true;
}

}  // namespace

std::vector<PressGuard> press_guards(const PressRegion& region, std::span<const double> radial,
                                     std::span<const Vec3> directions, const PressGuides& guides,
                                     std::span<const double> reaches, const SurfaceQuery& rigid,
                                     std::span<const RigidSide> sides) {
    std::vector<PressGuard> guards;
    const Box box = rigid.box();
    for (std::size_t i = 0; i < region.points.size(); ++i) {
        const RigidSide side = sides[region.vertices[i]];
        if (region.is_contact[i] || !(radial[i] < 1.0) || side == RigidSide::Unknown) continue;
        PressGuard guard{.point = static_cast<std::int32_t>(i),
                         .width = width_at(radial[i], guides.amplitude[i])};
        if (side == RigidSide::Inside) {
            guard.place = region.touching[i].position;
            guard.normal = region.touching[i].normal;
        } else {
            const double reach = reaches[i] + guard.width;
            if (!(reach > 0) || box.distance_sq(region.points[i]) > reach * reach) continue;
        }
        guards.push_back(guard);
    }
    parallel_for(guards.size(), 32, [&](std::size_t k) {
        PressGuard& guard = guards[k];
        const std::int32_t i = guard.point;
        if (sides[region.vertices[i]] != RigidSide::Inside &&
            !set_plane_ahead(region.points[i], directions[i], reaches[i] + guard.width, rigid,
                             guard)) {
            guard.point = -1;
            return;
        }
        guard.width *= std::max(std::abs(guard.normal.dot(directions[i])), kLeastSteepness);
    });
    std::erase_if(guards, [](const PressGuard& guard) { return guard.point < 0; });
    return guards;
}

}  // namespace ductile
