// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/flatten/smooth_curve.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ductile {

SmoothCurve::SmoothCurve(std::vector<Vec2> points, double window)
    : points_(std::move(points)), sums_(points_.size(), 0.0), window_(0.5 * window) {
    DUCTILE_ASSERT(points_.size() >= 2 && window > 0.0, "a curve and a window");
    for (std::size_t i = 1; i < points_.size(); ++i) {
        const Vec2 step = points_[i] - points_[i - 1];
        DUCTILE_ASSERT(step.x() > 0.0, "ascending");
        sums_[i] = sums_[i - 1] + 0.5 * step.x() * (points_[i].y() + points_[i - 1].y());
    }
}

// The first and the last part go on straight beyond the ends.
double SmoothCurve::integral(double x) const {
    std::size_t i = 0;
    while (i + 2 < points_.size() && x > points_[i + 1].x()) ++i;
    const Vec2 step = points_[i + 1] - points_[i];
    const double along = x - points_[i].x();
    return sums_[i] + along * (points_[i].y() + 0.5 * along * step.y() / step.x());
}

double SmoothCurve::operator()(double x) const {
    return (integral(x + window_) - integral(x - window_)) / (2 * window_);
}

double polygon_distance(std::span<const Vec2> corners, const Vec2& p, double rounding) {
    double nearest_sq = std::numeric_limits<double>::infinity();
    bool is_inside = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2& a = corners[i];
        const Vec2& b = corners[(i + 1) % corners.size()];
        const Vec2 edge = b - a;
        const double along = std::clamp((p - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
        nearest_sq = std::min(nearest_sq, (p - a - along * edge).squaredNorm());
        if ((a.y() > p.y()) != (b.y() > p.y()) &&
            p.x() < a.x() + (p.y() - a.y()) / edge.y() * edge.x()) {
            is_inside = !is_inside;
        }
    }
    const double distance = std::sqrt(nearest_sq);
    return (is_inside ? -distance : distance) - rounding;
}

}  // namespace ductile
