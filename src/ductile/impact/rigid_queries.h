// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/impact/contact.h>

#include <limits>

namespace ductile {

/// What a layer may ask of rigid bodies, and do to them, without knowing the engine.
class RigidQueries {
public:
    struct Nearest {
        Vec3 point_w = Vec3::Zero();    ///< On the body's collider.
        Vec3 normal_w = Vec3::UnitY();  ///< Unit, out of the body.
        double distance = 0.0;          ///< Negative inside [m].
    };

    virtual ~RigidQueries() = default;

    /// The place of the body's collider nearest to a point. The distance is infinite (and the rest
    /// without meaning) if there is none within `reach`, or if the shape cannot be asked.
    virtual Nearest closest_point(BodyId id, const Vec3& point_w,
                                  double reach = std::numeric_limits<double>::infinity()) const = 0;

    /// How far a point is from the body's collider, infinite as above; inside, minus the way out
    /// [m]: the shortest one, or, where that is cheaper, the way along `out_w` (unit).
    virtual double gap(BodyId id, const Vec3& point_w, const Vec3& out_w,
                       double reach = std::numeric_limits<double>::infinity()) const {
        (void)out_w;
        return closest_point(id, point_w, reach).distance;
    }

    /// Velocity of the body's matter at a point [m/s].
    virtual Vec3 velocity_at(BodyId id, const Vec3& point_w) const = 0;

    /// Pushes the body at a point [N s]. Immovable bodies take it without a change. Wakes it.
    virtual void apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) = 0;
};

}  // namespace ductile
