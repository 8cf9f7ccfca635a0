// SPDX-License-Identifier: MIT
// Section 3.3 of Brunel et al. 2020, "ball sliding": Figure 3 (c).
#include <ductile/core/assert.h>
#include <ductile/deform/press/zone/rolling_ball.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A vertex as deep in the ball as rounding could put it does not count.
constexpr double kInBall = 1.0 - 1e-9;
// Nor does one as high above the plane, as a share of the largest length there.
constexpr double kAbovePlane = 1e-12;
// A radius changes at most so much faster than the centre: then what enters the ball stays ahead.
constexpr double kMostSwell = 0.99;

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

}  // namespace

RollingBall::RollingBall(const RestingBall& from, const RestingBall& to)
    : origin_(from.centre),
      centre_(from.centre),
      way_(to.centre - from.centre),
      length_(way_.norm()),
      radius_sq_(from.radius * from.radius * kInBall) {
    const double most = kMostSwell * length_;
    const double growth = std::clamp(to.radius - from.radius, -most, most);
    radius_ = std::max(from.radius, from.radius + growth);
    swell_ = from.radius * growth * kInBall;
    swell_sq_ = growth * growth * kInBall;
    const Vec3 start = from.at.position + from.lift * from.at.normal - origin_;
    const Vec3 end = to.at.position + to.lift * to.at.normal - origin_;
    const Vec3 &n0 = from.at.normal, &n1 = to.at.normal;
    const double noise = kAbovePlane * (radius_ + from.centre.cwiseAbs().maxCoeff() + length_);
    normal_ = {n0, 0.5 * (n0 + n1), n1};
    height_ = {start.dot(n0) + noise, 0.5 * (start.dot(n1) + end.dot(n0)) + noise,
               end.dot(n1) + noise};
}

RollingBall::BoxCull::BoxCull(std::span<const RollingBall> balls, std::span<const double> until,
                              const PointBlocks& blocks) {
    DUCTILE_ASSERT(!balls.empty() && balls.size() == until.size(), "a share for every ball");
    // Normals are at most of unit length, so a height is off by no more than three coordinates are.
    const double slack = 3.0 * blocks.slack();
    Vec3 middle = Vec3::Zero(), normal = Vec3::Zero();
    for (std::size_t i = 0; i < balls.size(); ++i) {
        middle += balls[i].middle(until[i]) / static_cast<double>(balls.size());
        normal += balls[i].normal_[1] / static_cast<double>(balls.size());
    }
    // One ball around the others; one plane below theirs, as far out as each reaches.
    double reach = 0.0, height = kInfinity;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const RollingBall& ball = balls[i];
        const Vec3 own = ball.middle(until[i]);
        const double own_reach = ball.reach(until[i]) + slack;
        reach = std::max(reach, own_reach + (own - middle).norm());
        const double base = normal.dot(ball.origin_ - blocks.origin());
        for (int k = 0; k < 3; ++k) {
            const Vec3 turn = ball.normal_[k] - normal;
            height = std::min(height, ball.height_[k] + base - turn.dot(own - ball.origin_) -
                                          turn.norm() * own_reach);
        }
    }
    reach_sq_ = static_cast<float>(reach * reach * (1.0 + 1e-6));
    height_ = static_cast<float>(height - slack);
    for (int k = 0; k < 3; ++k) {
        middle_[k] = static_cast<float>(middle[k] - blocks.origin()[k]);
        normal_[k] = static_cast<float>(normal[k]);
        spread_[k] = std::abs(normal_[k]);
    }
}

unsigned RollingBall::BoxCull::operator()(const PointBlocks::EightBoxes& boxes) const {
    using Lanes = PointBlocks::Lanes;
    Lanes left = Lanes::Constant(reach_sq_), over = Lanes::Constant(-height_);
    for (int k = 0; k < 3; ++k) {
        left -= ((boxes.centre[k] - middle_[k]).abs() - boxes.half[k]).max(0.0f).square();
        over += normal_[k] * boxes.centre[k] + spread_[k] * boxes.half[k];
    }
    return PointBlocks::not_negative(left.min(over));
}

RollingBall::PointCull::PointCull(const RollingBall& ball, double until,
                                  const PointBlocks& blocks) {
    const double reach = ball.reach(until) + 3.0 * blocks.slack();
    reach_sq_ = static_cast<float>(reach * reach * (1.0 + 1e-6));
    const Vec3 middle = ball.middle(until) - blocks.origin();
    for (int k = 0; k < 3; ++k) middle_[k] = static_cast<float>(middle[k]);
}

double RollingBall::first_touch(const Vec3& p, double before) const {
    const Vec3 away = centre_ - p;
    const double c = away.squaredNorm() - radius_sq_;
    const double a = way_.squaredNorm() - swell_sq_, b = 2 * (away.dot(way_) - swell_);
    // Most points stay out of the ball up to `before`: it goes away from them, or still comes
    // nearer there without having reached them.
    if (c > 0 && (b >= 0 || ((a * before + b) * before + c > 0 && 2 * a * before + b < 0))) {
        return before;
    }
    int count = 0;
    const auto roots = real_roots(a, b, c, count);
    if (count < 2) return c < 0 ? first_above(p, 0.0, 1.0, before) : before;
    const double low = std::max(roots[0], 0.0), high = std::min({roots[1], 1.0, before});
    return low <= high ? first_above(p, low, high, before) : before;
}

double RollingBall::first_above(const Vec3& p, double low, double high, double before) const {
    std::array<double, 3> over;
    for (int k = 0; k < 3; ++k) over[k] = normal_[k].dot(p - origin_) - height_[k];
    if (!(std::max({over[0], over[1], over[2]}) > 0)) return before;
    const double c = over[0], b = 2 * (over[1] - over[0]), a = over[0] - 2 * over[1] + over[2];
    if ((a * low + b) * low + c > 0) return std::min(low, before);
    int count = 0;
    const auto roots = real_roots(a, b, c, count);
    for (int k = 0; k < count; ++k) {
        if (roots[k] < low || roots[k] > high) continue;
        if (2 * a * roots[k] + b > 0) return std::min(roots[k], before);
    }
    return before;
}

}  // namespace ductile
