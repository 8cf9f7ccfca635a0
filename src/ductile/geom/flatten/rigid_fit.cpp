// SPDX-License-Identifier: MIT
#include <ductile/geom/flatten/rigid_fit.h>

#include <algorithm>
#include <cmath>

namespace ductile {

RigidFit::RigidFit(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   std::span<const Vec3> cotangents, bool is_mirrored)
    : triangles_(triangles) {
    corners_.reserve(triangles.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        const Vec3 u = points[t[1]] - points[t[0]], v = points[t[2]] - points[t[0]];
        const double length = u.norm();
        const Vec2 one(length, 0);
        Vec2 two =
            length > 0 ? Vec2(Vec2(u.dot(v), u.cross(v).norm()) / length) : Vec2(v.norm(), 0);
        if (is_mirrored) two.y() = -two.y();
        // Side k, across from corner k, times its weight; each corner has two of them.
        const Vec3& w = cotangents[f];
        const std::array<Vec2, 3> side = {w[0] * (one - two), w[1] * two, w[2] * -one};
        corners_.push_back({side[0] - side[2], side[1] - side[0]});
    }
}

void RigidFit::pull(std::span<const Vec2> flat, double scale, std::span<Vec2> right) const {
    std::fill(right.begin(), right.end(), Vec2::Zero());
    for (std::size_t f = 0; f < triangles_.size(); ++f) {
        const Triangle& t = triangles_[f];
        const auto& [one, two] = corners_[f];
        const Vec2 u = flat[t[1]] - flat[t[0]], v = flat[t[2]] - flat[t[0]];
        double cosine = u.dot(one) + v.dot(two);
        double sine = one.x() * u.y() - one.y() * u.x() + two.x() * v.y() - two.y() * v.x();
        const double length_sq = cosine * cosine + sine * sine;
        if (!(length_sq > 0)) continue;
        const double factor = scale / std::sqrt(length_sq);
        cosine *= factor;
        sine *= factor;
        const Vec2 p(cosine * one.x() - sine * one.y(), sine * one.x() + cosine * one.y());
        const Vec2 q(cosine * two.x() - sine * two.y(), sine * two.x() + cosine * two.y());
        right[t[1]] += p;
        right[t[2]] += q;
        right[t[0]] -= p + q;
    }
}

}  // namespace ductile
