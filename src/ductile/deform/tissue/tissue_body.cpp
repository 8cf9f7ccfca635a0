// SPDX-License-Identifier: MIT
// Mueller and Chentanez 2011, "Solid Simulation with Oriented Particles", as the seed's
// sections 4.4 and 5.1 use it. Where this differs, and why (groups: group_pairs.cpp):
// - Equation 4.23 is read as m/5 R diag(a^2, b^2, c^2) Rbar^T; with `turn` = R Rbar^T that is the
//   turn times the rest shape.
// - All visits of a part together move a particle by h^2 / (h^2 + ease) of its way, not by a fixed
//   share each: the coat is as stiff in short parts as in long ones.
// - Turns of a part are one vector per particle, which groups add to: angles that add up keep the
//   angular momentum, and a part needs one rotation of each particle instead of one per visit.
// - Plastic flow is that of Mueller et al. 2005, of each group's rest shape.
#include <ductile/core/assert.h>
#include <ductile/deform/tissue/body_hold.h>
#include <ductile/deform/tissue/group_pairs.h>
#include <ductile/deform/tissue/matched_rotation.h>
#include <ductile/deform/tissue/particle_pairs.h>
#include <ductile/deform/tissue/tissue_body.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using simd::Doubles;

}  // namespace

/// What the loops of a part run over, two particles at a time.
struct TissueBody::Lists {
    std::vector<ParticlePair> outer, attached, ties;
    std::vector<Pair3> placed;  ///< Attached ones where the bone last put them.
};

TissueBody::TissueBody(std::shared_ptr<const TissueRig> rig, const BodyMoment& bone)
    : rig_(std::move(rig)),
      part_(rig_->size()),
      pairs_(std::make_unique<GroupPairs>(*rig_, bone.pose_w.rotation.toRotationMatrix())),
      lists_(std::make_unique<Lists>()) {
    const TissueRig& r = *rig_;
    const std::size_t n = r.size();
    for (std::size_t i = 0; i < n; ++i) {
        OrientedParticle& p = particles_.emplace_back();
        p.position = bone.pose_w.point(r.places[i]);
        p.turn = bone.pose_w.rotation;
        p.velocity = bone.velocity_at(p.position);
        p.spin = bone.spin_w;
        part_.spins[i] = r.masses[i] * spin_inertia(r.shapes[i]);
        (r.attached[i] ? attached_ : outer_).push_back(static_cast<std::int32_t>(i));
    }
    particles_.emplace_back();
    offsets_.assign(r.members.size(), Vec3::Zero());
    lists_->outer = pairs_of(r, outer_);
    lists_->attached = pairs_of(r, attached_);
    lists_->ties = pairs_of(r, r.ties);
    lists_->placed.assign(lists_->attached.size(), twice(Vec3::Zero()));
    if (r.response.yield_strain > 0) flows_.assign(r.group_count(), Mat3::Identity());
    for (const std::int32_t i : r.ties) tied_places_.push_back(r.places[i]);
    tied_places_.push_back(Vec3::Zero());
    update_offsets();
}

TissueBody::TissueBody(TissueBody&&) noexcept = default;
TissueBody::~TissueBody() = default;

void TissueBody::update_offsets() {
    const TissueRig& r = *rig_;
    for (std::size_t g = 0; g < r.group_count(); ++g) {
        Vec3 centre = Vec3::Zero();
        double mass = 0.0;
        for (const std::int32_t i : r.group(g)) {
            centre += r.masses[i] * r.places[i];
            mass += r.masses[i];
        }
        centre /= mass;
        Vec3* offset = &offsets_[static_cast<std::size_t>(r.firsts[g])];
        for (const std::int32_t i : r.group(g)) {
            *offset = r.places[i] - centre;
            if (!flows_.empty()) *offset = flows_[g] * *offset;
            ++offset;
        }
    }
    pairs_->set_offsets(offsets_);
}

void TissueBody::predict_outer(const Vec3& gravity_w, double damping, PushedBody& bone) {
    const Doubles dt = dt_, lost = 1.0 - std::exp(-damping * dt_);
    const Pair3 fall = twice(dt_ * gravity_w), origin = twice(origin_);
    particles_[rig_->size()] = {};
    const Pair3 bone_velocity = twice(bone.velocity), bone_spin = twice(bone.spin);
    BodyHold hold;
    for (const ParticlePair& two : lists_->outer) {
        const OrientedParticle& p = particles_[two.first];
        const std::ptrdiff_t stride = two.stride<OrientedParticle>();
        const Pair3 at = gather(p.position, stride) - origin;
        const Pair3 velocity = gather(p.velocity, stride) + fall;
        scatter(at, part_.old.data(), two.first, two.second);
        hold.add(lost * two.mass, at, bone_velocity + bone_spin.cross(at) - velocity);
        hold.add_turn(lost * two.spin, bone_spin - gather(p.spin, stride));
    }
    const BodyHold::Motion gain = hold.motion(bone);
    const Pair3 goal_velocity = twice(bone.velocity + gain.move);
    const Pair3 goal_spin = twice(bone.spin + gain.turn);
    Pair3 given{0.0, 0.0, 0.0}, turn_given = given;
    for (const ParticlePair& two : lists_->outer) {
        OrientedParticle& p = particles_[two.first];
        const std::ptrdiff_t stride = two.stride<OrientedParticle>();
        const Pair3 at = gather(part_.old.data(), two.first, two.second);
        Pair3 velocity = gather(p.velocity, stride) + fall, spin = gather(p.spin, stride);
        const Pair3 slowed = lost * (goal_velocity + goal_spin.cross(at) - velocity);
        const Pair3 spin_slowed = lost * (goal_spin - spin), weighted = two.mass * slowed;
        given += weighted;
        turn_given += at.cross(weighted) + two.spin * spin_slowed;
        velocity += slowed;
        spin += spin_slowed;
        scatter(velocity, p.velocity, stride);
        scatter(spin, p.spin, stride);
        const Pair3 angle = dt * spin;
        scatter(at + dt * velocity, part_.next.data(), two.first, two.second);
        scatter(angle, part_.angles.data(), two.first, two.second);
        const Pair4 turn = gather(p.turn, stride);
        scatter(turn, part_.old_turns[two.first], two.stride<Quat>());
        const Pair33 turned = matrices_of(product(turns_by(angle), turn));
        scatter(turned, part_.turns.data(), two.first, two.second);
        scatter(turned * two.moment, part_.moments.data(), two.first, two.second);
    }
    bone.impulse -= both_of(given);
    bone.angular_impulse -= both_of(turn_given);
}

void TissueBody::place_attached(const Transform& bone_pose) {
    bone_pose_ = bone_pose;
    const Pair33 turn = turn_twice(bone_pose.rotation);
    const Pair3 at = twice(bone_pose.translation - origin_), none = twice(Vec3::Zero());
    Pair3* placed = lists_->placed.data();
    for (const ParticlePair& two : lists_->attached) {
        *placed = turn * two.place + at;
        scatter(*placed++, part_.next.data(), two.first, two.second);
        scatter(none, part_.angles.data(), two.first, two.second);
    }
}

void TissueBody::turn_attached() {
    const Pair33 turn = turn_twice(bone_pose_.rotation);
    for (const ParticlePair& two : lists_->attached) {
        part_.old_turns[two.first] = part_.old_turns[two.second] = bone_pose_.rotation;
        scatter(turn * two.moment, part_.moments.data(), two.first, two.second);
    }
}

void TissueBody::begin_part(double dt, const Vec3& gravity_w, double damping, int sweeps,
                            PushedBody& bone) {
    DUCTILE_ASSERT(dt > 0 && sweeps > 0, "a part takes time and sweeps");
    const TissueRig& r = *rig_;
    if (dt != dt_ || sweeps != sweeps_) {
        for (std::size_t i = 0; i < r.size(); ++i) {
            part_.shares[i] = visit_share(r, i, sweeps, dt);
            part_.turn_shares[i] = turn_share(r, i, sweeps, dt);
        }
        pairs_->set_shares(r, part_);
    }
    dt_ = dt;
    sweeps_ = sweeps;
    origin_ = bone.start.centre_w;
    const Pair33 turn = turn_twice(bone.start.pose_w.rotation);
    const Pair3 at = twice(bone.start.pose_w.translation - origin_);
    for (const ParticlePair& two : lists_->attached) {
        scatter(turn * two.place + at, part_.old.data(), two.first, two.second);
    }
    predict_outer(gravity_w, damping, bone);
    place_attached(pushed_pose(bone, dt));
    turn_attached();
    part_.old[r.size()] = part_.next[r.size()] = part_.angles[r.size()] = Vec3::Zero();
}

std::span<double> TissueBody::group_turns() { return pairs_->turns(); }

void TissueBody::match(bool is_backwards) { pairs_->visit(*rig_, is_backwards, part_); }

void TissueBody::pull_ties(PushedBody& bone) {
    const Pair33 turn = turn_twice(bone_pose_.rotation);
    const Pair3 at = twice(bone_pose_.translation - origin_);
    const Pair3 none = twice(Vec3::Zero());
    BodyHold hold;
    const auto share_of = [&](const ParticlePair& two) {
        return Doubles(part_.shares[two.first], part_.shares[two.second]);
    };
    const auto lack_of = [&](const ParticlePair& two, std::ptrdiff_t tie) {
        return turn * gather(tied_places_.data(), tie, tie + 1) + at -
               gather(part_.next.data(), two.first, two.second);
    };
    std::ptrdiff_t tie = 0;
    for (const ParticlePair& two : lists_->ties) {
        const Pair3 old = gather(part_.old.data(), two.first, two.second);
        hold.add(share_of(two) * two.mass, old, lack_of(two, tie));
        tie += 2;
    }
    const BodyHold::Motion gain = hold.motion(bone);
    const Pair3 moved = twice(gain.move), turned = twice(gain.turn);
    Pair3 given = none, turn_given = none;
    tie = 0;
    for (const ParticlePair& two : lists_->ties) {
        const Pair3 old = gather(part_.old.data(), two.first, two.second);
        const Pair3 move = share_of(two) * (lack_of(two, tie) + moved + turned.cross(old));
        tie += 2;
        const Pair3 weighted = two.mass * move;
        scatter(gather(part_.next.data(), two.first, two.second) + move, part_.next.data(),
                two.first, two.second);
        given += weighted;
        turn_given += old.cross(weighted);
    }
    bone.impulse -= both_of(given) / dt_;
    bone.angular_impulse -= both_of(turn_given) / dt_;
}

void TissueBody::reattach_to(PushedBody& bone) {
    Pair3 given = twice(Vec3::Zero()), turn_given = given;
    const Pair3* placed = lists_->placed.data();
    for (const ParticlePair& two : lists_->attached) {
        const Pair3 next = gather(part_.next.data(), two.first, two.second);
        const Pair3 old = gather(part_.old.data(), two.first, two.second);
        const Pair3 weighted = two.mass * (next - *placed++);
        given += weighted;
        turn_given +=
            old.cross(weighted) + two.spin * gather(part_.angles.data(), two.first, two.second);
    }
    bone.impulse += both_of(given) / dt_;
    bone.angular_impulse += both_of(turn_given) / dt_;
    if (!rig_->ties.empty()) {
        // Groups and ties pull at the same gap between bone and coat: each has to see what is left.
        bone_pose_ = pushed_pose(bone, dt_);
        pull_ties(bone);
    }
    place_attached(pushed_pose(bone, dt_));
}

void TissueBody::end_part() {
    if (!flows_.empty()) {
        flow_groups();
        flow_ties();
    }
    const double rate = 1.0 / dt_;
    const Doubles rates = rate;
    const Pair3 origin = twice(origin_);
    Doubles ways_sq = 0.0;
    particles_[rig_->size()].position = origin_;
    for (const ParticlePair& two : lists_->outer) {
        OrientedParticle& p = particles_[two.first];
        const std::ptrdiff_t stride = two.stride<OrientedParticle>();
        const Pair3 next = gather(part_.next.data(), two.first, two.second);
        const Pair3 way = next - gather(part_.old.data(), two.first, two.second);
        const Pair3 angle = gather(part_.angles.data(), two.first, two.second);
        const Pair3 place = origin + next, came = place - gather(p.position, stride);
        ways_sq += came.dot(came);
        scatter(rates * way, p.velocity, stride);
        scatter(place, p.position, stride);
        scatter(rates * angle, p.spin, stride);
        const Pair4 q = product(turns_by(angle), gather(p.turn, stride));
        // Newton's step to unit length, from which rounding alone takes it.
        const Doubles size_sq = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        const Doubles unit = Doubles(1.5) - Doubles(0.5) * size_sq;
        scatter(Pair4{unit * q.x, unit * q.y, unit * q.z, unit * q.w}, p.turn, stride);
    }
    double way_sq = both_of(ways_sq);
    for (const std::int32_t i : attached_) {
        OrientedParticle& p = particles_[i];
        const Vec3 place = origin_ + part_.next[i];
        way_sq += (place - p.position).squaredNorm();
        p.velocity = rate * (part_.next[i] - part_.old[i]);
        p.position = place;
        p.turn = bone_pose_.rotation;
        p.spin.setZero();
    }
    mean_way_ = std::sqrt(way_sq / static_cast<double>(rig_->size()));
}

void TissueBody::flow_groups() {
    const TissueRig& r = *rig_;
    const TissueResponse& response = r.response;
    const Mat3 bone_turn = bone_pose_.rotation.toRotationMatrix();
    bool has_flowed = false;
    for (std::size_t g = 0; g < r.group_count(); ++g) {
        const Vec3* offset = &offsets_[static_cast<std::size_t>(r.firsts[g])];
        Vec3 centre = Vec3::Zero();
        double mass = 0.0;
        for (const std::int32_t i : r.group(g)) {
            centre += r.masses[i] * part_.next[i];
            mass += r.masses[i];
        }
        centre /= mass;
        Mat3 moment = Mat3::Zero(), rest = Mat3::Zero();
        for (const std::int32_t i : r.group(g)) {
            moment +=
                r.masses[i] * (part_.next[i] - centre) * offset->transpose() + part_.moments[i];
            rest += r.masses[i] * (*offset * offset->transpose() + 0.2 * r.shapes[i]);
            ++offset;
        }
        const std::int32_t middle = r.group(g)[0];
        const Mat3 guess = r.attached[middle] ? bone_turn : part_.turns[middle];
        const Mat3 turn = matched_rotation(moment, guess);
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
        const Vec3 now = bone_pose_.inverse_point(origin_ + part_.next[i]);
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
