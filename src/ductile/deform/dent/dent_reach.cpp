// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_reach.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// press_dent takes the squared distance from an axis as the difference of two squares, along a
// direction that is of unit length to 1e-12: so it is off by up to 2e-12 of the squared distance
// from the start, and by rounding, which is far less. Five times that to be safe.
constexpr double kSlack = 1e-11;

// Whether a plane along the axis parts the box from the cylinder around it. The plane faces the
// box's middle, so it finds any gap but those beside a box's corner.
bool is_beside(const Vec3& start, const DentHit& hit, const Vec3& middle, const Vec3& half) {
    const Vec3 d = middle - start;
    const Vec3 across = d - d.dot(hit.direction_b) * hit.direction_b;
    const double distance = across.norm();
    const double furthest = d.norm() + half.norm();
    const double slack = kSlack * furthest * furthest;
    // Divided by the distance only where there is one: the product of both sides with it.
    const double gap = distance * distance - half.dot(across.cwiseAbs());
    return gap > distance * std::sqrt(hit.radius * hit.radius + slack) + slack;
}

}  // namespace

bool may_move(const DentHit& hit, const Box& box) {
    const Vec3 middle = box.centre();
    const Vec3 half = 0.5 * (box.upper - box.lower);
    if (hit.starts.empty()) return !is_beside(hit.position_b, hit, middle, half);
    return !std::all_of(hit.starts.begin(), hit.starts.end(), [&](const DentStart& s) {
        return is_beside(s.position_b, hit, middle, half);
    });
}

}  // namespace ductile
