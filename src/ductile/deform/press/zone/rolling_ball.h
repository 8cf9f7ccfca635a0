// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/mapping/press_mapping.h>
#include <ductile/geom/query/point_blocks.h>

#include <array>
#include <span>

namespace ductile {

/// A ball that rests on the rigid surface, inside the soft body, and the height above that place
/// from which soft vertices count as being in its way.
struct RestingBall {
    RigidPlace at;
    Vec3 centre = Vec3::Zero();
    double lift = 0.0;    ///< The paper's lambda: the vertex's neighbours lie below it [m].
    double radius = 0.0;  ///< [m]
};

/// A ball on its way from one place to another: centre, plane, height and radius go linearly, the
/// radius no faster than the centre. Both ends may be one: a ball that rests.
class RollingBall {
public:
    /// Requires: radii > 0. Views nothing.
    RollingBall(const RestingBall& from, const RestingBall& to);

    /// Whether p is in the ball at the start, and above its plane there.
    bool holds(const Vec3& p) const {
        return (p - centre_).squaredNorm() < radius_sq_ && normal_[0].dot(p - origin_) > height_[0];
    }

    /// Least share of the way at which p is in the ball and above its plane, if that is less than
    /// `before`; else `before`.
    double first_touch(const Vec3& p, double before) const;

    /// Rule out, in single precision, what balls do not meet within shares of their ways: see
    /// `PointBlocks`. Of several balls together, and boxes around points; of one, and points.
    class BoxCull;
    class PointCull;

private:
    double first_above(const Vec3& p, double low, double high, double before) const;
    Vec3 middle(double until) const { return centre_ + 0.5 * until * way_; }
    /// No point that the ball meets up to a share of its way is further from that middle [m].
    double reach(double until) const { return radius_ + 0.5 * until * length_; }

    // How high p lies over the plane is a quadratic in the share; these give its coefficients in
    // Bernstein's basis as normal . p - height: where none is above zero, p never is.
    std::array<Vec3, 3> normal_;
    std::array<double, 3> height_;
    Vec3 origin_;
    Vec3 centre_, way_;          ///< Of the ball at the start; to its end.
    double length_;              ///< Of the way.
    double radius_, radius_sq_;  ///< The largest on the way; that at the start, squared.
    double swell_sq_, swell_;    ///< How the radius squared goes on: + 2 swell x + swell_sq x^2.
};

class RollingBall::BoxCull {
public:
    /// Requires: a ball at least, and a share of its way for each.
    BoxCull(std::span<const RollingBall> balls, std::span<const double> until,
            const PointBlocks& blocks);
    unsigned operator()(const PointBlocks::EightBoxes& boxes) const;

private:
    std::array<float, 3> middle_, normal_, spread_;
    float reach_sq_, height_;
};

class RollingBall::PointCull {
public:
    PointCull(const RollingBall& ball, double until, const PointBlocks& blocks);
    unsigned operator()(const PointBlocks::EightPoints& points) const {
        PointBlocks::Lanes left = PointBlocks::Lanes::Constant(reach_sq_);
        for (int k = 0; k < 3; ++k) left -= (points[k] - middle_[k]).square();
        return PointBlocks::not_negative(left);
    }

private:
    std::array<float, 3> middle_;
    float reach_sq_;
};

}  // namespace ductile
