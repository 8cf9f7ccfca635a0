// SPDX-License-Identifier: MIT
// The analytic dent of Patkar et al. 2014, "Efficient Denting and Bending of Rigid Bodies", section
// 3.1: D(x, y, z) = a(z) D^(x, y), a Gaussian D^ over the plane through the struck point, a
// logistic attenuation a. We differ in two places. The Gaussian is lowered so that it ends at a
// radius: a hit has a reach, and what is beyond it need not be touched. The attenuation's length is
// the radius, not the depth: on a curved body (a barrel's side lies r^2 / 2R behind its tangent
// plane) the seed's shorter length would narrow shallow dents to slits.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/gaussian_dent.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A Gaussian of width radius / 3 has fallen to exp(-4.5) at the radius.
const double kFloor = std::exp(-4.5);

double profile_sq(double distance_sq, double radius_sq) {
    if (!(distance_sq < radius_sq)) return 0.0;  // also NaN
    return (std::exp(-4.5 * distance_sq / radius_sq) - kFloor) / (1.0 - kFloor);
}

double attenuation(Attenuation kind, double z, double fade) {
    if (kind == Attenuation::None || z <= 0) return 1.0;
    return 2.0 / (1.0 + std::exp(z / fade));
}

// Squared distance from p to the nearest of the dent's axes.
double axis_distance_sq(const Vec3& p, const DentHit& hit) {
    const auto to = [&](const Vec3& start) {
        const Vec3 d = p - start;
        const double along = d.dot(hit.direction_b);
        return std::max(0.0, d.squaredNorm() - along * along);
    };
    if (hit.starts.empty()) return to(hit.position_b);
    double best = to(hit.starts[0].position_b);
    for (std::size_t i = 1; i < hit.starts.size(); ++i) {
        best = std::min(best, to(hit.starts[i].position_b));
    }
    return best;
}

}  // namespace

double gaussian_profile(double distance, double radius) {
    return profile_sq(distance * distance, radius * radius);
}

void press_dent(std::span<Vec3> points, std::span<const Vec3> rest, const DentHit& hit,
                double amount) {
    DUCTILE_ASSERT(points.size() == rest.size(), "a rest place per point");
    const double depth = std::min(hit.depth * amount, hit.total_limit);
    if (!(depth > 0)) return;
    const double radius_sq = hit.radius * hit.radius;
    const double fade = hit.fade > 0 ? hit.fade : hit.radius;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double profile = profile_sq(axis_distance_sq(points[i], hit), radius_sq);
        if (profile <= 0) continue;
        const double z = (points[i] - hit.position_b).dot(hit.direction_b);
        const double moved = (points[i] - rest[i]).norm();
        const double room = std::max(0.0, 1.0 - moved / hit.total_limit);
        points[i] +=
            (depth * profile * attenuation(hit.attenuation, z, fade) * room) * hit.direction_b;
    }
}

Status check_dent(DentHit& hit) {
    bool finite = hit.position_b.allFinite() && hit.direction_b.allFinite();
    for (const DentStart& s : hit.starts) finite = finite && s.position_b.allFinite();
    if (!finite) return Error{"a dent's position and direction must be finite", "", ""};
    if (!(hit.depth >= 0 && hit.depth < 1e9) || !(hit.radius > 0 && hit.radius < 1e9) ||
        !(hit.fade >= 0 && hit.fade < 1e9) || !(hit.total_limit >= 0)) {
        return Error{"a dent needs a depth of 0 or more and a radius above 0", "", ""};
    }
    const double length = hit.direction_b.norm();
    if (!(length > 1e-12)) return Error{"a dent's direction has no length", "", ""};
    // A direction that was saved stays as it was, bit for bit.
    if (std::abs(length - 1.0) > 1e-12) hit.direction_b /= length;
    return {};
}

double footprint_count(std::span<const Vec3> starts, double radius) {
    double count = 0.0;
    for (const Vec3& p : starts) {
        double shared = 0.0;
        for (const Vec3& q : starts) shared += gaussian_profile((p - q).norm(), radius);
        count += 1.0 / shared;
    }
    return std::max(1.0, count);
}

}  // namespace ductile
