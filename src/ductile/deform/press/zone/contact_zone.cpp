// SPDX-License-Identifier: MIT
// Section 3.3 of Brunel et al. 2020. The ball lies inside the soft body: it rests on the outward
// normal of the *rigid* surface.
#include <ductile/core/parallel.h>
#include <ductile/core/smooth_step.h>
#include <ductile/core/stamped_array.h>
#include <ductile/deform/press/zone/ball_obstacles.h>
#include <ductile/deform/press/zone/contact_zone.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Of the soft mesh's edges.
constexpr double kPathSlack = 2.0;
// How near a crease a vertex counts as lying at it, in mean edges around it as they are mapped.
constexpr double kCreaseReach = 1.25;
// Balls whose normals turn by more than 15 degrees from end to end of an edge roll in legs.
constexpr double kStraightCosine = 0.966;
// From 78 degrees on neighbours of the vertex that a ball leaves are not in its way at all.
constexpr double kTurnedCosine = 0.2;
constexpr int kLegs = 4;

/// The balls of one overlap, and which of them are free.
class ZoneFinder {
public:
    ZoneFinder(const PressSurface& soft, const PressOverlap& overlap, const PressMapping& mapping,
               double radius, std::span<const double> factors)
        : soft_(soft),
          mapping_(mapping),
          index_(soft.points.size(), -1),
          is_inside_(mapping.points().size(), 0),
          balls_(make_balls(overlap, radius, factors)),
          obstacles_(find_obstacles(overlap)) {
        for (const std::int32_t v : overlap.inside)
            overlap_balls_.push_back({&balls_[index_[v]], v});
        const std::vector<std::int32_t> found = obstacles_.find_blockers(overlap_balls_);
        blocker_.assign(balls_.size(), BallObstacles::kNone);
        for (std::size_t i = 0; i < found.size(); ++i) {
            blocker_[index_[overlap_balls_[i].vertex]] = found[i];
        }
    }
    /// Whether a ball rests at a crease.
    bool is_sharp() const {
        return std::any_of(balls_.begin(), balls_.end(),
                           [](const RestingBall& ball) { return ball.at.is_at_crease; });
    }
    double fitting_share() const { return obstacles_.fitting_share(overlap_balls_); }

    const RestingBall& ball(std::int32_t index) const { return balls_[index]; }
    bool is_inside(std::int32_t index) const { return is_inside_[index] != 0; }
    /// Of a soft vertex among those mapped; -1 if it is not.
    std::int32_t index_of(std::int32_t vertex) const { return index_[vertex]; }

    /// Whether the ball of a mapped vertex is free of other vertices.
    bool is_touching(std::int32_t index) const {
        return is_inside(index) && blocker_[index] == BallObstacles::kNone;
    }

    /// Along which the ball rests that slid to a border: between those of its two ends.
    Vec3 normal_at(const ZoneCrossing& c) const {
        const Vec3 &inner = balls_[index_[c.inner]].at.normal,
                   &outer = balls_[index_[c.outer]].at.normal;
        const Vec3 sum = (1.0 - c.along) * inner + c.along * outer;
        return sum.norm() > 0 ? Vec3(sum.normalized()) : inner;
    }

    /// The ball that rests on the rigid surface at a share of the way between two mapped vertices.
    RestingBall ball_between(std::int32_t from, std::int32_t to, double share) const {
        const auto mix = [&](const auto& a, const auto& b) {
            return (1.0 - share) * a + share * b;
        };
        const RestingBall &a = balls_[from], &b = balls_[to];
        RestingBall ball;
        const Vec2 flat = mix(mapping_.flat(from), mapping_.flat(to));
        ball.at = mapping_.lift(flat);
        if (a.at.is_at_crease || b.at.is_at_crease) {
            const CreaseView &view = views_[from], &other = views_[to];
            const Vec3 inward = mix(view.inward, other.inward);
            if (inward.norm() > 0) {
                mapping_.plane().turn_to(inward.normalized(), flat, mix(view.reach, other.reach),
                                         ball.at);
            }
        }
        ball.radius = mix(a.radius, b.radius);
        ball.lift = mix(a.lift, b.lift);
        ball.centre = ball.at.position + ball.radius * ball.at.normal;
        return ball;
    }

    /// How far balls slide along the edges of the border, at most by `along` each. One that rolls
    /// around a crease goes in legs: between far normals a straight way is none that a ball rolls.
    void slide(std::span<ZoneCrossing> border) const {
        std::vector<BallObstacles::Slide> slides;
        slides.reserve(border.size());
        std::vector<std::size_t> rolling;
        for (std::size_t i = 0; i < border.size(); ++i) {
            const ZoneCrossing& c = border[i];
            const std::int32_t inner = index_[c.inner], outer = index_[c.outer];
            // What is in the way at the end is so before it.
            slides.push_back({&balls_[inner],
                              &balls_[outer],
                              {c.inner, is_inside(outer) ? c.outer : c.inner},
                              blocker_[outer],
                              c.along});
            if (is_rolling(balls_[inner], balls_[outer])) {
                rolling.push_back(i);
                slides.back().along = 0.0;
            }
        }
        obstacles_.shorten(slides);
        roll_past_neighbours(border, rolling, slides);
        for (std::size_t i = 0; i < border.size(); ++i) border[i].along = slides[i].along;
    }

private:
    /// What a ball near a crease is turned by.
    struct CreaseView {
        Vec3 inward = Vec3::Zero();  ///< Into the soft body, unit.
        double reach = 0.0;          ///< In the plane.
    };

    static bool is_rolling(const RestingBall& from, const RestingBall& to) {
        return (from.at.is_at_crease || to.at.is_at_crease) &&
               from.at.normal.dot(to.at.normal) < kStraightCosine;
    }

    /// A ball that leaves an edge sideways passes the vertices that lie along it, its own vertex's
    /// neighbours: they are in its way the less the further it turns, so that nothing jumps.
    void roll_past_neighbours(std::span<const ZoneCrossing> border,
                              std::span<const std::size_t> rolling,
                              std::span<BallObstacles::Slide> slides) const {
        for (const std::size_t i : rolling) slides[i].beside = soft_.graph[border[i].inner];
        roll(border, rolling, slides);
        for (const std::size_t i : rolling) {
            BallObstacles::Slide& slide = slides[i];
            const double cosine = slide.from->at.normal.dot(slide.to->at.normal);
            const double passing =
                smooth_step((kStraightCosine - cosine) / (kStraightCosine - kTurnedCosine));
            const double stopped = std::min(slide.along, slide.met_beside);
            slide.along += (1.0 - passing) * (stopped - slide.along);
        }
    }

    /// Slides some crossings in legs, all side by side, until each meets something.
    void roll(std::span<const ZoneCrossing> border, std::span<const std::size_t> rolling,
              std::span<BallObstacles::Slide> slides) const {
        std::vector<std::size_t> going(rolling.begin(), rolling.end()), next;
        std::vector<RestingBall> from, to, reached;
        for (const std::size_t i : going) from.push_back(balls_[index_[border[i].inner]]);
        for (int leg = 0; leg < kLegs && !going.empty(); ++leg) {
            to.clear();
            for (const std::size_t i : going) {
                const std::int32_t inner = index_[border[i].inner], outer = index_[border[i].outer];
                to.push_back(leg + 1 == kLegs ? balls_[outer]
                                              : ball_between(inner, outer, (leg + 1.0) / kLegs));
            }
            std::vector<BallObstacles::Slide> legs;
            for (std::size_t k = 0; k < going.size(); ++k) {
                const double left = kLegs * border[going[k]].along - leg;
                BallObstacles::Slide& one = legs.emplace_back(slides[going[k]]);
                one.from = &from[k];
                one.to = &to[k];
                one.along = std::clamp(left, 0.0, 1.0);
                one.met_beside = kInfinity;
            }
            obstacles_.shorten(legs);
            next.clear();
            reached.clear();
            for (std::size_t k = 0; k < going.size(); ++k) {
                BallObstacles::Slide& slide = slides[going[k]];
                slide.along = (leg + legs[k].along) / kLegs;
                slide.met_beside = std::min(slide.met_beside, (leg + legs[k].met_beside) / kLegs);
                if (!(legs[k].along >= 1.0)) continue;
                next.push_back(going[k]);
                reached.push_back(to[k]);
            }
            going.swap(next);
            from.swap(reached);
        }
    }

    std::vector<RestingBall> make_balls(const PressOverlap& overlap, double radius,
                                        std::span<const double> factors) {
        const std::span<const std::int32_t> points = mapping_.points();
        for (std::size_t i = 0; i < points.size(); ++i) {
            index_.at(points[i]) = static_cast<std::int32_t>(i);
        }
        for (const std::int32_t v : overlap.inside) is_inside_[index_[v]] = 1;
        std::vector<RestingBall> balls(points.size());
        if (mapping_.plane().has_creases()) views_.resize(points.size());
        parallel_for(balls.size(), 32, [&](std::size_t i) {
            balls[i].at = mapping_.lift(mapping_.flat(static_cast<std::int32_t>(i)));
            balls[i].radius = factors.empty() ? radius : radius * factors[points[i]];
            if (!views_.empty()) turn_at_crease(static_cast<std::int32_t>(i), balls[i]);
            balls[i].centre = balls[i].at.position + balls[i].radius * balls[i].at.normal;
        });
        parallel_for(balls.size(), 32, [&](std::size_t i) { balls[i].lift = lift_of(balls, i); });
        return balls;
    }

    /// At an edge or a corner a ball may rest along any normal of the cone: it takes the one
    /// nearest to the way into the soft body. What the soft mesh can tell from the edge is as near
    /// as its own edges are long where they are mapped to.
    void turn_at_crease(std::int32_t i, RestingBall& ball) {
        const std::int32_t v = mapping_.points()[i];
        double length = 0.0;
        int count = 0;
        for (const std::int32_t w : soft_.graph[v]) {
            if (index_[w] < 0) continue;
            length += (mapping_.flat(index_[w]) - mapping_.flat(i)).norm();
            ++count;
        }
        if (!(length > 0)) return;
        views_[i] = {-(soft_.turn * soft_.unturned_normal(v)), kCreaseReach * length / count};
        mapping_.plane().turn_to(views_[i].inward, mapping_.flat(i), views_[i].reach, ball.at);
    }

    double lift_of(std::span<const RestingBall> balls, std::size_t i) const {
        const RigidPlace& at = balls[i].at;
        double lift = 0.0;
        for (const std::int32_t w : soft_.graph[mapping_.points()[i]]) {
            const std::int32_t index = index_[w];
            if (index < 0) continue;
            lift = std::max(lift, (balls[index].at.position - at.position).dot(at.normal));
        }
        return lift;
    }

    /// Vertices in a box around all balls, where they are once the overlap lies on the rigid
    /// surface, if a path near that box joins them to the overlap.
    BallObstacles find_obstacles(const PressOverlap& overlap) const {
        Box reached;
        for (const RestingBall& ball : balls_) {
            reached.add(Vec3(ball.centre - Vec3::Constant(ball.radius)));
            reached.add(Vec3(ball.centre + Vec3::Constant(ball.radius)));
        }
        // So that a path may round what just sticks out of the box.
        const Vec3 slack = Vec3::Constant(kPathSlack * soft_.mean_edge_length());
        const Box near{reached.lower - slack, reached.upper + slack};
        StampedArray<std::uint8_t> is_seen(soft_.points.size(), 0);
        std::vector<std::int32_t> walk = overlap.inside, vertices;
        std::vector<Vec3> places;
        for (const std::int32_t v : walk) is_seen.at(v) = 1;
        for (std::size_t i = 0; i < walk.size(); ++i) {
            const std::int32_t v = walk[i], index = index_[v];
            const bool is_mapped = index >= 0 && is_inside(index);
            const Vec3& p = is_mapped ? balls_[index].at.position : soft_.points[v];
            if (!(reached.distance_sq(p) > 0)) {
                vertices.push_back(v);
                places.push_back(p);
            }
            for (const std::int32_t w : soft_.graph[v]) {
                if (is_seen[w]) continue;
                is_seen.at(w) = 1;
                if (!(near.distance_sq(soft_.points[w]) > 0)) walk.push_back(w);
            }
        }
        return {std::move(vertices), std::move(places)};
    }

    const PressSurface& soft_;
    const PressMapping& mapping_;
    StampedArray<std::int32_t> index_;     ///< Per soft vertex.
    std::vector<std::uint8_t> is_inside_;  ///< Per mapped vertex.
    std::vector<CreaseView> views_;        ///< Per mapped vertex; none without creases.
    std::vector<RestingBall> balls_;       ///< Per mapped vertex.
    BallObstacles obstacles_;
    std::vector<BallObstacles::BallAtVertex> overlap_balls_;  ///< Of the overlap's own vertices.
    std::vector<std::int32_t> blocker_;                       ///< Per mapped vertex.
};

}  // namespace

ContactZone find_contact_zone(const PressSurface& soft, const PressOverlap& overlap,
                              const PressMapping& mapping,
                              std::span<const EdgeCrossing> soft_crossings, double radius,
                              std::span<const double> factors) {
    const ZoneFinder finder(soft, overlap, mapping, radius, factors);
    ContactZone zone;
    zone.is_sharp = finder.is_sharp();
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
        for (const std::int32_t w : soft.graph[v]) {
            const std::int32_t index = finder.index_of(w);
            if (index < 0 || finder.is_touching(index)) continue;
            ZoneCrossing& c = zone.border.emplace_back();
            c.inner = v;
            c.outer = w;
            c.along = first_crossing(soft_crossings, v, w);
        }
    }
    if (zone.points.empty()) zone.fitting = finder.fitting_share();
    finder.slide(zone.border);
    parallel_for(zone.border.size(), 8, [&](std::size_t i) {
        ZoneCrossing& c = zone.border[i];
        const Vec2 &inner = mapping.flat(finder.index_of(c.inner)),
                   &outer = mapping.flat(finder.index_of(c.outer));
        c.rest = (1.0 - c.along) * soft.points[c.inner] + c.along * soft.points[c.outer];
        c.touching = mapping.lift((1.0 - c.along) * inner + c.along * outer);
        if (zone.is_sharp) c.touching.normal = finder.normal_at(c);
    });
    return zone;
}

}  // namespace ductile
