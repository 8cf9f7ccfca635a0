// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/crease_cone.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// How many times its share of the neighbourhood a face may count: a face that takes a quarter of
// it, as each of four at a corner, may stand for all.
constexpr double kMostShare = 4.0;
// Normals this near to each other are one face's.
constexpr double kSameFace = 1.0 - 1e-12;
// Weight goes from the worst face to the best until both are as good as this.
constexpr double kEven = 1e-12;
constexpr int kMostExchanges = 200;
// Means shorter than this point nowhere.
constexpr double kLeastMean = 0.05;

double cross2(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Signed area that the disc shares with the triangle of the origin, a and b.
double sector_overlap(const Vec2& a, const Vec2& b, double radius) {
    const Vec2 way = b - a;
    const double square = way.squaredNorm(), radius_sq = radius * radius;
    const auto sector = [&](const Vec2& from, const Vec2& to) {
        return 0.5 * radius_sq * std::atan2(cross2(from, to), from.dot(to));
    };
    const double half = a.dot(way), under = half * half - square * (a.squaredNorm() - radius_sq);
    if (!(square > 0)) return 0.0;
    if (!(under > 0)) return sector(a, b);
    const double root = std::sqrt(under);
    const double first = std::clamp((-half - root) / square, 0.0, 1.0);
    const double last = std::clamp((-half + root) / square, 0.0, 1.0);
    const Vec2 in = a + first * way, out = a + last * way;
    return (first > 0 ? sector(a, in) : 0.0) + 0.5 * cross2(in, out) +
           (last < 1 ? sector(out, b) : 0.0);
}

}  // namespace

double disc_overlap(const std::array<Vec2, 3>& triangle, double radius) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += sector_overlap(triangle[k], triangle[(k + 1) % 3], radius);
    return std::max(sum, 0.0);
}

void NormalCone::add(const Vec3& normal, double area) {
    if (!(area > 0)) return;
    for (Face& face : faces_) {
        if (face.normal.dot(normal) < kSameFace) continue;
        face.area += area;
        return;
    }
    faces_.push_back({normal, area});
}

Vec3 NormalCone::nearest(const Vec3& wanted, const Vec3& own) const {
    double total = 0.0;
    for (const Face& face : faces_) total += face.area;
    if (!(total > 0)) return own;
    std::vector<double> weights;
    Vec3 mean = Vec3::Zero();
    for (const Face& face : faces_) {
        weights.push_back(face.area / total);
        mean += weights.back() * face.normal;
    }
    for (int left = kMostExchanges; left > 0; --left) {
        int best = -1, worst = -1;
        double least = kInfinity, most = -kInfinity;
        for (std::size_t f = 0; f < faces_.size(); ++f) {
            const double slope = faces_[f].normal.dot(mean - wanted);
            const double limit = std::min(1.0, kMostShare * faces_[f].area / total);
            if (slope < least && weights[f] < limit) {
                least = slope;
                best = static_cast<int>(f);
            }
            if (slope > most && weights[f] > 0) {
                most = slope;
                worst = static_cast<int>(f);
            }
        }
        if (best < 0 || worst < 0 || !(most - least > kEven)) break;
        const Vec3 turn = faces_[best].normal - faces_[worst].normal;
        const double limit = std::min(1.0, kMostShare * faces_[best].area / total);
        const double given =
            std::min({(most - least) / turn.squaredNorm(), weights[worst], limit - weights[best]});
        weights[best] += given;
        weights[worst] -= given;
        mean += given * turn;
    }
    return mean.norm() > kLeastMean ? Vec3(mean.normalized()) : own;
}

}  // namespace ductile
