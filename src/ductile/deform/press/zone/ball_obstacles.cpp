// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/press/zone/ball_obstacles.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace ductile {
namespace {

// Balls that are asked about together: more share more, and have less in common. Slides know
// nearly how far they go, so that little is near to one alone.
constexpr std::size_t kBallsTogether = 8, kSlidesTogether = 2;
// Balls that one thread asks about in a row.
constexpr std::size_t kRow = 64;

/// Calls ask(some, group) for all of `order` in groups; one `group` goes along each row of them.
template <class Group, class Ask>
void in_rows(std::span<const std::int32_t> order, std::size_t together, Ask&& ask) {
    parallel_for((order.size() + kRow - 1) / kRow, 1, [&](std::size_t row) {
        Group group;
        const std::size_t end = std::min(order.size(), (row + 1) * kRow);
        for (std::size_t first = row * kRow; first < end; first += together) {
            ask(order.subspan(first, std::min(together, end - first)), group);
        }
    });
}

}  // namespace

/// Balls that are asked about together, and what goes on to the next of a row.
struct BallObstacles::Group {
    std::int32_t last = kNone;  ///< Obstacle that stopped a ball before.
    std::vector<RollingBall> balls;
    std::vector<std::int32_t> asked;  ///< Per ball.
    std::vector<double> until;        ///< Per ball.
    std::vector<std::int32_t> near;   ///< Blocks that may matter to any of them.

    void clear() {
        balls.clear();
        asked.clear();
        until.clear();
    }
    void add(std::int32_t who, const RollingBall& ball, double share) {
        balls.push_back(ball);
        asked.push_back(who);
        until.push_back(share);
    }
};

BallObstacles::BallObstacles(std::vector<std::int32_t> vertices, std::vector<Vec3> places)
    : vertices_(std::move(vertices)), places_(std::move(places)), blocks_(places_) {
    DUCTILE_ASSERT(vertices_.size() == places_.size(), "a place per vertex");
}

std::vector<std::int32_t> BallObstacles::find_blockers(std::span<const BallAtVertex> balls) const {
    std::vector<Vec3> centres;
    for (const BallAtVertex& at : balls) centres.push_back(at.ball->centre);
    std::vector<std::int32_t> found(balls.size(), kNone);
    const std::vector<std::int32_t> order = morton_order(centres);
    in_rows<Group>(order, kBallsTogether, [&](std::span<const std::int32_t> some, Group& group) {
        find_blockers_of(balls, some, group, found);
    });
    return found;
}

void BallObstacles::find_blockers_of(std::span<const BallAtVertex> balls,
                                     std::span<const std::int32_t> chosen, Group& group,
                                     std::span<std::int32_t> found) const {
    const auto is_last_held = [&](const RollingBall& ball, std::int32_t vertex) {
        return group.last != kNone && vertices_[group.last] != vertex &&
               ball.holds(places_[group.last]);
    };
    group.clear();
    for (const std::int32_t i : chosen) {
        const RollingBall ball(*balls[i].ball, *balls[i].ball);
        if (is_last_held(ball, balls[i].vertex)) {
            found[i] = group.last;
        } else {
            group.add(i, ball, 1.0);
        }
    }
    if (group.balls.empty()) return;
    blocks_.collect(RollingBall::BoxCull(group.balls, group.until, blocks_), group.near);
    for (std::size_t k = 0; k < group.balls.size(); ++k) {
        const std::int32_t i = group.asked[k], vertex = balls[i].vertex;
        found[i] = is_last_held(group.balls[k], vertex) ? group.last
                                                        : first_held(group.balls[k], vertex, group);
        if (found[i] != kNone) group.last = found[i];
    }
}

std::int32_t BallObstacles::first_held(const RollingBall& ball, std::int32_t vertex,
                                       const Group& group) const {
    const RollingBall::PointCull cull(ball, 1.0, blocks_);
    for (const std::int32_t b : group.near) {
        for (unsigned left = cull(blocks_.block(b)); left != 0; left &= left - 1) {
            const std::int32_t i = blocks_.index(b, std::countr_zero(left));
            if (vertices_[i] != vertex && ball.holds(places_[i])) return i;
        }
    }
    return kNone;
}

double BallObstacles::fitting_share(std::span<const BallAtVertex> balls) const {
    constexpr std::size_t kMost = 64;
    double largest = 0.0;
    const std::size_t count = std::min(kMost, balls.size());
    for (std::size_t k = 0; k < count; ++k) {
        const auto& [ball, vertex] = balls[k * balls.size() / count];
        double share = kInfinity;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Vec3 way = places_[i] - ball->at.position;
            const double height = way.dot(ball->at.normal);
            if (vertices_[i] == vertex || !(height > ball->lift)) continue;
            // Of the ball that rests here and goes through there.
            share = std::min(share, way.squaredNorm() / (2.0 * height * ball->radius));
        }
        largest = std::max(largest, share);
    }
    return largest;
}

void BallObstacles::shorten(std::span<Slide> slides) const {
    std::vector<Vec3> centres;
    for (const Slide& slide : slides) centres.push_back(slide.from->centre);
    const std::vector<std::int32_t> order = morton_order(centres);
    in_rows<Group>(order, kSlidesTogether, [&](std::span<const std::int32_t> some, Group& group) {
        shorten_some(slides, some, group);
    });
}

void BallObstacles::shorten_some(std::span<Slide> slides, std::span<const std::int32_t> chosen,
                                 Group& group) const {
    group.clear();
    // What is known to be in the way first: the shorter the way, the less is near to it.
    for (const std::int32_t i : chosen) {
        Slide& slide = slides[i];
        const RollingBall ball(*slide.from, *slide.to);
        const std::int32_t last = group.last;
        if (slide.known != kNone) meet(ball, slide.known, slide, group);
        if (last != kNone) meet(ball, last, slide, group);
        if (slide.along > 0) group.add(i, ball, slide.along);
    }
    if (group.balls.empty()) return;
    blocks_.collect(RollingBall::BoxCull(group.balls, group.until, blocks_), group.near);
    for (std::size_t k = 0; k < group.balls.size(); ++k) {
        const RollingBall& ball = group.balls[k];
        Slide& slide = slides[group.asked[k]];
        double culled_to = slide.along;
        RollingBall::PointCull cull(ball, culled_to, blocks_);
        for (const std::int32_t b : group.near) {
            for (unsigned left = cull(blocks_.block(b)); left != 0; left &= left - 1) {
                meet(ball, blocks_.index(b, std::countr_zero(left)), slide, group);
            }
            if (!(slide.along < culled_to)) continue;
            culled_to = slide.along;
            cull = RollingBall::PointCull(ball, culled_to, blocks_);
        }
    }
}

void BallObstacles::meet(const RollingBall& ball, std::int32_t obstacle, Slide& slide,
                         Group& group) const {
    const std::int32_t v = vertices_[obstacle];
    if (v == slide.vertices[0] || v == slide.vertices[1]) return;
    const double met = ball.first_touch(places_[obstacle], slide.along);
    if (!(met < slide.along)) return;
    if (std::find(slide.beside.begin(), slide.beside.end(), v) != slide.beside.end()) {
        slide.met_beside = std::min(slide.met_beside, met);
        return;
    }
    slide.along = met;
    group.last = obstacle;
}

}  // namespace ductile
