// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_striker.h>
#include <ductile/geom/query/surface_query.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Samples of the front along each side of the window.
constexpr std::int32_t kFrontGrid = 64;
// Rays start this share of the body's size ahead of what touches.
constexpr double kAhead = 0.02;
// Points of the body lie on the very edge of the window: they are in it, up to so many cells out.
constexpr double kOnEdge = 1e-6;

// An impact is told of up to a step after the touch: by how far along the way the other body has to
// be moved so that the places that touch do [m].
double touching_shift(const BodyImpact& impact, const Vec3& direction) {
    if (impact.starts_b.empty() || impact.other_starts.empty()) return 0.0;
    double own = 0.0, other = -kInfinity;
    for (const Vec3& p : impact.starts_b) own += p.dot(direction) / double(impact.starts_b.size());
    for (const Vec3& p : impact.other_starts) {
        other = std::max(other, impact.other_to_body.point(p).dot(direction));
    }
    return own - other;
}

}  // namespace

StrikerMap::StrikerMap(const Vec3& direction, const Vec3& place)
    : direction_(direction),
      side_(any_perpendicular(direction)),
      across_(direction.cross(side_)),
      plane_(place.dot(direction)) {}

StrikerMap::StrikerMap(const BodyImpact& impact, const Vec3& direction, const Box& body,
                       double size)
    : StrikerMap(direction, impact.point_b) {
    if (!impact.other_surface || impact.other_surface->triangles().empty()) return;
    Transform to_body = impact.other_to_body;
    to_body.translation += touching_shift(impact, direction) * direction;
    // Only where both bodies are.
    const auto window = [&](const Box& box, const Transform& pose, Vec2& low, Vec2& high) {
        for (int k = 0; k < 8; ++k) {
            const Vec3 p = pose.point(Vec3(k & 1 ? box.upper.x() : box.lower.x(),
                                           k & 2 ? box.upper.y() : box.lower.y(),
                                           k & 4 ? box.upper.z() : box.lower.z()));
            const Vec2 at(p.dot(side_), p.dot(across_));
            low = low.cwiseMin(at);
            high = high.cwiseMax(at);
        }
    };
    Vec2 low = Vec2::Constant(kInfinity), high = -low, other_low = low, other_high = high;
    window(body, {}, low, high);
    window(impact.other_surface->box(), to_body, other_low, other_high);
    low = low.cwiseMax(other_low);
    high = high.cwiseMin(other_high);
    if (!((high - low).minCoeff() > 0)) return;
    double front = plane_;
    for (const Vec3& p : impact.starts_b) front = std::max(front, p.dot(direction_));
    front += kAhead * size;
    columns_ = rows_ = kFrontGrid;
    cell_ = (high - low) / double(kFrontGrid);
    corner_ = low + 0.5 * cell_;
    heights_.assign(std::size_t(columns_) * std::size_t(rows_), -kInfinity);
    const Vec3 back = to_body.inverse_direction(-direction_);
    bool is_any = false;
    for (std::int32_t j = 0; j < rows_; ++j) {
        for (std::int32_t i = 0; i < columns_; ++i) {
            const Vec2 at = corner_ + Vec2(i, j).cwiseProduct(cell_);
            const Vec3 from = at.x() * side_ + at.y() * across_ + front * direction_;
            const SurfacePoint hit =
                impact.other_surface->first_hit(to_body.inverse_point(from), back);
            if (hit.triangle < 0) continue;
            heights_[std::size_t(j * columns_ + i)] = front - hit.distance;
            is_any = true;
        }
    }
    if (!is_any) heights_.clear();
}

double StrikerMap::height(double x, double y) const {
    if (heights_.empty()) return plane_;
    const double u = (x - corner_.x()) / cell_.x(), v = (y - corner_.y()) / cell_.y();
    const double least = -0.5 - kOnEdge, most = 0.5 + kOnEdge;
    if (!(u >= least && v >= least && u <= columns_ - 1 + most && v <= rows_ - 1 + most)) {
        return -kInfinity;
    }
    const auto i = std::clamp(std::int32_t(std::floor(u)), 0, columns_ - 2);
    const auto j = std::clamp(std::int32_t(std::floor(v)), 0, rows_ - 2);
    const double s = std::clamp(u - i, 0.0, 1.0), t = std::clamp(v - j, 0.0, 1.0);
    const auto at = [&](std::int32_t a, std::int32_t b) {
        return heights_[std::size_t((j + b) * columns_ + i + a)];
    };
    const double low = std::min({at(0, 0), at(1, 0), at(0, 1), at(1, 1)});
    // At its outline there is nothing to interpolate.
    if (low == -kInfinity) return at(s < 0.5 ? 0 : 1, t < 0.5 ? 0 : 1);
    return (1 - t) * ((1 - s) * at(0, 0) + s * at(1, 0)) + t * ((1 - s) * at(0, 1) + s * at(1, 1));
}

double StrikerMap::gap(const Vec3& p, double way) const {
    return p.dot(direction_) - height(p.dot(side_), p.dot(across_)) - start_ - way;
}

bool StrikerMap::touch(std::span<const Vec3> points, double behind) {
    double least = kInfinity;
    for (const Vec3& p : points) {
        const double g = gap(p);
        if (g > -behind) least = std::min(least, g);
    }
    if (!std::isfinite(least)) return false;
    start_ += least;
    return true;
}

Vec3 push_direction(const BodyImpact& impact, double friction) {
    const Vec3 in = -impact.normal_b;
    const double speed = impact.velocity_b.dot(in);
    const Vec3 sideways = impact.velocity_b - speed * in;
    if (!(speed > 0) || !(sideways.norm() > 1e-9 * speed)) return in;
    const double slope = std::min(friction, sideways.norm() / speed);
    return (in + slope * sideways.normalized()).normalized();
}

}  // namespace ductile
