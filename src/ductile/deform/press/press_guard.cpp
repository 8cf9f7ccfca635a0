// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press_guard.h>

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

double smooth_step(double x) {
    x = std::clamp(x, 0.0, 1.0);
    return x * x * (3.0 - 2.0 * x);
}

double width_at(double radial, double amplitude) {
    return kGuardWidth * amplitude * smooth_step(radial / kFullFrom) *
           smooth_step((1.0 - radial) / (1.0 - kFullTo));
}

}  // namespace

std::vector<PressGuard> press_guards(const PressRegion& region, std::span<const double> radial,
                                     std::span<const Vec3> directions, const PressGuides& guides,
                                     std::span<const double> ways, const SurfaceQuery& rigid,
                                     std::span<const RigidSide> sides) {
    std::vector<PressGuard> guards(region.points.size());
    parallel_for(guards.size(), 32, [&](std::size_t i) {
        const RigidSide side = sides[region.vertices[i]];
        if (region.is_contact[i] || !(radial[i] < 1.0) || side == RigidSide::Unknown) return;
        const double width = width_at(radial[i], guides.amplitude[i]);
        PressGuard guard;
        if (side == RigidSide::Inside) {
            guard.place = region.touching[i].position;
            guard.normal = region.touching[i].normal;
        } else {
            const double reach = ways[i] + width;
            if (!(reach > 0)) return;
            const SurfacePoint hit = rigid.first_hit(region.points[i], directions[i], reach);
            if (hit.triangle < 0) return;
            const Vec3 face = area_vector(rigid.points(), rigid.triangles()[hit.triangle]);
            // From behind, as through a hole of an open surface: nothing that bars the way.
            if (!(face.dot(directions[i]) < 0)) return;
            guard.place = hit.position;
            guard.normal = face.normalized();
        }
        guard.width = width * std::max(std::abs(guard.normal.dot(directions[i])), kLeastSteepness);
        guards[i] = guard;
    });
    return guards;
}

}  // namespace ductile
