// SPDX-License-Identifier: MIT
// Section 3.3 of Brunel et al. 2020. The ball lies inside the soft body: it rests on the outward
// normal of the *rigid* surface.
#include <ductile/core/parallel.h>
#include <ductile/deform/press/contact_zone.h>
#include <ductile/geom/point_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace ductile {
namespace {

// A vertex as deep in the ball as rounding could put it does not count.
constexpr double kInBall = 1.0 - 1e-9;

/// A ball that rests on a mapped vertex, and the height above it from which others count.
struct RestingBall {
    RigidPlace at;
    Vec3 centre = Vec3::Zero();
    double lift = 0.0;  ///< The seed's lambda: the one-ring lies below it [m].
};

/// Of a x^2 + b x + c, ascending.
std::array<double, 2> real_roots(double a, double b, double c, int& count) {
    count = 0;
    if (std::abs(a) <= 1e-14 * (std::abs(b) + std::abs(c))) {
        if (b == 0) return {};
        count = 1;
        return {-c / b, 0.0};
    }
    const double under = b * b - 4 * a * c;
    if (under < 0) return {};
    // The stable form: no difference of near-equal numbers.
    const double q = -0.5 * (b + std::copysign(std::sqrt(under), b));
    count = 2;
    const double x = q / a, y = q != 0 ? c / q : x;
    return {std::min(x, y), std::max(x, y)};
}

class BallPath {
public:
    BallPath(const RestingBall& from, const RestingBall& to, double radius)
        : from_(from), to_(to), radius_sq_(radius * radius * kInBall) {}

    /// Least share of the way at which p is in the ball and above its plane; 1 if never.
    double first_touch(const Vec3& p) const {
        const Vec3 c0 = from_.centre - p, dc = to_.centre - from_.centre;
        int count = 0;
        const auto roots =
            real_roots(dc.squaredNorm(), 2 * c0.dot(dc), c0.squaredNorm() - radius_sq_, count);
        if (count < 2) return c0.squaredNorm() < radius_sq_ ? first_above(p, 0.0, 1.0) : 1.0;
        const double low = std::max(roots[0], 0.0), high = std::min(roots[1], 1.0);
        return low <= high ? first_above(p, low, high) : 1.0;
    }

private:
    // (p - l(x)) . n(x) with both linear in x is a quadratic.
    double first_above(const Vec3& p, double low, double high) const {
        const Vec3 l0 = p - (from_.at.position + from_.lift * from_.at.normal);
        const Vec3 l1 = p - (to_.at.position + to_.lift * to_.at.normal);
        const Vec3 &n0 = from_.at.normal, &n1 = to_.at.normal;
        const double c = l0.dot(n0), b = (l1 - l0).dot(n0) + l0.dot(n1 - n0);
        const double a = (l1 - l0).dot(n1 - n0);
        const auto height = [&](double x) { return (a * x + b) * x + c; };
        const double noise = 1e-12 * (l0.norm() + l1.norm());
        if (height(low) > noise) return low;
        int count = 0;
        const auto roots = real_roots(a, b, c, count);
        for (int k = 0; k < count; ++k) {
            if (roots[k] < low || roots[k] > high) continue;
            if (2 * a * roots[k] + b > 0) return roots[k];
        }
        return 1.0;
    }

    const RestingBall &from_, &to_;
    double radius_sq_;
};

class ZoneFinder {
public:
    ZoneFinder(const PressSurface& soft, const PressOverlap& overlap, const PressMapping& mapping,
               std::span<const std::int32_t> near, double radius)
        : soft_(soft), mapping_(mapping), near_(near), radius_(radius) {
        is_inside_.assign(mapping.points().size(), 0);
        for (const std::int32_t v : overlap.inside) is_inside_[mapping.place(v)] = 1;
        balls_.resize(mapping.points().size());
        parallel_for(balls_.size(), 32, [&](std::size_t i) {
            balls_[i].at = mapping.lift(mapping.flat(static_cast<std::int32_t>(i)));
            balls_[i].centre = balls_[i].at.position + radius * balls_[i].at.normal;
        });
        for (const std::int32_t v : near) projected_.push_back(now(v));
        tree_ = std::make_shared<const PointTree>(projected_);
        boxes_ = std::make_unique<PointBoxes>(tree_, projected_);
        parallel_for(balls_.size(), 32, [&](std::size_t i) { balls_[i].lift = lift_of(i); });
    }

    const RestingBall& ball(std::int32_t place) const { return balls_[place]; }
    bool is_inside(std::int32_t place) const { return is_inside_[place] != 0; }

    bool fits(std::int32_t place) const {
        const RestingBall& ball = balls_[place];
        const double reach_sq = radius_ * radius_ * kInBall;
        const std::int32_t self = mapping_.points()[place];
        bool is_free = true;
        boxes_->visit(
            [&](const Box& box) { return is_free && box.distance_sq(ball.centre) < reach_sq; },
            [&](std::int32_t leaf) {
                for (const std::int32_t i : tree_->points_of(leaf)) {
                    const Vec3& p = projected_[i];
                    if ((p - ball.centre).squaredNorm() >= reach_sq) continue;
                    const double height = (p - ball.at.position).dot(ball.at.normal);
                    if (near_[i] == self || !(height > ball.lift)) continue;
                    is_free = false;
                }
            });
        return is_free;
    }

    /// How far the ball slides from one mapped vertex towards another.
    double slide(std::int32_t inner, std::int32_t outer) const {
        RestingBall to = balls_[outer];
        if (!is_inside(outer)) to.lift = balls_[inner].lift;
        const BallPath path(balls_[inner], to, radius_);
        Box swept;
        for (const Vec3& c : {balls_[inner].centre, to.centre}) {
            swept.add(Vec3(c - Vec3::Constant(radius_)));
            swept.add(Vec3(c + Vec3::Constant(radius_)));
        }
        const std::int32_t a = mapping_.points()[inner], b = mapping_.points()[outer];
        double along = 1.0;
        boxes_->visit([&](const Box& box) { return swept.overlaps(box); },
                      [&](std::int32_t leaf) {
                          for (const std::int32_t i : tree_->points_of(leaf)) {
                              if (near_[i] == a || near_[i] == b) continue;
                              along = std::min(along, path.first_touch(projected_[i]));
                          }
                      });
        return along;
    }

private:
    /// Where a soft vertex is once the overlap lies on the rigid surface.
    const Vec3& now(std::int32_t v) const {
        const std::int32_t place = mapping_.place(v);
        return place >= 0 && is_inside_[place] ? balls_[place].at.position : soft_.points[v];
    }

    double lift_of(std::size_t i) const {
        const RigidPlace& at = balls_[i].at;
        double lift = 0.0;
        for (const std::int32_t w : soft_.graph.of(mapping_.points()[i])) {
            lift = std::max(lift, (now(w) - at.position).dot(at.normal));
        }
        return lift;
    }

    const PressSurface& soft_;
    const PressMapping& mapping_;
    std::span<const std::int32_t> near_;
    double radius_;
    std::vector<std::uint8_t> is_inside_;  ///< Per mapped vertex.
    std::vector<RestingBall> balls_;       ///< Per mapped vertex.
    std::vector<Vec3> projected_;          ///< Per entry of near_.
    std::shared_ptr<const PointTree> tree_;
    std::unique_ptr<PointBoxes> boxes_;
};

/// How far from `inner` an edge stays within the overlap; 1 if nothing crosses it.
double first_crossing(std::span<const EdgeCrossing> crossings, std::int32_t inner,
                      std::int32_t outer) {
    const std::pair edge(std::min(inner, outer), std::max(inner, outer));
    auto at = std::lower_bound(
        crossings.begin(), crossings.end(), edge,
        [](const EdgeCrossing& c, const auto& e) { return std::pair(c.low, c.high) < e; });
    double least = 1.0;
    for (; at != crossings.end() && std::pair(at->low, at->high) == edge; ++at) {
        least = std::min(least, inner < outer ? at->along : 1.0 - at->along);
    }
    return least;
}

}  // namespace

ContactZone find_contact_zone(const PressSurface& soft, const PressOverlap& overlap,
                              const PressMapping& mapping,
                              std::span<const EdgeCrossing> soft_crossings,
                              std::span<const std::int32_t> near, double radius) {
    const ZoneFinder finder(soft, overlap, mapping, near, radius);
    std::vector<std::uint8_t> is_touching(mapping.points().size(), 0);
    parallel_for(is_touching.size(), 16, [&](std::size_t i) {
        const auto place = static_cast<std::int32_t>(i);
        is_touching[i] = finder.is_inside(place) && finder.fits(place);
    });
    ContactZone zone;
    for (std::size_t i = 0; i < is_touching.size(); ++i) {
        const std::int32_t v = mapping.points()[i];
        if (!is_touching[i]) {
            if (!finder.is_inside(static_cast<std::int32_t>(i))) continue;
            zone.beside.push_back(v);
            zone.below.push_back(finder.ball(static_cast<std::int32_t>(i)).at);
            continue;
        }
        zone.points.push_back(v);
        zone.touching.push_back(finder.ball(static_cast<std::int32_t>(i)).at);
        for (const std::int32_t w : soft.graph.of(v)) {
            const std::int32_t place = mapping.place(w);
            if (place < 0 || is_touching[place]) continue;
            ZoneCrossing& c = zone.border.emplace_back();
            c.inner = v;
            c.outer = w;
        }
    }
    parallel_for(zone.border.size(), 16, [&](std::size_t i) {
        ZoneCrossing& c = zone.border[i];
        const std::int32_t inner = mapping.place(c.inner), outer = mapping.place(c.outer);
        c.along =
            std::min(finder.slide(inner, outer), first_crossing(soft_crossings, c.inner, c.outer));
        c.rest = (1.0 - c.along) * soft.points[c.inner] + c.along * soft.points[c.outer];
        c.touching =
            mapping.lift((1.0 - c.along) * mapping.flat(inner) + c.along * mapping.flat(outer));
    });
    return zone;
}

}  // namespace ductile
