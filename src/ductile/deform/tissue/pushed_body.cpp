// SPDX-License-Identifier: MIT
#include <ductile/core/rotation.h>
#include <ductile/deform/tissue/pushed_body.h>

#include <cmath>

namespace ductile {
namespace {

Transform moved_pose(const BodyMoment& start, const Vec3& velocity, const Vec3& spin, double dt) {
    Transform next;
    const Quat turn = turn_by(dt * spin);
    next.rotation = (turn * start.pose_w.rotation).normalized();
    next.translation =
        start.centre_w + dt * velocity + turn * (start.pose_w.translation - start.centre_w);
    return next;
}

}  // namespace

PushedBody predicted_body(const RigidQueries& bodies, BodyId id, const Vec3& gravity_w, double dt) {
    PushedBody out;
    out.start = bodies.moment(id);
    out.friction = bodies.friction(id);
    out.velocity = out.start.velocity_w;
    out.spin = out.start.spin_w;
    if (out.is_movable() && !bodies.is_asleep(id)) out.velocity += dt * gravity_w;
    out.next = moved_pose(out.start, out.velocity, out.spin, dt);
    out.next_centre = out.start.centre_w + dt * out.velocity;
    return out;
}

void limit_lightness(double least, PushedBody& body) {
    const double share = 1.0 / (body.start.inverse_mass * least);
    if (!body.is_movable() || !(share < 1.0)) return;
    body.true_share = share;
    body.start.inverse_mass *= share;
    body.start.inverse_inertia_w *= share;
}

Transform pushed_pose(const PushedBody& body, double dt) {
    return moved_pose(body.start, body.velocity + body.velocity_gain(),
                      body.spin + body.spin_gain(), dt);
}

void apply_pushes(const PushedBody& body, RigidQueries& bodies) {
    if (!body.is_movable()) return;
    if (!body.impulse.isZero(0.0)) {
        bodies.apply_impulse(body.start.id, body.true_share * body.impulse, body.start.centre_w);
    }
    if (!body.angular_impulse.isZero(0.0)) {
        bodies.apply_angular_impulse(body.start.id, body.true_share * body.angular_impulse);
    }
}

}  // namespace ductile
