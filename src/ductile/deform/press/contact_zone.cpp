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

/// Calls `body(i, last)` for all i, some in a row on one thread: `last` is kept along the row.
template <class Body>
void for_blocks(std::size_t count, Body&& body) {
    constexpr std::size_t kBlock = 64;
    parallel_for((count + kBlock - 1) / kBlock, 1, [&](std::size_t block) {
        std::int32_t last = -1;
        const std::size_t end = std::min(count, (block + 1) * kBlock);
        for (std::size_t i = block * kBlock; i < end; ++i) body(i, last);
    });
}

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

    /// Whether the ball of a mapped vertex has nothing in it. `last`: the place of what was found
    /// in the ball before, likely to be in this one too; -1 for none.
    bool fits(std::int32_t place, std::int32_t& last) const {
        const RollingBall ball(balls_[place], balls_[place]);
        const std::int32_t self = mapping_.points()[place];
        if (last >= 0 && near_[last] != self && ball.holds(projected_[last])) return false;
        bool is_free = true;
        blocks_->visit(RollingBall::Cull(ball, *blocks_), [&](std::int32_t i, const Vec3& p) {
            is_free = near_[i] == self || !ball.holds(p);
            if (!is_free) last = i;
            return is_free;
        });
        return is_free;
    }

    /// How far the ball slides from one mapped vertex towards another. `last` as above.
    double slide(std::int32_t inner, std::int32_t outer, std::int32_t& last) const {
        const RollingBall ball(balls_[inner], balls_[outer]);
        const std::int32_t a = mapping_.points()[inner];
        const std::int32_t b = is_inside(outer) ? mapping_.points()[outer] : a;
        double along = 1.0;
        const auto meet = [&](std::int32_t i, const Vec3& p) {
            if (near_[i] == a || near_[i] == b) return true;
            const double now = ball.first_touch(p, along);
            if (now < along) last = i;
            along = now;
            return along > 0;
        };
        if (last >= 0 && !meet(last, projected_[last])) return along;
        blocks_->visit(RollingBall::Cull(ball, *blocks_, along), meet);
        return along;
    }

private:
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
    const ZoneFinder finder(soft, overlap, mapping, reach, radius, factors);
    std::vector<std::uint8_t> is_touching(mapping.points().size(), 0);
    for_blocks(is_touching.size(), [&](std::size_t i, std::int32_t& last) {
        const auto place = static_cast<std::int32_t>(i);
        is_touching[i] = finder.is_inside(place) && finder.fits(place, last);
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
            const std::int32_t place = finder.place(w);
            if (place < 0 || is_touching[place]) continue;
            ZoneCrossing& c = zone.border.emplace_back();
            c.inner = v;
            c.outer = w;
        }
    }
    for_blocks(zone.border.size(), [&](std::size_t i, std::int32_t& last) {
        ZoneCrossing& c = zone.border[i];
        const std::int32_t inner = finder.place(c.inner), outer = finder.place(c.outer);
        c.along = std::min(finder.slide(inner, outer, last),
                           first_crossing(soft_crossings, c.inner, c.outer));
        c.rest = (1.0 - c.along) * soft.points[c.inner] + c.along * soft.points[c.outer];
        c.touching =
            mapping.lift((1.0 - c.along) * mapping.flat(inner) + c.along * mapping.flat(outer));
    });
    return zone;
}

}  // namespace ductile
