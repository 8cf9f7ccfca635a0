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
// How far inside a point may be to be brought to the nearest place, as a share of the depth; and
// how far off it must be for its way there to be a direction.
constexpr double kSpreadReach = 1.0, kLeastOff = 1e-4;

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

void spread_guards(const PressRegion& region, std::span<const double> radial,
                   const PressGuides& guides, std::span<const Vec3> reached,
                   const SurfaceQuery& rigid, std::span<const RigidSide> sides,
                   std::vector<PressGuard>& guards) {
    std::vector<std::int32_t> guard_of(region.points.size(), -1), asked;
    for (std::size_t g = 0; g < guards.size(); ++g) {
        guard_of[guards[g].point] = static_cast<std::int32_t>(g);
    }
    const Box box = rigid.box();
    const auto reach_of = [&](std::int32_t i) {
        return std::max(kSpreadReach * guides.amplitude[i],
                        width_at(radial[i], guides.amplitude[i]));
    };
    for (std::size_t k = 0; k < region.points.size(); ++k) {
        const auto i = static_cast<std::int32_t>(k);
        if (region.is_contact[i] || !(radial[i] < 1.0)) continue;
        if (sides[region.vertices[i]] == RigidSide::Unknown) continue;
        const double reach = reach_of(i);
        if (box.distance_sq(reached[i]) > reach * reach) continue;
        if (guard_of[i] < 0) {
            guard_of[i] = static_cast<std::int32_t>(guards.size());
            guards.push_back({.point = i});
        }
        asked.push_back(i);
    }
    parallel_for(asked.size(), 32, [&](std::size_t k) {
        const std::int32_t i = asked[k];
        PressGuard& guard = guards[guard_of[i]];
        const bool is_new = guard.normal == Vec3::Zero();
        const SurfacePoint near = rigid.closest_point(reached[i], reach_of(i));
        if (near.triangle < 0) {
            if (is_new) guard.point = -1;
            return;
        }
        Vec3 normal = area_vector(rigid.points(), rigid.triangles()[near.triangle]).normalized();
        const Vec3 off = reached[i] - near.position;
        const bool is_inside = off.dot(normal) < 0;
        if (off.norm() > kLeastOff * reach_of(i)) {
            normal = (is_inside ? -1.0 : 1.0) * off.normalized();
        }
        if (!is_new && guard.normal.dot(normal) < 0) return;
        const double width = width_at(radial[i], guides.amplitude[i]);
        if (!is_inside && off.norm() >= width) {
            if (is_new) guard.point = -1;
            // Out of the way: what barred it stood elsewhere.
            guard = is_new ? guard : PressGuard{i, near.position, normal, width};
            return;
        }
        guard = {i, near.position, normal, width};
    });
    std::erase_if(guards, [](const PressGuard& guard) { return guard.point < 0; });
    std::sort(guards.begin(), guards.end(),
              [](const PressGuard& a, const PressGuard& b) { return a.point < b.point; });
}

}  // namespace ductile
