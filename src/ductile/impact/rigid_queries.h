// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/impact/contact.h>

#include <limits>
#include <vector>

namespace ductile {

/// A body of an engine and the box around its collider, world.
struct NearBody {
    BodyId id{};
    Box box{};
};

/// What a layer may ask of rigid bodies (const: by several threads at once, but for `bodies_near`),
/// and do to them.
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

    /// The same of a point in the body's own frame, in that frame: for those who ask about many.
    struct NearestInBody {
        Vec3 point_b = Vec3::Zero();
        Vec3 normal_b = Vec3::UnitY();
        double distance = 0.0;
    };
    virtual NearestInBody closest_point_b(
        BodyId id, const Vec3& point_b,
        double reach = std::numeric_limits<double>::infinity()) const {
        const Transform pose = moment(id).pose_w;
        const Nearest near = closest_point(id, pose.point(point_b), reach);
        return {pose.inverse_point(near.point_w), pose.inverse_direction(near.normal_w),
                near.distance};
    }

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
    /// Turns the body without moving its centre [N m s]. As above for the rest.
    virtual void apply_angular_impulse(BodyId id, const Vec3& impulse_w) {
        const double size = impulse_w.norm();
        if (!(size > 0)) return;
        const Vec3 arm = any_perpendicular(impulse_w / size), centre = moment(id).centre_w;
        apply_impulse(id, impulse_w.cross(arm), centre + arm);
        apply_impulse(id, -impulse_w.cross(arm), centre);
    }

    /// Bodies whose boxes meet `box` and that others can touch, by ascending id. None where the
    /// engine cannot tell. One thread at a time: an engine may give ids to what it did not know.
    virtual void bodies_near(const Box& box, std::vector<NearBody>& out) const {
        (void)box;
        out.clear();
    }
    /// A body as it is now, between steps: no forces of a step are in its velocities.
    virtual BodyMoment moment(BodyId id) const { return {.id = id}; }
    /// Coulomb, of the body alone; a pair's is the product of both, as Bullet has it.
    virtual double friction(BodyId id) const {
        (void)id;
        return 0.5;
    }
    virtual bool is_asleep(BodyId id) const {
        (void)id;
        return false;
    }
    /// Lets a body rest until something wakes it; its velocities become 0. Does nothing to a body
    /// that cannot sleep, and in an engine without sleep.
    virtual void put_to_sleep(BodyId id) { (void)id; }
};

}  // namespace ductile
