// SPDX-License-Identifier: MIT
// Section 3.3 of Brunel et al. 2020. The ball lies inside the soft body: it rests on the outward
// normal of the *rigid* surface.
#include <ductile/core/parallel.h>
#include <ductile/deform/press/contact_zone.h>
#include <ductile/deform/press/rolling_ball.h>
#include <ductile/geom/point_blocks.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace ductile {
namespace {

// Balls that one thread asks about in a row.
constexpr std::size_t kRow = 64;
// Of the soft mesh's edges.
constexpr double kPathSlack = 2.0;

class ZoneFinder {
public:
    ZoneFinder(const PressSurface& soft, const PressOverlap& overlap, const PressMapping& mapping,
               double reach, double radius, std::span<const double> factors)
        : soft_(soft), mapping_(mapping), place_(soft.points.size(), -1) {
        const std::span<const std::int32_t> points = mapping.points();
        for (std::size_t i = 0; i < points.size(); ++i) {
            place_[points[i]] = static_cast<std::int32_t>(i);
        }
        is_inside_.assign(points.size(), 0);
        for (const std::int32_t v : overlap.inside) is_inside_[place_[v]] = 1;
        balls_.resize(points.size());
        parallel_for(balls_.size(), 32, [&](std::size_t i) {
            balls_[i].at = mapping.lift(mapping.flat(static_cast<std::int32_t>(i)));
            balls_[i].radius = factors.empty() ? radius : radius * factors[points[i]];
            balls_[i].centre = balls_[i].at.position + balls_[i].radius * balls_[i].at.normal;
        });
        parallel_for(balls_.size(), 32, [&](std::size_t i) { balls_[i].lift = lift_of(i); });
        find_near(overlap, reach);
        blocks_ = std::make_unique<const PointBlocks>(projected_);
    }

    const RestingBall& ball(std::int32_t place) const { return balls_[place]; }
    bool is_inside(std::int32_t place) const { return is_inside_[place] != 0; }
    /// Of a soft vertex among those mapped; -1 if it is not.
    std::int32_t place(std::int32_t vertex) const { return place_[vertex]; }

    /// Whether the ball of a mapped vertex is free of other vertices.
    bool is_touching(std::int32_t place) const {
        return is_inside(place) && blocker_[place] == kNone;
    }

    /// Asks for every ball of the overlap. What is in the way of one is most often in that of the
    /// next along a curve through them; only where it is not, the tree is asked.
    void find_blockers() {
        std::vector<std::int32_t> places;
        std::vector<Vec3> centres;
        for (std::size_t i = 0; i < balls_.size(); ++i) {
            if (!is_inside_[i]) continue;
            places.push_back(static_cast<std::int32_t>(i));
            centres.push_back(balls_[i].centre);
        }
        const std::vector<std::int32_t> order = morton_order(centres);
        blocker_.assign(balls_.size(), kNone);
        parallel_for((order.size() + kRow - 1) / kRow, 1, [&](std::size_t row) {
            std::int32_t last = kNone;
            const std::size_t end = std::min(order.size(), (row + 1) * kRow);
            for (std::size_t k = row * kRow; k < end; ++k) {
                const std::int32_t found = blocker_of(places[order[k]], last);
                blocker_[places[order[k]]] = found;
                if (found != kNone) last = found;
            }
        });
    }

    /// How far the ball slides from one mapped vertex towards another, at most by `along`.
    double slide(std::int32_t inner, std::int32_t outer, double along) const {
        const RollingBall ball(balls_[inner], balls_[outer]);
        const std::int32_t a = mapping_.points()[inner];
        const std::int32_t b = is_inside(outer) ? mapping_.points()[outer] : a;
        const auto meet = [&](std::int32_t i, const Vec3& p) {
            if (near_[i] != a && near_[i] != b) along = ball.first_touch(p, along);
            return along > 0;
        };
        // What is in the way at the end is so before it: less is left to ask about.
        const std::int32_t known = blocker_[outer];
        if (known != kNone && !meet(known, projected_[known])) return along;
        blocks_->visit(RollingBall::Cull(ball, *blocks_, along), meet);
        return along;
    }

private:
    static constexpr std::int32_t kNone = -1;

    /// Something in the ball of a mapped vertex: `last` if that is, which may be kNone.
    std::int32_t blocker_of(std::int32_t place, std::int32_t last) const {
        const RollingBall ball(balls_[place], balls_[place]);
        const std::int32_t self = mapping_.points()[place];
        if (last != kNone && near_[last] != self && ball.holds(projected_[last])) return last;
        std::int32_t found = kNone;
        blocks_->visit(RollingBall::Cull(ball, *blocks_), [&](std::int32_t i, const Vec3& p) {
            if (near_[i] != self && ball.holds(p)) found = i;
            return found == kNone;
        });
        return found;
    }

    /// Where a soft vertex is once the overlap lies on the rigid surface.
    const Vec3& now(std::int32_t v) const {
        const std::int32_t place = place_[v];
        return place >= 0 && is_inside_[place] ? balls_[place].at.position : soft_.points[v];
    }

    void find_near(const PressOverlap& overlap, double reach) {
        Box reached;
        for (const RestingBall& ball : balls_) {
            reached.add(Vec3(ball.centre - Vec3::Constant(ball.radius)));
            reached.add(Vec3(ball.centre + Vec3::Constant(ball.radius)));
        }
        // So that a path may round what just sticks out of the box.
        const Vec3 slack = Vec3::Constant(kPathSlack * soft_.edge);
        const EdgeReach near = edge_reach(soft_.points, soft_.graph, overlap.inside, reach,
                                          {reached.lower - slack, reached.upper + slack});
        for (const std::int32_t v : near.vertices) {
            const Vec3& p = now(v);
            if (reached.distance_sq(p) > 0) continue;
            near_.push_back(v);
            projected_.push_back(p);
        }
    }

    double lift_of(std::size_t i) const {
        const RigidPlace& at = balls_[i].at;
        double lift = 0.0;
        for (const std::int32_t w : soft_.graph.of(mapping_.points()[i])) {
            if (place_[w] < 0) continue;
            lift = std::max(lift, (balls_[place_[w]].at.position - at.position).dot(at.normal));
        }
        return lift;
    }

    const PressSurface& soft_;
    const PressMapping& mapping_;
    std::vector<std::int32_t> place_;      ///< Per soft vertex.
    std::vector<std::uint8_t> is_inside_;  ///< Per mapped vertex.
    std::vector<RestingBall> balls_;       ///< Per mapped vertex.
    std::vector<std::int32_t> near_;       ///< Vertices that a ball can reach.
    std::vector<Vec3> projected_;          ///< Per entry of near_.
    std::vector<std::int32_t> blocker_;    ///< Per mapped vertex: an entry of near_, or kNone.
    std::unique_ptr<const PointBlocks> blocks_;
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
                              std::span<const EdgeCrossing> soft_crossings, double reach,
                              double radius, std::span<const double> factors) {
    ZoneFinder finder(soft, overlap, mapping, reach, radius, factors);
    finder.find_blockers();
    ContactZone zone;
    for (std::size_t i = 0; i < mapping.points().size(); ++i) {
        const auto at = static_cast<std::int32_t>(i);
        const std::int32_t v = mapping.points()[i];
        if (!finder.is_touching(at)) {
            if (!finder.is_inside(at)) continue;
            zone.beside.push_back(v);
            zone.below.push_back(finder.ball(at).at);
            continue;
        }
        zone.points.push_back(v);
        zone.touching.push_back(finder.ball(at).at);
        for (const std::int32_t w : soft.graph.of(v)) {
            const std::int32_t place = finder.place(w);
            if (place < 0 || finder.is_touching(place)) continue;
            ZoneCrossing& c = zone.border.emplace_back();
            c.inner = v;
            c.outer = w;
        }
    }
    parallel_for(zone.border.size(), 8, [&](std::size_t i) {
        ZoneCrossing& c = zone.border[i];
        const std::int32_t inner = finder.place(c.inner), outer = finder.place(c.outer);
        c.along = finder.slide(inner, outer, first_crossing(soft_crossings, c.inner, c.outer));
        c.rest = (1.0 - c.along) * soft.points[c.inner] + c.along * soft.points[c.outer];
        c.touching =
            mapping.lift((1.0 - c.along) * mapping.flat(inner) + c.along * mapping.flat(outer));
    });
    return zone;
}

}  // namespace ductile
