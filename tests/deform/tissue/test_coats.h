// SPDX-License-Identifier: MIT
// Coats to test with, and what they hold in all.
#pragma once

#include <ductile/deform/tissue/tissue_body.h>
#include <ductile/deform/tissue/tissue_layout.h>
#include <ductile/deform/tissue/tissue_rig.h>

#include <Eigen/LU>

namespace ductile::test {

/// Around a box of 2 cm, out to 4 cm, as in the seed.
inline TissueRig box_coat(TissueOptions options = {}, double bone_mass = 1.0) {
    options.layout = TissueLayout::Box;
    const Box box{Vec3::Constant(-0.01), Vec3::Constant(0.01)};
    const auto columns = box_columns(box, options);
    return rig_of_columns(columns, options, {.coat = 0.26, .bone = bone_mass}).value();
}

/// A bone of 1 kg and 2 cm that moves.
inline BodyMoment test_bone(const Vec3& velocity_w, const Vec3& spin_w) {
    BodyMoment bone;
    bone.id = BodyId{0};
    bone.pose_w.translation = Vec3(1, 2, 3);
    bone.pose_w.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()));
    bone.centre_w = bone.pose_w.translation;
    bone.velocity_w = velocity_w;
    bone.spin_w = spin_w;
    bone.inverse_mass = 1.0;
    bone.inverse_inertia_w = Mat3::Identity() / (1.0 * 4e-4 / 6.0);
    return bone;
}

struct CoatMomentum {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Of a round bone and its outer particles, about the world's origin.
inline CoatMomentum momentum_of(const TissueBody& coat, const BodyMoment& bone) {
    CoatMomentum sum;
    const double mass = 1.0 / bone.inverse_mass;
    sum.linear = mass * bone.velocity_w;
    sum.angular = mass * bone.centre_w.cross(bone.velocity_w) +
                  bone.inverse_inertia_w.inverse() * bone.spin_w;
    const TissueRig& rig = coat.rig();
    for (std::size_t i = 0; i < rig.size(); ++i) {
        if (rig.attached[i]) continue;
        const OrientedParticle& p = coat.particles()[i];
        sum.linear += rig.masses[i] * p.velocity;
        sum.angular += rig.masses[i] * p.position.cross(p.velocity) +
                       rig.masses[i] * spin_inertia(rig.shapes[i]) * p.spin;
    }
    return sum;
}

/// What moves of a round bone and its outer particles [J].
inline double energy_of(const TissueBody& coat, const BodyMoment& bone) {
    double sum = 0.5 * bone.velocity_w.squaredNorm() / bone.inverse_mass +
                 0.5 * bone.spin_w.dot(bone.inverse_inertia_w.inverse() * bone.spin_w);
    const TissueRig& rig = coat.rig();
    for (std::size_t i = 0; i < rig.size(); ++i) {
        if (rig.attached[i]) continue;
        const OrientedParticle& p = coat.particles()[i];
        sum += 0.5 * rig.masses[i] *
               (p.velocity.squaredNorm() + spin_inertia(rig.shapes[i]) * p.spin.squaredNorm());
    }
    return sum;
}

/// One part of both, the bone round and nothing else in the world.
inline void advance_coat(TissueBody& coat, BodyMoment& bone, double dt, const Vec3& gravity_w,
                         double damping = 0.0, int sweeps = 2) {
    PushedBody pushed;
    pushed.start = bone;
    pushed.velocity = bone.velocity_w;
    if (pushed.is_movable()) pushed.velocity += dt * gravity_w;
    pushed.spin = bone.spin_w;
    pushed.next = pushed_pose(pushed, dt);
    coat.begin_part(dt, gravity_w, damping, sweeps, pushed);
    for (int s = 0; s < sweeps; ++s) {
        coat.match(s % 2 == 1);
        coat.reattach_to(pushed);
    }
    coat.end_part();
    bone.pose_w = pushed_pose(pushed, dt);
    bone.velocity_w = pushed.velocity + pushed.velocity_gain();
    bone.spin_w += pushed.spin_gain();
    bone.centre_w += dt * bone.velocity_w;
}

}  // namespace ductile::test
