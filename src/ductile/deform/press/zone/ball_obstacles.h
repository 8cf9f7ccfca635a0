// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/zone/rolling_ball.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Vertices, each at some place, that balls may meet. Neighbouring balls are asked about together:
/// blocks of points near to all of them are found once, and what stopped one is the first that is
/// tried for the next. All answers are the same at any number of threads.
class BallObstacles {
public:
    static constexpr std::int32_t kNone = -1;

    /// Requires: as many places as vertices, finite.
    BallObstacles(std::vector<std::int32_t> vertices, std::vector<Vec3> places);

    /// A ball that rests where a vertex is, which is not in its way.
    struct BallAtVertex {
        const RestingBall* ball;
        std::int32_t vertex;
    };
    /// Per ball: an obstacle that it holds, or kNone.
    std::vector<std::int32_t> find_blockers(std::span<const BallAtVertex> balls) const;

    /// What share of their radii would leave at least one of the balls free: a lower bound, from a
    /// few of them. O(obstacles).
    double fitting_share(std::span<const BallAtVertex> balls) const;

    /// A ball that goes from one place to another, up to a share of its way.
    struct Slide {
        const RestingBall *from, *to;
        std::array<std::int32_t, 2> vertices;  ///< That are not in its way.
        std::int32_t known;                    ///< An obstacle that it may well meet, or kNone.
        double along;                          ///< In [0, 1].
        /// More vertices that are not in its way; where it meets the first of them, which counts
        /// only if it is less than `along`.
        std::span<const std::int32_t> beside = {};
        double met_beside = kInfinity;
    };
    /// Ends each slide where it first meets an obstacle.
    void shorten(std::span<Slide> slides) const;

private:
    struct Group;
    void find_blockers_of(std::span<const BallAtVertex> balls, std::span<const std::int32_t> chosen,
                          Group& group, std::span<std::int32_t> found) const;
    void shorten_some(std::span<Slide> slides, std::span<const std::int32_t> chosen,
                      Group& group) const;
    std::int32_t first_held(const RollingBall& ball, std::int32_t vertex, const Group& group) const;
    void meet(const RollingBall& ball, std::int32_t obstacle, Slide& slide, Group& group) const;

    std::vector<std::int32_t> vertices_;
    std::vector<Vec3> places_;
    PointBlocks blocks_;
};

}  // namespace ductile
