// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/damage_map.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Width to length below which a face has no area: rounding would be its strain.
constexpr double kNeedle = 1e-6;

// How far a stretch is from 1, of the change of its square.
double from_square(double change) {
    // The plain sqrt(1 + change) - 1 would lose the small strains. A face cannot shrink below
    // nothing, but rounding may say so.
    const double stretch = std::sqrt(std::max(0.0, 1.0 + change));
    return std::abs(change / (1.0 + stretch));
}

}  // namespace

std::optional<double> face_strain(std::span<const Vec3> rest, std::span<const Vec3> now,
                                  const Triangle& t) {
    const Vec3 a = rest[t[1]] - rest[t[0]], b = rest[t[2]] - rest[t[0]];
    const Vec3 a_now = now[t[1]] - now[t[0]], b_now = now[t[2]] - now[t[0]];
    // The face at rest in a plane of its own: a = (length, 0), b = (along, across).
    const double length_sq = a.squaredNorm();
    const double length = std::sqrt(length_sq);
    const double across = length > 0.0 ? a.cross(b).norm() / length : 0.0;
    if (!(across > kNeedle * std::max(length, b.norm()))) return std::nullopt;
    const double along = a.dot(b) / length;
    // What the squares of lengths gained: F^T F - 1 for the deformation gradient F of the face.
    // From differences of the edges' products, so that it is exactly 0 where nothing changed.
    const double gained_aa = a_now.squaredNorm() - length_sq;
    const double gained_ab = a_now.dot(b_now) - a.dot(b);
    const double gained_bb = b_now.squaredNorm() - b.squaredNorm();
    const double xx = gained_aa / length_sq;
    const double xy = (gained_ab / length - along * xx) / across;
    const double yy = (gained_bb - along * (along * xx + 2.0 * across * xy)) / (across * across);
    const double mean = 0.5 * (xx + yy);
    const double spread = std::hypot(0.5 * (xx - yy), xy);
    return std::max(from_square(mean + spread), from_square(mean - spread));
}

DamageMap damage_map(std::span<const Vec3> rest, std::span<const Vec3> now,
                     std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(rest.size() == now.size(), "as many points as at rest");
    const std::vector<Vec3> normals = vertex_normals(rest, triangles);
    DamageMap map;
    map.depth.assign(rest.size(), 0.0);
    map.strain.assign(rest.size(), 0.0);
    map.scratch.assign(rest.size(), Vec3::Zero());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (now[i] == rest[i]) continue;  // no negative zeros
        const Vec3 move = now[i] - rest[i];
        const double raised = move.dot(normals[i]);
        map.depth[i] = -raised;
        map.scratch[i] = move - raised * normals[i];
    }
    std::vector<double> areas(rest.size(), 0.0);
    for (const Triangle& t : triangles) {
        const std::optional<double> strain = face_strain(rest, now, t);
        if (!strain) continue;
        const double area = area_vector(rest, t).norm();
        for (const std::int32_t v : t) {
            areas[v] += area;
            map.strain[v] += area * *strain;
        }
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (areas[i] > 0.0) map.strain[i] /= areas[i];
    }
    return map;
}

}  // namespace ductile
