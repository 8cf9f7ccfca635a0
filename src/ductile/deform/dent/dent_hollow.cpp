// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_hollow.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Places around the bottom of a hollow at which its walls are looked at.
constexpr int kWalls = 8;

// Whether the surface faces what comes along a direction.
bool faces(const SurfaceQuery& surface, const SurfacePoint& at, const Vec3& direction_b) {
    if (at.triangle < 0) return false;
    const Triangle& corners = surface.triangles()[at.triangle];
    const std::span<const Vec3> points = surface.points();
    const Vec3 normal =
        (points[corners[1]] - points[corners[0]]).cross(points[corners[2]] - points[corners[0]]);
    return normal.dot(direction_b) < 0;
}

}  // namespace

Vec3 lowered_to_surface(const SurfaceQuery& surface, const Vec3& place_b, const Vec3& direction_b,
                        double reach) {
    const SurfacePoint below = surface.first_hit(place_b, direction_b, reach);
    if (!faces(surface, below, direction_b)) return place_b;
    const SurfacePoint above = surface.first_hit(place_b, -direction_b, below.distance);
    return faces(surface, above, direction_b) ? place_b : below.position;
}

Vec3 lower_to_surface(const SurfaceQuery& surface, const Vec3& direction_b, double reach,
                      std::span<Vec3> places_b) {
    Vec3 sum = Vec3::Zero();
    for (Vec3& place : places_b) {
        place = lowered_to_surface(surface, place, direction_b, reach);
        sum += place;
    }
    const Vec3 middle = sum / static_cast<double>(places_b.size());
    return lowered_to_surface(surface, middle, direction_b, reach);
}

Vec3 rest_place(const BodyShape& shape, const SurfacePoint& at) {
    const Triangle& corners = shape.triangles()[static_cast<std::size_t>(at.triangle)];
    Vec3 rest = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        rest += at.barycentric[k] * shape.rest()[corners[static_cast<std::size_t>(k)]];
    }
    return rest;
}

double pushed_in(const BodyShape& shape, const SurfacePoint& at, const Vec3& direction_b) {
    return std::max(0.0, (at.position - rest_place(shape, at)).dot(direction_b));
}

double hollow_fit(const SurfaceQuery& surface, const PressCurve& press, const HollowFrame& frame,
                  double depth) {
    if (press.is_stamp() || !(depth > 0)) return 1.0;
    const double half = 0.5 * depth;
    const double radius = std::sqrt(press.area(std::min(half, press.distance())) / kPi);
    const Vec3 side = frame.direction_b.cross(frame.across_b);
    double sum = 0.0;
    for (int k = 0; k < kWalls; ++k) {
        const double angle = 2.0 * kPi * (k + 0.5) / kWalls;
        const Vec3 out = std::cos(angle) * frame.across_b + std::sin(angle) * side;
        const Vec3 start = frame.bottom_b + radius * out - 2.0 * depth * frame.direction_b;
        const SurfacePoint wall = surface.first_hit(start, frame.direction_b, 4.0 * depth);
        if (wall.triangle < 0) continue;
        sum += std::clamp((2.0 * depth - wall.distance) / half, 0.0, 1.0);
    }
    return sum / kWalls;
}

double reached_share(const SurfaceQuery& surface, const Vec3& place_b, const DentHit& hit) {
    const Vec3 start = place_b - hit.depth * hit.direction_b;
    const SurfacePoint at = surface.first_hit(start, hit.direction_b);
    if (at.triangle < 0) return 0.0;
    return attenuation(hit.attenuation, at.distance - hit.depth, hit.fade);
}

void lower_by_relief(const SurfaceQuery& surface, const ProjectilePress& striker,
                     ProjectileMap& map) {
    const Vec3 side = striker.from_b / std::cos(striker.slant);
    const Vec3 across = striker.direction_b.cross(striker.from_b);
    ProjectilePress own = striker;
    own.surface = &surface;
    own.to_body = {};
    own.direction_b = -striker.direction_b;
    own.slant = 0.0;
    own.lead = 0.0;  // the places lie on it
    own.box_b = {};
    const Vec2 half = 0.5 * map.map.cell * Vec2(map.map.columns, map.map.rows);
    for (const double x : {-half.x(), half.x()}) {
        for (const double y : {-half.y(), half.y()}) {
            const Vec3 corner = map.middle_b + x * side + y * across;
            own.box_b.add(Vec3(corner + striker.distance * striker.direction_b));
            own.box_b.add(Vec3(corner - striker.distance * striker.direction_b));
        }
    }
    const std::optional<ProjectileMap> relief = projectile_map(own);
    if (!relief) return;
    const Vec3 own_across = own.direction_b.cross(own.from_b);
    for (std::int32_t j = 0; j < map.map.rows; ++j) {
        for (std::int32_t i = 0; i < map.map.columns; ++i) {
            double& z = map.map.depths[static_cast<std::size_t>(j) *
                                           static_cast<std::size_t>(map.map.columns) +
                                       static_cast<std::size_t>(i)];
            const Vec3 apart =
                map.middle_b + map.map.x(i) * side + map.map.y(j) * across - relief->middle_b;
            const double met = relief->map.depth(apart.dot(own.from_b), apart.dot(own_across));
            z = std::max(0.0, z + met - striker.distance);
        }
    }
}

DentMap growth(const ProjectileMap& now, const ProjectileMap& before, const Vec3& side,
               const Vec3& across) {
    DentMap map = now.map;
    const Vec3 apart = now.middle_b - before.middle_b;
    const double x = apart.dot(side), y = apart.dot(across);
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            double& z = map.depths[static_cast<std::size_t>(j * map.columns + i)];
            z -= before.map.depth(map.x(i) + x, map.y(j) + y);
        }
    }
    return map;
}

}  // namespace ductile
