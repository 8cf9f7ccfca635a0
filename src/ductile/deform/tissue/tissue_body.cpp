// SPDX-License-Identifier: MIT
// Mueller and Chentanez 2011, "Solid Simulation with Oriented Particles", as the seed's
// sections 4.4 and 5.1 use it. Where this differs, and why:
// - Equation 4.23 is read as m/5 R diag(a^2, b^2, c^2) Rbar^T; with `turn` = R Rbar^T that is the
//   turn times the rest shape.
// - All visits of a part together move a particle by h^2 / (h^2 + ease) of its way, not by a fixed
//   share each: the coat is as stiff in short parts as in long ones.
// - Turning the centre alone, and shares that differ, make momentum from nothing. It is given back
//   within the group as a rigid motion. Levers are those from before the part: then the angular
//   momentum sum m x_old x v is kept to the last digits, since x_new x v = x_old x v.
#include <ductile/core/assert.h>
#include <ductile/core/rotation.h>
#include <ductile/deform/tissue/matched_rotation.h>
#include <ductile/deform/tissue/tissue_body.h>

#include <Eigen/LU>

#include <cmath>

namespace ductile {
namespace {

/// m (|r|^2 - r r^T), added.
void add_inertia(double mass, const Vec3& r, Mat3& sum) {
    sum.noalias() -= mass * r * r.transpose();
    sum.diagonal().array() += mass * r.squaredNorm();
}

/// The inverse of an inertia, 0 about axes about which there is none: a point, or a line of points.
Mat3 inverse_inertia(const Mat3& inertia) {
    const double size = inertia.trace();
    if (!(size > 0)) return Mat3::Zero();
    const Mat3 inverse = inertia.inverse();
    if (inverse.allFinite() && inverse.cwiseAbs().maxCoeff() * size < 1e12) return inverse;
    return (inertia + 1e-9 * size * Mat3::Identity()).inverse();
}

}  // namespace

TissueBody::TissueBody(std::shared_ptr<const TissueRig> rig, const BodyMoment& bone)
    : rig_(std::move(rig)) {
    const TissueRig& r = *rig_;
    const std::size_t n = r.size();
    for (std::size_t i = 0; i < n; ++i) {
        OrientedParticle& p = particles_.emplace_back();
        p.position = bone.pose_w.point(r.places[i]);
        p.turn = bone.pose_w.rotation;
        p.velocity = bone.velocity_at(p.position);
        p.spin = bone.spin_w;
        spins_.push_back(r.attached[i] ? 0.0 : r.masses[i] * spin_inertia(r.shapes[i]));
    }
    std::size_t largest = 0;
    for (std::size_t g = 0; g < r.group_count(); ++g) {
        double mass = 0.0;
        Vec3 centre = Vec3::Zero();
        for (const std::int32_t i : r.group(g)) {
            mass += r.masses[i];
            centre += r.masses[i] * r.places[i];
        }
        for (const std::int32_t i : r.group(g)) offsets_.push_back(r.places[i] - centre / mass);
        groups_.push_back({.mass = mass});
        largest = std::max(largest, r.group(g).size());
    }
    moves_.resize(largest);
    for (auto* points : {&old_, &next_, &placed_, &pending_, &angles_}) {
        points->assign(n, Vec3::Zero());
    }
    next_turns_.assign(n, Quat::Identity());
    turns_.assign(n, Mat3::Identity());
    moments_.assign(n, Mat3::Zero());
    shares_.assign(n, 0.0);
}

void TissueBody::damp(const Vec3& gravity_w, double damping, PushedBody& bone) {
    const TissueRig& r = *rig_;
    const double lost = 1.0 - std::exp(-damping * dt_);
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r.attached[i]) continue;
        OrientedParticle& p = particles_[i];
        p.velocity += dt_ * gravity_w;
        const Vec3 slowed = lost * (bone.velocity + bone.spin.cross(old_[i]) - p.velocity);
        const Vec3 spin_slowed = lost * (bone.spin - p.spin);
        p.velocity += slowed;
        p.spin += spin_slowed;
        bone.push(-r.masses[i] * slowed, old_[i]);
        bone.angular_impulse -= spins_[i] * spin_slowed;
    }
}

void TissueBody::place_attached(const Transform& bone_pose) {
    const TissueRig& r = *rig_;
    const Mat3 turn = bone_pose.rotation.toRotationMatrix();
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) continue;
        next_[i] = placed_[i] = turn * r.places[i] + bone_pose.translation - origin_;
        next_turns_[i] = bone_pose.rotation;
        turns_[i] = turn;
    }
}

void TissueBody::begin_part(double dt, const Vec3& gravity_w, double damping, int sweeps,
                            PushedBody& bone) {
    DUCTILE_ASSERT(dt > 0 && sweeps > 0, "a part takes time and sweeps");
    const TissueRig& r = *rig_;
    dt_ = dt;
    origin_ = bone.start.centre_w;
    for (std::size_t i = 0; i < r.size(); ++i) {
        OrientedParticle& p = particles_[i];
        if (r.attached[i]) {
            p.position = bone.start.pose_w.point(r.places[i]);
            p.turn = bone.start.pose_w.rotation;
        }
        old_[i] = p.position - origin_;
        shares_[i] = visit_share(r, i, sweeps, dt);
        pending_[i].setZero();
        angles_[i].setZero();
    }
    damp(gravity_w, damping, bone);
    place_attached(pushed_pose(bone, dt));
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) {
            const OrientedParticle& p = particles_[i];
            next_[i] = old_[i] + dt * p.velocity;
            next_turns_[i] = (turn_by(dt * p.spin) * p.turn).normalized();
            turns_[i] = next_turns_[i].toRotationMatrix();
        }
        moments_[i].noalias() = (0.2 * r.masses[i]) * (turns_[i] * r.shapes[i]);
    }
    prepare_groups();
}

void TissueBody::prepare_groups() {
    const TissueRig& r = *rig_;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        group.centre.setZero();
        for (const std::int32_t i : r.group(g)) group.centre += r.masses[i] * old_[i];
        group.centre /= group.mass;
        Mat3 inertia = Mat3::Zero();
        for (const std::int32_t i : r.group(g)) {
            add_inertia(r.masses[i], old_[i] - group.centre, inertia);
            inertia.diagonal().array() += spins_[i];
        }
        group.inverse_inertia = inverse_inertia(inertia);
    }
}

void TissueBody::match(bool is_backwards) {
    const std::size_t count = groups_.size();
    for (std::size_t k = 0; k < count; ++k) match_group(is_backwards ? count - 1 - k : k);
}

void TissueBody::take_pending_turn(std::size_t i) {
    if (pending_[i].isZero(0.0)) return;
    next_turns_[i] = (turn_by(pending_[i]) * next_turns_[i]).normalized();
    pending_[i].setZero();
}

Vec3 TissueBody::turn_particle(std::size_t i, const Mat3& goal) {
    take_pending_turn(i);
    const Vec3 angle = shares_[i] * angle_of(Quat(goal) * next_turns_[i].conjugate());
    next_turns_[i] = (turn_by(angle) * next_turns_[i]).normalized();
    turns_[i] = next_turns_[i].toRotationMatrix();
    angles_[i] += angle;
    return spins_[i] * angle;
}

void TissueBody::match_group(std::size_t g) {
    const TissueRig& r = *rig_;
    const std::span<const std::int32_t> members = r.group(g);
    const Group& group = groups_[g];
    const Vec3* offsets = &offsets_[static_cast<std::size_t>(r.firsts[g])];
    Vec3 centre = Vec3::Zero();
    Mat3 moment = Mat3::Zero();
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int32_t i = members[k];
        const Vec3 weighted = r.masses[i] * next_[i];
        centre += weighted;
        add_moment(moments_[i], weighted, offsets[k], moment);
    }
    centre /= group.mass;
    const std::int32_t middle = members[0];
    const Mat3 turn = matched_rotation(moment, turns_[middle]);

    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int32_t i = members[k];
        moves_[k] = shares_[i] * (turn * offsets[k] + centre - next_[i]);
        const Vec3 weighted = r.masses[i] * moves_[k];
        momentum += weighted;
        angular += (old_[i] - group.centre).cross(weighted);
    }
    if (!r.attached[middle]) angular += turn_particle(middle, turn);
    const Vec3 shift = -momentum / group.mass;
    const Vec3 back = -(group.inverse_inertia * angular);
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int32_t i = members[k];
        next_[i] += moves_[k] + shift + back.cross(old_[i] - group.centre);
        if (spins_[i] > 0) {
            pending_[i] += back;
            angles_[i] += back;
        }
    }
}

void TissueBody::settle_on(PushedBody& bone) {
    const TissueRig& r = *rig_;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r.attached[i]) bone.push((r.masses[i] / dt_) * (next_[i] - placed_[i]), old_[i]);
    }
    place_attached(pushed_pose(bone, dt_));
}

void TissueBody::end_part() {
    const TissueRig& r = *rig_;
    std::vector<Vec3>& spins = moves_;
    spins.resize(std::max(spins.size(), r.size()));
    for (std::size_t i = 0; i < r.size(); ++i) {
        take_pending_turn(i);
        spins[i] = angle_of(next_turns_[i] * particles_[i].turn.conjugate()) / dt_;
    }
    give_back_spin(spins);
    for (std::size_t i = 0; i < r.size(); ++i) {
        OrientedParticle& p = particles_[i];
        p.velocity = (next_[i] - old_[i]) / dt_;
        p.position = origin_ + next_[i];
        p.spin = spins[i];
        p.turn = next_turns_[i];
    }
}

// Turns do not add up as vectors: what differs is small, of second order, and given to all.
void TissueBody::give_back_spin(std::span<const Vec3> spins) {
    const TissueRig& r = *rig_;
    double mass = 0.0;
    Vec3 excess = Vec3::Zero(), centre = Vec3::Zero();
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r.attached[i]) continue;
        excess += spins_[i] * (dt_ * (spins[i] - particles_[i].spin) - angles_[i]);
        mass += r.masses[i];
        centre += r.masses[i] * old_[i];
    }
    centre /= mass;
    Mat3 inertia = Mat3::Zero();
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) add_inertia(r.masses[i], old_[i] - centre, inertia);
    }
    const Vec3 back = -(inverse_inertia(inertia) * excess);
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) next_[i] += back.cross(old_[i] - centre);
    }
}

}  // namespace ductile
