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
// - Turns of a part are one vector per particle, which groups add to: angles that add up keep the
//   angular momentum, and a part needs one rotation of each particle instead of one per visit.
// - With only the centres turning, angular momentum kept, a chain would resist changes of its twist
//   and not the twist itself. With `torsion` all members of a group turn towards it.
// - Plastic flow is that of Mueller et al. 2005, of each group's rest shape.
#include <ductile/core/assert.h>
#include <ductile/core/rotation.h>
#include <ductile/deform/tissue/matched_rotation.h>
#include <ductile/deform/tissue/tissue_body.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

/// The inverse of an inertia given by its sums of m x x^T (six of them: xx, yy, zz, xy, xz, yz) and
/// of spins; 0 about axes about which there is none: a point, or a line of points.
Mat3 inverse_inertia(const double (&m)[6], double spin) {
    const double a = m[1] + m[2] + spin, b = m[0] + m[2] + spin, c = m[0] + m[1] + spin;
    const double size = a + b + c;
    if (!(size > 0)) return Mat3::Zero();
    const auto inverse = [&](double more) {
        const double xx = a + more, yy = b + more, zz = c + more;
        const double xy = -m[3], xz = -m[4], yz = -m[5];
        const double c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
        const double over = 1.0 / (xx * c0 + xy * c1 + xz * c2);
        Mat3 out;
        out(0, 0) = over * c0;
        out(0, 1) = out(1, 0) = over * c1;
        out(0, 2) = out(2, 0) = over * c2;
        out(1, 1) = over * (xx * zz - xz * xz);
        out(1, 2) = out(2, 1) = over * (xy * xz - xx * yz);
        out(2, 2) = over * (xx * yy - xy * xy);
        return out;
    };
    const Mat3 plain = inverse(0.0);
    // The diagonal of an inverse bounds all of it, where it is positive at all.
    const double least = std::min({plain(0, 0), plain(1, 1), plain(2, 2)});
    if (least > 0 && plain.trace() * size < 1e12) return plain;
    return inverse(1e-9 * size);
}

/// scale a b. Spelled out: Eigen's small products are not always inlined.
Mat3 scaled_product(const Mat3& a, const Mat3& b, double scale) {
    Mat3 out;
    for (int j = 0; j < 3; ++j) {
        const double x = scale * b(0, j), y = scale * b(1, j), z = scale * b(2, j);
        for (int i = 0; i < 3; ++i) out(i, j) = a(i, 0) * x + a(i, 1) * y + a(i, 2) * z;
    }
    return out;
}

/// turn_by, fast where the angle is small.
Quat particle_turn(const Vec3& angle) {
    const double h2 = 0.25 * angle.squaredNorm();
    if (h2 > 0.01) return turn_by(angle);
    const double share = 0.5 * (1.0 - h2 / 6 * (1.0 - h2 / 20 * (1.0 - h2 / 42 * (1.0 - h2 / 72))));
    const double cosine = 1.0 - h2 / 2 * (1.0 - h2 / 12 * (1.0 - h2 / 30 * (1.0 - h2 / 56)));
    return Quat(cosine, share * angle.x(), share * angle.y(), share * angle.z());
}

/// The vector of the turn from one rotation to another: angle_of, fast where that is small.
Vec3 particle_turn_vector(const Mat3& from, const Mat3& to) {
    const auto row_dot = [&](int i, int k) {
        return to(i, 0) * from(k, 0) + to(i, 1) * from(k, 1) + to(i, 2) * from(k, 2);
    };
    const Vec3 sine = 0.5 * Vec3(row_dot(2, 1) - row_dot(1, 2), row_dot(0, 2) - row_dot(2, 0),
                                 row_dot(1, 0) - row_dot(0, 1));
    const double s2 = sine.squaredNorm();
    const double cosine = 0.5 * (row_dot(0, 0) + row_dot(1, 1) + row_dot(2, 2) - 1.0);
    // asin(s) / s.
    if (s2 < 0.01 && cosine > 0) {
        return (1.0 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * 105.0 / 3456)))) *
               sine;
    }
    return angle_of(Quat(Mat3(to * from.transpose())));
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
        spins_.push_back(r.masses[i] * spin_inertia(r.shapes[i]));
    }
    std::size_t largest = 0;
    for (std::size_t g = 0; g < r.group_count(); ++g) {
        double mass = 0.0;
        for (const std::int32_t i : r.group(g)) mass += r.masses[i];
        groups_.push_back({.inverse_mass = 1.0 / mass});
        largest = std::max(largest, r.group(g).size());
    }
    moves_.resize(largest);
    offsets_.assign(r.members.size(), Vec3::Zero());
    levers_.assign(r.members.size(), Vec3::Zero());
    if (r.response.yield_strain > 0) flows_.assign(groups_.size(), Mat3::Identity());
    for (const std::int32_t i : r.ties) tied_places_.push_back(r.places[i]);
    update_offsets();
    for (auto* points : {&old_, &next_, &placed_, &angles_}) points->assign(n, Vec3::Zero());
    for (auto* turns : {&turns_, &old_turns_, &moments_}) turns->assign(n, Mat3::Identity());
    shares_.assign(n, 0.0);
    turn_shares_.assign(n, 0.0);
}

void TissueBody::update_offsets() {
    const TissueRig& r = *rig_;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        Vec3 centre = Vec3::Zero();
        for (const std::int32_t i : r.group(g)) centre += r.masses[i] * r.places[i];
        centre *= groups_[g].inverse_mass;
        Vec3* offset = &offsets_[static_cast<std::size_t>(r.firsts[g])];
        for (const std::int32_t i : r.group(g)) {
            *offset = r.places[i] - centre;
            if (!flows_.empty()) *offset = flows_[g] * *offset;
            ++offset;
        }
    }
}

void TissueBody::damp(const Vec3& gravity_w, double damping, PushedBody& bone) {
    const TissueRig& r = *rig_;
    const double lost = 1.0 - std::exp(-damping * dt_);
    BodyHold hold;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r.attached[i]) continue;
        OrientedParticle& p = particles_[i];
        p.velocity += dt_ * gravity_w;
        hold.add(lost * r.masses[i], old_[i],
                 bone.velocity + bone.spin.cross(old_[i]) - p.velocity);
        hold.add_turn(lost * spins_[i], bone.spin - p.spin);
    }
    const BodyHold::Motion gain = hold.motion(bone);
    const Vec3 velocity = bone.velocity + gain.move, spin = bone.spin + gain.turn;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (r.attached[i]) continue;
        OrientedParticle& p = particles_[i];
        const Vec3 slowed = lost * (velocity + spin.cross(old_[i]) - p.velocity);
        const Vec3 spin_slowed = lost * (spin - p.spin);
        p.velocity += slowed;
        p.spin += spin_slowed;
        bone.push(-r.masses[i] * slowed, old_[i]);
        bone.angular_impulse -= spins_[i] * spin_slowed;
    }
}

void TissueBody::place_attached(const Transform& bone_pose) {
    const TissueRig& r = *rig_;
    bone_pose_ = bone_pose;
    const Mat3 turn = bone_pose.rotation.toRotationMatrix();
    const Vec3 at = bone_pose.translation - origin_;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) continue;
        next_[i] = placed_[i] = turn * r.places[i] + at;
        angles_[i].setZero();
        old_turns_[i] = turns_[i] = turn;
    }
}

void TissueBody::begin_part(double dt, const Vec3& gravity_w, double damping, int sweeps,
                            PushedBody& bone) {
    DUCTILE_ASSERT(dt > 0 && sweeps > 0, "a part takes time and sweeps");
    const TissueRig& r = *rig_;
    const bool is_as_before = dt == dt_ && sweeps == sweeps_;
    dt_ = dt;
    sweeps_ = sweeps;
    origin_ = bone.start.centre_w;
    for (std::size_t i = 0; i < r.size(); ++i) {
        OrientedParticle& p = particles_[i];
        if (r.attached[i]) {
            p.position = bone.start.pose_w.point(r.places[i]);
            p.turn = bone.start.pose_w.rotation;
        }
        old_[i] = p.position - origin_;
        if (is_as_before) continue;
        shares_[i] = visit_share(r, i, sweeps, dt);
        turn_shares_[i] = turn_share(r, i, sweeps, dt);
    }
    damp(gravity_w, damping, bone);
    place_attached(pushed_pose(bone, dt));
    predict_outer();
    prepare_groups();
}

void TissueBody::predict_outer() {
    const TissueRig& r = *rig_;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) {
            const OrientedParticle& p = particles_[i];
            next_[i] = old_[i] + dt_ * p.velocity;
            angles_[i] = dt_ * p.spin;
            old_turns_[i] = p.turn.toRotationMatrix();
            turns_[i] = (particle_turn(angles_[i]) * p.turn).toRotationMatrix();
        }
        moments_[i] = scaled_product(turns_[i], r.shapes[i], 0.2 * r.masses[i]);
    }
}

void TissueBody::prepare_groups() {
    const TissueRig& r = *rig_;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        const std::span<const std::int32_t> members = r.group(g);
        Vec3* levers = &levers_[static_cast<std::size_t>(r.firsts[g])];
        Vec3 centre = Vec3::Zero();
        for (const std::int32_t i : members) centre += r.masses[i] * old_[i];
        centre *= group.inverse_mass;
        double sums[6] = {}, spin = 0.0;
        for (std::size_t k = 0; k < members.size(); ++k) {
            const std::int32_t i = members[k];
            const Vec3 lever = levers[k] = old_[i] - centre;
            const Vec3 weighted = r.masses[i] * lever;
            for (int axis = 0; axis < 3; ++axis) sums[axis] += weighted[axis] * lever[axis];
            sums[3] += weighted[0] * lever[1];
            sums[4] += weighted[0] * lever[2];
            sums[5] += weighted[1] * lever[2];
            spin += spins_[i];
        }
        group.inverse_inertia = inverse_inertia(sums, spin);
        group.turn = turns_[members[0]];
    }
}

void TissueBody::match(bool is_backwards) {
    const std::size_t count = groups_.size();
    for (std::size_t k = 0; k < count; ++k) match_group(is_backwards ? count - 1 - k : k);
}

Vec3 TissueBody::turn_particle(std::size_t i, const Mat3& goal, double share) {
    const Vec3 angle = share * (particle_turn_vector(old_turns_[i], goal) - angles_[i]);
    angles_[i] += angle;
    return spins_[i] * angle;
}

void TissueBody::match_group(std::size_t g) {
    const TissueRig& r = *rig_;
    const auto first = static_cast<std::size_t>(r.firsts[g]);
    const std::span<const std::int32_t> members = r.group(g);
    Group& group = groups_[g];
    const Vec3 *offsets = &offsets_[first], *levers = &levers_[first];
    Vec3 centre = Vec3::Zero();
    Mat3 moment = Mat3::Zero();
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int32_t i = members[k];
        const Vec3 weighted = r.masses[i] * next_[i];
        centre += weighted;
        add_moment(moments_[i], weighted, offsets[k], moment);
    }
    centre *= group.inverse_mass;
    const std::int32_t middle = members[0];
    group.turn = matched_rotation(moment, group.turn);

    const double most = r.response.stretch_limit;
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int32_t i = members[k];
        const Vec3 way = group.turn * offsets[k] + centre - next_[i];
        double share = shares_[i];
        if (most > 0) {
            const double off = way.norm(), allowed = most * offsets[k].norm();
            if ((1.0 - share) * off > allowed) share = 1.0 - allowed / off;
        }
        moves_[k] = share * way;
        const Vec3 weighted = r.masses[i] * moves_[k];
        momentum += weighted;
        angular += levers[k].cross(weighted);
    }
    if (!r.attached[middle]) angular += turn_particle(middle, group.turn, shares_[middle]);
    if (r.response.torsion > 0) {
        for (const std::int32_t i : members.subspan(1)) {
            angular += turn_particle(i, group.turn, turn_shares_[i]);
        }
    }
    const Vec3 shift = -group.inverse_mass * momentum;
    const Vec3 back = -(group.inverse_inertia * angular);
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int32_t i = members[k];
        next_[i] += moves_[k] + shift + back.cross(levers[k]);
        angles_[i] += back;
    }
}

void TissueBody::pull_ties(PushedBody& bone) {
    const TissueRig& r = *rig_;
    const Mat3 turn = bone_pose_.rotation.toRotationMatrix();
    const Vec3 at = bone_pose_.translation - origin_;
    const auto lack = [&](std::size_t k) {
        return Vec3(turn * tied_places_[k] + at - next_[r.ties[k]]);
    };
    BodyHold hold;
    for (std::size_t k = 0; k < r.ties.size(); ++k) {
        const std::int32_t i = r.ties[k];
        hold.add(shares_[i] * r.masses[i], old_[i], lack(k));
    }
    const BodyHold::Motion gain = hold.motion(bone);
    for (std::size_t k = 0; k < r.ties.size(); ++k) {
        const std::int32_t i = r.ties[k];
        const Vec3 move = shares_[i] * (lack(k) + gain.at(old_[i]));
        next_[i] += move;
        bone.push((-r.masses[i] / dt_) * move, old_[i]);
    }
}

void TissueBody::settle_on(PushedBody& bone) {
    const TissueRig& r = *rig_;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!r.attached[i]) continue;
        bone.push((r.masses[i] / dt_) * (next_[i] - placed_[i]), old_[i]);
        bone.angular_impulse += (spins_[i] / dt_) * angles_[i];
    }
    // Groups and ties pull at the same gap between bone and coat: each has to see what is left.
    place_attached(pushed_pose(bone, dt_));
    if (r.ties.empty()) return;
    pull_ties(bone);
    place_attached(pushed_pose(bone, dt_));
}

void TissueBody::end_part() {
    const TissueRig& r = *rig_;
    if (!flows_.empty()) {
        flow_groups();
        flow_ties();
    }
    for (std::size_t i = 0; i < r.size(); ++i) {
        OrientedParticle& p = particles_[i];
        p.velocity = (next_[i] - old_[i]) / dt_;
        p.position = origin_ + next_[i];
        if (r.attached[i]) {
            p.turn = bone_pose_.rotation;
            p.spin.setZero();
        } else {
            p.turn = (particle_turn(angles_[i]) * p.turn).normalized();
            p.spin = angles_[i] / dt_;
        }
    }
}

void TissueBody::flow_groups() {
    const TissueRig& r = *rig_;
    const TissueResponse& response = r.response;
    bool has_flowed = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Vec3* offset = &offsets_[static_cast<std::size_t>(r.firsts[g])];
        Vec3 centre = Vec3::Zero();
        for (const std::int32_t i : r.group(g)) centre += r.masses[i] * next_[i];
        centre *= groups_[g].inverse_mass;
        Mat3 moment = Mat3::Zero(), rest = Mat3::Zero();
        for (const std::int32_t i : r.group(g)) {
            moment += r.masses[i] * (next_[i] - centre) * offset->transpose() + moments_[i];
            rest += r.masses[i] * (*offset * offset->transpose() + 0.2 * r.shapes[i]);
            ++offset;
        }
        const Mat3 turn = matched_rotation(moment, groups_[g].turn);
        const Mat3 strain = turn.transpose() * moment * rest.inverse() - Mat3::Identity();
        if (!(strain.norm() > response.yield_strain)) continue;
        Mat3 flow = flows_[g] + std::min(1.0, dt_ * response.flow) * strain * flows_[g];
        const double off = (flow - Mat3::Identity()).norm();
        if (off > response.flow_limit) {
            flow = Mat3::Identity() + (response.flow_limit / off) * (flow - Mat3::Identity());
        }
        if (!(flow.determinant() > 0)) continue;
        flows_[g] = flow;
        has_flowed = true;
    }
    if (has_flowed) update_offsets();
}

void TissueBody::flow_ties() {
    const TissueRig& r = *rig_;
    const double share = std::min(1.0, dt_ * r.response.flow);
    for (std::size_t k = 0; k < r.ties.size(); ++k) {
        const std::int32_t i = r.ties[k];
        const Vec3 now = bone_pose_.inverse_point(origin_ + next_[i]);
        const double length = r.tie_lengths[k];
        const Vec3 off = now - tied_places_[k];
        if (!(off.norm() > r.response.yield_strain * length)) continue;
        Vec3 flowed = tied_places_[k] + share * off - r.places[i];
        const double size = flowed.norm(), most = r.response.flow_limit * length;
        if (size > most) flowed *= most / size;
        tied_places_[k] = r.places[i] + flowed;
    }
}

}  // namespace ductile
