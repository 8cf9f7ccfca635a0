// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/impact/impact.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// The front of what strikes a body, seen along its way: how far it has still to go until it meets
/// a place. In the frame of the struck body.
class StrikerMap {
public:
    /// A plane across `direction` (unit) through `place`.
    StrikerMap(const Vec3& direction, const Vec3& place);
    /// The surface of the impact's other body where it is known, else a plane; over the box of the
    /// struck body. `size`: of the struck body [m].
    StrikerMap(const BodyImpact& impact, const Vec3& direction, const Box& body, double size);

    const Vec3& direction() const { return direction_; }
    /// Along the way, from the front as it is moved in by `way` [m]; below 0: it is inside;
    /// infinite: never met.
    double gap(const Vec3& p, double way = 0.0) const;

    /// Moves the front until it just touches one of some points, apart from those that lie further
    /// than `behind` [m] behind it. False: it meets none of them.
    bool touch(std::span<const Vec3> points, double behind);

private:
    double height(double x, double y) const;

    Vec3 direction_, side_, across_;
    double start_ = 0.0;  ///< What the front was moved by [m].
    // Heights of the front along the way, over a grid; none: a plane at 0 through the place.
    Vec2 corner_ = Vec2::Zero();
    Vec2 cell_ = Vec2::Ones();
    std::int32_t columns_ = 0, rows_ = 0;
    std::vector<double> heights_;
    double plane_ = 0.0;
};

/// The way an impact drives the other body in: along its velocity, within the cone of friction
/// about the normal. Unit, into the body.
Vec3 push_direction(const BodyImpact& impact, double friction);

}  // namespace ductile
